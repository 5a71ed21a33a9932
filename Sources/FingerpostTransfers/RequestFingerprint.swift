import FingerpostFiles
import FingerpostShared
import Foundation

/// The request and the account of a download. A kept part of a body belongs to both: a download does not resume the
/// part of another request or of another account.
///
/// The client's ``/Fingerpost/CredentialStore`` names the account. Of the request's headers, those in the response's
/// `Vary` count. Credentials do not count, because they change with each token of the same account.
struct RequestFingerprint: Sendable {
    /// The method and the URL of the call's first request. A redirect may lead to another address each time.
    let line: String
    /// The request that is sent.
    let request: URLRequest
    /// The headers of the client's authorization, from any source.
    let credentials: [Authorization.Header]

    /// The headers that a resuming download sets itself.
    private static let own: [HTTPHeaders.Name] = ["Accept-Encoding", "Range", "If-Range"]

    /// The names of the headers, in lower case, whose values a response to this request depends on (RFC 9110 section
    /// 12.5.5); nil if it depends on more than headers, as `Vary: *` says.
    func varying(in response: HTTPHeaders) -> [String]? {
        let names = Set(credentials.map(\.name))
        let fields = response.values(for: "Vary").flatMap { $0.parts(between: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        if fields.contains(where: { $0.contains(bytesOf: "*") }) { return nil }
        return fields.filter { !$0.isEmpty }.map { HTTPHeaders.Name(rawValue: $0) }
            .filter { $0.mayFollow(authorization: names) && !Self.own.contains($0) }.map { $0.rawValue.lowercased() }
    }

    /// A hash that is the same for requests whose responses are parts of the same body.
    ///
    /// - Parameter varying: the names of the headers whose values count.
    func hash(salt: UInt64, varying: [String]) -> UInt64 {
        let account = credentials.lazy.compactMap { $0.account }.first ?? ""
        let values = varying.flatMap { [$0, request.value(forHTTPHeaderField: $0) ?? ""] }
        return Self.hash([line, account] + values, salt: salt)
    }

    /// A hash of the server and the path of an address. The query often has a new signature in each redirect.
    static func hash(of address: URL?, salt: UInt64) -> UInt64 {
        guard let address else { return hash([], salt: salt) }
        let origin = Origin(address)
        let server = [origin.scheme ?? "", origin.host ?? "", "\(origin.port ?? 0)"]
        return hash(server + [address.path(percentEncoded: true)], salt: salt)
    }

    private static func hash(_ texts: [String], salt: UInt64) -> UInt64 {
        // With the size before each text, different lists of texts do not become the same joined text.
        SeededGenerator.seed(of: texts.reduce(into: "\(salt)") { $0 += " \($1.utf8.count) \($1)" })
    }
}
