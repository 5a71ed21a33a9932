import Fingerpost
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// AWS Signature 4 in headers. Keys of S3 are sent as they are in the URL.
nonisolated struct AWSSigner: RequestSigner {
    var id: String, secret: String
    var sessionToken: String? = nil
    var region: String, service: String
    var now: @Sendable () -> Date = { Date() }

    func headers(for request: URLRequest) async throws -> HTTPHeaders {
        guard let url = request.url, let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return [:]
        }
        let body = SHA256.hash(data: try request.bytes()).hex
        let time = now().formatted(
            Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt))
        var added: HTTPHeaders = ["X-Amz-Date": time]
        if service == "s3" { added["X-Amz-Content-Sha256"] = body }
        if let sessionToken { added["X-Amz-Security-Token"] = sessionToken }

        // What is signed: `host`, the type of the body, and the headers of AWS.
        var signed = ["host": parts.port.map { "\(parts.host ?? ""):\($0)" } ?? parts.host ?? ""]
        signed["content-type"] = request.value(forHTTPHeaderField: "Content-Type")
        for (name, value) in request.allHTTPHeaderFields ?? [:] where name.lowercased().hasPrefix("x-amz-") {
            signed[name.lowercased()] = value
        }
        for field in added { signed[field.name.rawValue.lowercased()] = field.value }
        let names = signed.keys.sorted().joined(separator: ";")
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        let canonical = [
            request.httpMethod ?? "GET",
            // Every service but S3 escapes the path twice.
            service == "s3" ? path : path.replacingOccurrences(of: "%", with: "%25"),
            (parts.percentEncodedQuery ?? "").split(separator: "&").map { $0.contains("=") ? "\($0)" : "\($0)=" }
                .sorted().joined(separator: "&"),
            signed.sorted { $0.key < $1.key }
                .map { "\($0.key):\($0.value.trimmingCharacters(in: .whitespaces))\n" }.joined(),
            names, body,
        ].joined(separator: "\n")

        let scope = "\(time.prefix(8))/\(region)/\(service)/aws4_request"
        let text = ["AWS4-HMAC-SHA256", time, scope, SHA256.hash(data: Data(canonical.utf8)).hex].joined(
            separator: "\n")
        let key = scope.split(separator: "/").reduce(Data("AWS4\(secret)".utf8)) { mac("\($1)", $0) }
        added["Authorization"] =
            "AWS4-HMAC-SHA256 Credential=\(id)/\(scope), SignedHeaders=\(names), Signature=\(mac(text, key).hex)"
        return added
    }

    private func mac(_ text: String, _ key: Data) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key)))
    }
}
