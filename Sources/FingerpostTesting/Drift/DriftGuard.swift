import Fingerpost
import FingerpostFiles

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

/// What may be sent beside a test: reads below the base URLs of the environment, without credentials of the test. The
/// calls with which an authorization gets its token may also write there.
struct DriftGuard: Sendable {
    private static let overrides = [
        "X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "X-Method", "X-Http-Verb",
    ]

    private let name: String
    private let homes: [(origin: Origin, path: String)]

    init(_ live: Environment) {
        name = live.name
        homes = live.baseURLs.values.compactMap { URL(string: $0.prefix) }.map { (Origin($0), Self.path(of: $0)) }
    }

    static func isRead(_ method: String) -> Bool { [.get, .head, .options].contains(HTTPMethod(rawValue: method)) }

    /// Why a request of the read must not be sent; nil if it may be.
    ///
    /// - Parameter secrets: what must not be sent.
    func refusal(of request: URLRequest, knowing secrets: [String]) -> DriftReport.Reason? {
        guard let url = request.url, isHome(url) else { return .otherHost }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        let methods =
            [request.httpMethod ?? "GET"] + Self.overrides.compactMap { request.value(forHTTPHeaderField: $0) }
            + items.filter { $0.name == "_method" }.compactMap(\.value)
        if !methods.allSatisfy({ Self.isRead($0.uppercased()) }) { return .write }
        let address = url.absoluteString
        // The credentials in headers of other names are those of the environment: the test's were left out.
        let harmless = (request.allHTTPHeaderFields ?? [:]).filter {
            HTTPHeaders.Name(rawValue: $0.key).mayFollow(authorization: [])
        }
        let texts = [address, address.removingPercentEncoding ?? address] + harmless.values
        let scanner = SecretScanner(secrets.map { ($0, shown: "", isWord: false) }, more: SecretRedactor.more)
        let hasSecret = texts.contains { text in text.withBytes { !scanner.places(in: .init($0)).isEmpty } }
        return hasSecret || Redaction.url(address) != address ? .credentials : nil
    }

    /// - Throws: an error for a request to another server.
    func check(_ request: URLRequest) throws(APIError) {
        if let url = request.url, isHome(url) { return }
        throw APIError(
            .authorization, "beside a test, nothing is sent but to the servers of \(name)",
            fix: "add the server to \(name), or get the token in .drift")
    }

    func isHome(_ url: URL) -> Bool {
        let (origin, path) = (Origin(url), Self.path(of: url))
        // Some servers read an escaped dot segment as one.
        let segments = (path.removingPercentEncoding ?? path).words(between: "/\\;")
        return !segments.contains("..") && homes.contains { $0.origin == origin && path.begins(with: $0.path) }
    }

    /// The path without dot segments, with a slash at its end.
    private static func path(of url: URL) -> String {
        let path = url.standardized.absoluteURL.path(percentEncoded: true)
        return path.ends(with: "/") ? path : path + "/"
    }
}
