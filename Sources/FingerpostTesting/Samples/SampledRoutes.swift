public import Fingerpost
import FingerpostFiles

/// A router with one sample value for each endpoint, so that ``MockAudit`` and ``MockDrift`` can check all endpoints.
///
/// ```swift
/// nonisolated extension GitHub: SampledRoutes {
///     public static var samples: [GitHub] { [.user(login: "octocat"), .repos(owner: "apple", page: 1)] }
/// }
/// ```
///
/// The extension belongs in the test target. There, Swift requires `samples` to be `public`, even if the router is
/// internal and comes from `@testable import`. If the app is not a Swift package, write `@retroactive SampledRoutes` to
/// silence the compiler's warning.
///
/// List one sample for each case of the router; the compiler does not report a missing case. A `CaseIterable` enum, for
/// example `Status`, conforms with `extension Status: SampledRoutes {}` alone. To check routes of a type that does not
/// conform to `SampledRoutes`, list them in the `routes` of ``MockAudit/Options``.
public protocol SampledRoutes: RouteConvertible {
    /// One value for each endpoint. ``MockDrift`` sends the samples with the method GET, HEAD or OPTIONS, so the server
    /// should have the resources that these samples request.
    static var samples: [Self] { get }
}

extension SampledRoutes where Self: CaseIterable {
    /// All cases of the enum.
    public static var samples: [Self] { Array(allCases) }
}

extension SampledRoutes {
    /// The samples of a router whose type is known only at run time.
    static var anySamples: [any RouteConvertible] { samples }
}

/// The name of a router's type. Routers in different namespaces can have the same name.
struct RouterName: Hashable, Sendable {
    /// The name of the type alone, after which the router's folder of mocks is named.
    let name: String
    /// The name with the module and the types around it.
    let qualifiedName: String
    private let type: ObjectIdentifier

    init(_ type: any RouteConvertible.Type) {
        name = String(describing: type)
        // Swift adds an address to the names of private types.
        qualifiedName = String(reflecting: type).replacing(/\(unknown context at [^)]*\)\./, with: "")
        self.type = ObjectIdentifier(type)
    }
}

/// The cases that the tests of this process have called, and the cases that its audits have sampled, so that called
/// cases without a sample are found.
///
/// The audit and the other tests run in any order. A called case is therefore compared by whichever comes later: the
/// audit, or the end of the test that calls the case. This is state of the process because no other place knows all its
/// tests.
final class SampledCases: Sendable {
    private struct State {
        var called: [ObjectIdentifier: Set<String>] = [:]
        var sampled: [ObjectIdentifier: Set<String>] = [:]
    }

    static let ofProcess = SampledCases()

    private let state = Locked(State())

    /// Adds the samples of an audit.
    ///
    /// - Returns: the names of the cases that tests have called and that the samples lack, for all routers that have
    ///   samples.
    func sample(_ routes: [Route]) -> [String] {
        state.withLock { state in
            let names = Self.names(of: routes)
            for (router, names) in names { state.sampled[router, default: []].formUnion(names) }
            return names.keys.flatMap { (state.called[$0] ?? []).subtracting(state.sampled[$0] ?? []) }.sorted()
        }
    }

    /// Adds the routes that a test called, which has ended.
    ///
    /// - Returns: the names of the called cases that the samples of an earlier audit lack. Each name is returned once.
    func call(_ routes: [Route]) -> [String] {
        state.withLock { state in
            Self.names(of: routes).flatMap { router, names in
                let new = names.subtracting(state.called[router] ?? [])
                state.called[router, default: []].formUnion(names)
                return state.sampled[router].map { new.subtracting($0) } ?? []
            }.sorted()
        }
    }

    /// The names of the cases, by their router. A route that was not created from a router has no case.
    private static func names(of routes: [Route]) -> [ObjectIdentifier: Set<String>] {
        var names: [ObjectIdentifier: Set<String>] = [:]
        for route in routes {
            guard let origin = route.origin else { continue }
            names[ObjectIdentifier(type(of: origin)), default: []].insert(route.name)
        }
        return names
    }
}
