import Fingerpost
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Digest (RFC 7616) with SHA-256 and the quality of protection `auth`.
actor DigestSigner: RequestSigner {
    private let user: String, password: String
    private let cnonce: String
    private var challenge: [String: String] = [:]
    private var count = 0

    init(user: String, password: String, cnonce: String = UUID().uuidString) {
        (self.user, self.password, self.cnonce) = (user, password, cnonce)
    }

    func headers(for request: URLRequest) async throws -> HTTPHeaders {
        guard let realm = challenge["realm"], let nonce = challenge["nonce"], let url = request.url,
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return [:] }
        count += 1
        let nc = String(format: "%08x", count)
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        let uri = path + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
        let secret = hash("\(user):\(realm):\(password)")
        let target = hash("\(request.httpMethod ?? "GET"):\(uri)")
        let response = hash("\(secret):\(nonce):\(nc):\(cnonce):auth:\(target)")
        var fields = [
            "username=\"\(user)\"", "realm=\"\(realm)\"", "uri=\"\(uri)\"", "algorithm=SHA-256",
            "nonce=\"\(nonce)\"", "nc=\(nc)", "cnonce=\"\(cnonce)\"", "qop=auth", "response=\"\(response)\"",
        ]
        if let opaque = challenge["opaque"] { fields.append("opaque=\"\(opaque)\"") }
        return [.authorization: "Digest " + fields.joined(separator: ", ")]
    }

    /// After a 401 to a request without a signature, and after one that says that the nonce is stale. Any other means
    /// a wrong password.
    func signAgain(after response: Response<Data>, to request: URLRequest) -> Bool {
        let sent = request.value(forHTTPHeaderField: "Authorization").flatMap { offers(in: $0).first }
        let all = response.headers.values(for: .wwwAuthenticate).flatMap(offers)
        let offer = all.first { offer in
            let qop = offer["qop"]?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            return offer["algorithm"] == "SHA-256" && qop?.contains("auth") == true
        }
        guard response.status == 401, let offer, sent == nil || offer["stale"]?.lowercased() == "true" else {
            return false
        }
        // Another call may have had a newer challenge meanwhile.
        if sent?["nonce"] == challenge["nonce"], offer["nonce"] != sent?["nonce"] { (challenge, count) = (offer, 0) }
        return true
    }

    private func hash(_ text: String) -> String { SHA256.hash(data: Data(text.utf8)).hex }

    private func offers(in header: String) -> [[String: String]] {
        var offers: [[String: String]] = []
        for match in header.matches(of: #/(?:^|,\s*)(Digest)\s+|(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/#) {
            if match.1 != nil { offers.append([:]) }
            guard let name = match.2, let value = match.3 ?? match.4, !offers.isEmpty else { continue }
            offers[offers.count - 1][name.lowercased()] = String(value)
        }
        return offers
    }
}
