public import Fingerpost

/// A router and the client that sends its routes, for an audit of several:
/// ``MockAudit/run(_:options:filePath:sourceLocation:)``.
public struct AuditedRouter: Sendable {
    let router: any SampledRoutes.Type
    let client: APIClient

    /// - Parameters:
    ///   - router: the router whose samples are audited.
    ///   - client: the client whose calls the router's mocks answer, with its wrapper, coders, error type and dialect.
    public init(_ router: any SampledRoutes.Type, client: APIClient) {
        self.router = router
        self.client = client
    }
}
