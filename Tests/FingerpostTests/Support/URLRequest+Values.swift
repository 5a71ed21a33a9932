import CallSupport

extension URLRequest {
    /// The values of headers, with spaces between them; `-` stands for a header that is missing.
    func values(_ names: String...) -> String {
        names.map { value(forHTTPHeaderField: $0) ?? "-" }.joined(separator: " ")
    }
}
