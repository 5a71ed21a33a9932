public import Fingerpost

/// A router that says by example what its endpoints are, so that ``MockAudit`` and ``MockDrift`` can look at all of them.
///
/// ```swift
/// extension GitHub: SampledRoutes {
///     static var samples: [GitHub] { [.user(login: "octocat"), .repos(owner: "apple", page: 1)] }
/// }
/// ```
///
/// Give one value for each case: the compiler cannot tell that one is left out. An enum whose cases have no values conforms with
/// `extension Status: SampledRoutes {}` once it is `CaseIterable`.
public protocol SampledRoutes: RouteConvertible {
    /// One value for each endpoint. Those of GET and HEAD are sent by ``MockDrift``, so they should exist on the server.
    static var samples: [Self] { get }
}

extension SampledRoutes where Self: CaseIterable {
    public static var samples: [Self] { Array(allCases) }
}
