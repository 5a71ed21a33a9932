public import Fingerpost

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
/// List one sample for each enum case of the router. The compiler does not report a missing sample, but the audit
/// reports a mock without a sample as an orphan. A `CaseIterable` enum, for example `Status`, conforms with
/// `extension Status: SampledRoutes {}` alone. To check routes of a type that does not conform to `SampledRoutes`, list
/// the routes in the option `routes` of ``MockAudit/Options``.
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
