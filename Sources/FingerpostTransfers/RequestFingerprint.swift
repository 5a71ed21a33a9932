import FingerpostFiles
import FingerpostShared
import Foundation

/// Identifies the request and the account of a download. A download resumes only if the request and the account are the
/// same as before.
///
/// The client's ``/Fingerpost/CredentialStore`` names the account. The value of a request header is compared only if
/// the response's `Vary` names the header. Credentials are not compared, because an account gets new tokens.
struct RequestFingerprint: Sendable {
    /// The method and the URL of the call's first request. A redirect may lead to another address each time.
    let line: String
    /// The request that is sent.
    let request: URLRequest
    /// The headers that the client's authorization adds to the request, or would add.
    let credentials: [Authorization.Header]

    /// The headers that a resuming download sets itself.
    private static let own: [HTTPHeaders.Name] = ["Accept-Encoding", "Range", "If-Range"]

    /// Returns the lower-case names of the request headers that a response depends on (RFC 9110 section 12.5.5).
    /// Returns nil for `Vary: *`, because such a response depends on more than headers.
    func varying(in response: HTTPHeaders) -> [String]? {
        let names = Set(credentials.map(\.name))
        let fields = response.values(for: "Vary").flatMap { $0.parts(between: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        if fields.contains(where: { $0.contains(bytesOf: "*") }) { return nil }
        return fields.filter { !$0.isEmpty }.map { HTTPHeaders.Name(rawValue: $0) }
            .filter { $0.mayFollow(authorization: names) && !Self.own.contains($0) }.map { $0.rawValue.lowercased() }
    }

    /// Returns a hash that is equal for requests whose responses are parts of the same body.
    ///
    /// - Parameter varying: the names of the headers whose values are part of the hash.
    func hash(salt: UInt64, varying: [String]) -> UInt64 {
        let account = credentials.lazy.compactMap { $0.account }.first ?? ""
        let values = varying.flatMap { [$0, request.value(forHTTPHeaderField: $0) ?? ""] }
        return Self.hash([line, account] + values, salt: salt)
    }

    /// Returns the hash of an address without its query, because the query often contains a signature that is new in
    /// each redirect.
    static func hash(of address: URL?, salt: UInt64) -> UInt64 {
        guard let address else { return hash([], salt: salt) }
        let origin = Origin(address)
        let server = [origin.scheme ?? "", origin.host ?? "", "\(origin.port ?? 0)"]
        return hash(server + [address.path(percentEncoded: true)], salt: salt)
    }

    private static func hash(_ texts: [String], salt: UInt64) -> UInt64 {
        // The size is added before each text, so that different lists of texts do not result in the same joined text.
        SeededGenerator.seed(of: texts.reduce(into: "\(salt)") { $0 += " \($1.utf8.count) \($1)" })
    }
}
