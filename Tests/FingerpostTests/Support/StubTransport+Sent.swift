import CallSupport

extension StubTransport {
    /// The header of each request that was sent.
    func sent(_ header: String) -> [String?] { requests.map { $0.value(forHTTPHeaderField: header) } }
}
