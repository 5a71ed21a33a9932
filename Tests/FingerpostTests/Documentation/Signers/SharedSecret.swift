import Fingerpost
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The method, the path, the query, the time and the hash of the body, with a secret that the server knows.
nonisolated struct SharedSecret: RequestSigner {
    let id: String
    let key: SymmetricKey
    var now: @Sendable () -> Date = { Date() }

    func headers(for request: URLRequest) async throws -> HTTPHeaders {
        let url = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        let time = String(Int64(now().timeIntervalSince1970))
        let lines = [
            request.httpMethod ?? "GET", url?.percentEncodedPath ?? "/", url?.percentEncodedQuery ?? "", time,
            SHA256.hash(data: try request.bytes()).hex,
        ]
        let code = HMAC<SHA256>.authenticationCode(for: Data(lines.joined(separator: "\n").utf8), using: key)
        return ["X-Key-Id": id, "X-Time": time, "X-Signature": Data(code).base64EncodedString()]
    }
}
