import Fingerpost
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// DPoP (RFC 9449): each request proves that the app has the key that the token belongs to.
actor Proofs: RequestSigner {
    private let key: P256.Signing.PrivateKey
    private var nonces: [String: String] = [:]

    init(key: P256.Signing.PrivateKey) { self.key = key }

    func headers(for request: URLRequest) async throws -> HTTPHeaders {
        guard let url = request.url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return [:]
        }
        (parts.query, parts.fragment) = (nil, nil)
        let point = key.publicKey.rawRepresentation
        let header = Header(jwk: .init(x: encoded(point.prefix(32)), y: encoded(point.suffix(32))))
        var proof = Proof(htm: request.httpMethod ?? "GET", htu: parts.string ?? "", nonce: nonces[origin(of: url)])
        if let token = request.value(forHTTPHeaderField: "Authorization"), token.hasPrefix("DPoP ") {
            proof.ath = encoded(Data(SHA256.hash(data: Data(token.dropFirst(5).utf8))))
        }
        let text = encoded(try JSONEncoder().encode(header)) + "." + encoded(try JSONEncoder().encode(proof))
        return ["DPoP": text + "." + encoded(try key.signature(for: Data(text.utf8)).rawRepresentation)]
    }

    func signAgain(after response: Response<Data>, to request: URLRequest) -> Bool {
        guard let url = request.url, let nonce = response.headers["DPoP-Nonce"] else { return false }
        nonces[origin(of: url)] = nonce
        // A resource says it in a header, the token endpoint in the body (RFC 9449 sections 8 and 9).
        let reason = (response.headers[.wwwAuthenticate] ?? "") + String(decoding: response.data, as: UTF8.self)
        return reason.contains("use_dpop_nonce")
    }

    private func origin(of url: URL) -> String { "\(url.scheme ?? "")://\(url.host ?? ""):\(url.port ?? 0)" }

    private func encoded(_ data: Data) -> String {
        data.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    private struct Header: Encodable {
        struct Key: Encodable { var kty = "EC", crv = "P-256", x: String, y: String }
        var typ = "dpop+jwt", alg = "ES256", jwk: Key
    }
    private struct Proof: Encodable {
        var jti = UUID().uuidString
        var htm: String, htu: String
        var iat = Int64(Date().timeIntervalSince1970)
        var ath: String?, nonce: String?
    }
}
