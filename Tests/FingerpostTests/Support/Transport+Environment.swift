import CallSupport

extension Transport {
    /// A client of this environment that uses only this transport.
    func client(
        in environment: APIEnvironment, _ configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) throws -> APIClient {
        try APIClient {
            $0.environment = environment
            $0.transport = self
            configure(&$0)
        }
    }
}
