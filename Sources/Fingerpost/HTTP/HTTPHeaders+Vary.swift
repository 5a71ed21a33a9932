import FingerpostFiles

extension HTTPHeaders {
    /// The headers of the request that a response depends on (RFC 9110 section 12.5.5); nil if it depends on more than
    /// them, as `Vary: *` says.
    var varying: [Name]? {
        let names = values(for: .vary).flatMap { $0.parts(between: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        if names.contains(where: { $0.contains(bytesOf: "*") }) { return nil }
        return names.filter { !$0.isEmpty }.map { Name(rawValue: String($0)) }
    }
}
