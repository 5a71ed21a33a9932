public import Fingerpost

/// A router with one sample value for each endpoint, so that ``MockAudit`` and ``MockDrift`` can check all endpoints.
///
/// ```swift
/// nonisolated extension GitHub: SampledRoutes {
///     public static var samples: [GitHub] { [.user(login: "octocat"), .repos(owner: "apple", page: 1)] }
/// }
/// ```
///
/// The extension belongs in the test target. `samples` is `public` there, as Swift requires even of an internal router
/// that comes from `@testable import`. If the app is not a Swift package, write `@retroactive SampledRoutes` to silence
/// the compiler's warning.
///
/// List one sample for each case of the router; the compiler does not report a missing case. A `CaseIterable` enum
/// needs only `extension Status: SampledRoutes {}` to conform. To check routes of a type that does not conform to
/// `SampledRoutes`, list them in ``MockAudit/Options/routes``.
public protocol SampledRoutes: RouteConvertible {
    /// One value for each endpoint. ``MockDrift`` sends the GET and HEAD samples, so the resources that these samples
    /// request should exist on the server.
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
