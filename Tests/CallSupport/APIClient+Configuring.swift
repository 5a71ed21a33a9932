extension Transport {
    /// A client that uses only this transport.
    package func client(_ configure: (inout APIClient.Configuration) -> Void = { _ in }) -> APIClient {
        APIClient(baseURL: URL(string: "https://api.example.com")!) {
            $0.transport = self
            configure(&$0)
        }
    }
}
