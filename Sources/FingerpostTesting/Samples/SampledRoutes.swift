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
/// List one sample for each enum case of the router. The compiler does not report a missing sample. A `CaseIterable`
/// enum, for example `Status`, conforms with `extension Status: SampledRoutes {}` alone. To check routes of a type that
/// does not conform to `SampledRoutes`, list the routes in the option `routes` of ``MockAudit/Options``.
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
    /// The samples as existential values, for code that gets a router's type only at run time.
    static var anySamples: [any RouteConvertible] { samples }
}

/// The name of a router's type. Routers in different namespaces can have the same name.
struct RouterName: Hashable, Sendable {
    /// The name of the type alone. The router's folder of mocks has this name.
    let name: String
    /// The name of the type, preceded by the names of the module and of the enclosing types.
    let qualifiedName: String
    private let type: ObjectIdentifier

    init(_ type: any RouteConvertible.Type) {
        name = String(describing: type)
        // The reflected name of a private type contains an address, which differs in each run.
        qualifiedName = String(reflecting: type).replacing(/\(unknown context at [^)]*\)\./, with: "")
        self.type = ObjectIdentifier(type)
    }
}

/// Collects the enum cases that the tests of this process have called, and the enum cases that audits have sampled. If
/// a called enum case has no sample, the enum case is reported.
///
/// The audit and the other tests run in any order. A called enum case is therefore checked twice: when the audit runs,
/// and when the test that calls the enum case ends. The state is shared by the whole process, because any test of the
/// process can call an enum case.
final class SampledCases: Sendable {
    private struct State {
        var called: [ObjectIdentifier: Set<String>] = [:]
        var sampled: [ObjectIdentifier: Set<String>] = [:]
    }

    static let ofProcess = SampledCases()

    private let state = Locked(State())

    /// Adds the samples of an audit.
    ///
    /// - Returns: the names of the enum cases that tests have called and that have no sample. Routers without samples
    ///   are left out.
    func sample(_ routes: [Route]) -> [String] {
        state.withLock { state in
            let names = Self.names(of: routes)
            for (router, names) in names { state.sampled[router, default: []].formUnion(names) }
            return names.keys.flatMap { (state.called[$0] ?? []).subtracting(state.sampled[$0] ?? []) }.sorted()
        }
    }

    /// Adds the routes that a test has called. This method is called when the test ends.
    ///
    /// - Returns: the names of the called enum cases that have no sample in an earlier audit. Each name is returned
    ///   once.
    func call(_ routes: [Route]) -> [String] {
        state.withLock { state in
            Self.names(of: routes).flatMap { router, names in
                let new = names.subtracting(state.called[router] ?? [])
                state.called[router, default: []].formUnion(names)
                return state.sampled[router].map { new.subtracting($0) } ?? []
            }.sorted()
        }
    }

    /// Returns the names of the enum cases, grouped by router. A route that was not created from a router has no enum
    /// case.
    private static func names(of routes: [Route]) -> [ObjectIdentifier: Set<String>] {
        var names: [ObjectIdentifier: Set<String>] = [:]
        for route in routes {
            guard let origin = route.origin else { continue }
            names[ObjectIdentifier(type(of: origin)), default: []].insert(route.name)
        }
        return names
    }
}
