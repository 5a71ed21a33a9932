import CallSupport
import Fingerpost
import Foundation

/// Runs the samples of the article SigningRequests, and checks them with published vectors.
@Suite(.inTurn) nonisolated struct SigningRequestsTests {
    private static func request(
        _ method: String, _ url: String, type: String? = nil, body: String? = nil
    ) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    /// FIPS 180-4, and RFC 4231 section 4.3.
    @Test func `The hashes of these tests are right`() {
        let text = Data("what do ya want for nothing?".utf8)
        let key = SymmetricKey(data: Data("Jefe".utf8))
        #expect(
            [SHA256.hash(data: Data("abc".utf8)).hex, HMAC<SHA256>.authenticationCode(for: text, using: key).hex] == [
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ])
    }

    private static let now: @Sendable () -> Date = { Date(timeIntervalSince1970: 1_440_938_160) }

    @Test func `HMAC signs method, path, query, time and body`() async throws {
        let key = SymmetricKey(data: Data("key".utf8))
        let text = "POST\n/a%20b\nq=1\n1440938160\n" + SHA256.hash(data: Data("body".utf8)).hex
        let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
        let headers = try await SharedSecret(id: "app", key: key, now: Self.now).headers(
            for: Self.request("POST", "https://api.example.com/a%20b?q=1", body: "body"))
        #expect(
            headers == [
                "X-Key-Id": "app", "X-Time": "1440938160", "X-Signature": Data(code).base64EncodedString(),
            ])
    }

    /// From the published suite of AWS Signature 4: get-vanilla, post-vanilla, post-x-www-form-urlencoded and
    /// get-vanilla-query-order-key.
    private static let vectors = """
        GET  host;x-amz-date 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31
        POST  host;x-amz-date 5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b
        POST  content-type;host;x-amz-date ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a
        GET ?Param2=value2&Param1=value1 host;x-amz-date b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500
        """

    @Test func `AWS Signature 4 passes its suite`() async throws {
        let signer = AWSSigner(
            id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", region: "us-east-1",
            service: "service", now: Self.now)
        for vector in Self.vectors.components(separatedBy: "\n") {
            let words = vector.components(separatedBy: " ")
            let isForm = words[2].hasPrefix("content-type")
            let request = try Self.request(
                words[0], "https://example.amazonaws.com/\(words[1])",
                type: isForm ? "application/x-www-form-urlencoded" : nil, body: isForm ? "Param1=value1" : nil)
            let headers = try await signer.headers(for: request)
            #expect(
                headers == [
                    "X-Amz-Date": "20150830T123600Z",
                    "Authorization":
                        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                        + "SignedHeaders=\(words[2]), Signature=\(words[3])",
                ], "\(vector)")
        }
    }

    /// RFC 7616 section 3.9.1.
    private static let challenge = """
        Basic realm="a, Digest x", Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, \
        nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        """

    @Test func `Digest answers a challenge as the example of its RFC does`() async throws {
        let transport = StubTransport { request, _ in
            request.value(forHTTPHeaderField: "Authorization") == nil
                ? (401, ["WWW-Authenticate": Self.challenge], "") : (200, [:], "")
        }
        let signer = DigestSigner(
            user: "Mufasa", password: "Circle of Life", cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
        let client = APIClient(baseURL: URL(string: "http://www.example.org")!) {
            $0.transport = transport
            $0.authorization = .signing(signer)
        }
        for _ in 1...2 { try await client.send(Route.get("dir/index.html").authorization(.required)) }
        let headers = transport.sent("Authorization")
        let sent = headers.map { header in
            (header ?? "").matches(of: #/(response|nc)="?(\w+)/#).map { String($0.2) }
        }
        let response = "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
        #expect(headers.first == .some(nil) && sent.map(\.first) == [nil, "00000001", "00000002"], "\(headers)")
        #expect(sent[1].last == response, "\(headers)")
    }

    @Test func `Digest asks once more for a stale nonce, and not for a wrong password`() async throws {
        let isStale = Locked(true)
        let transport = StubTransport { request, index in
            let stale = index > 0 && isStale.withLock { $0 } ? ", stale=true" : ""
            let answer = "Digest realm=\"r\", qop=\"auth\", algorithm=SHA-256, nonce=\"n\(index)\"\(stale)"
            return index == 4 ? (200, [:], "") : (401, ["WWW-Authenticate": answer], "")
        }
        let client = transport.client { $0.authorization = .signing(DigestSigner(user: "u", password: "p")) }
        // The first request, and its answer to the challenge, whose nonce is stale already.
        _ = try? await client.send(Route.get("x"))
        let first = transport.requests.count
        _ = try? await client.send(Route.get("x"))
        isStale.withLock { $0 = false }
        try await client.send(Route.get("x"))
        _ = try? await client.send(Route.get("x"))
        let nonces = transport.sent("Authorization").map { header in
            header?.firstMatch(of: #/nonce="(n\d)"/#).map { String($0.1) }
        }
        #expect(first == 2 && nonces == [nil, "n0", "n1", "n2", "n3", "n3"])
    }

    @Test func `Two hundred calls at once answer one Digest challenge`() async throws {
        let used = Locked<[String]>([])
        let transport = StubTransport { request, _ in
            await Task.yield()
            let header = request.value(forHTTPHeaderField: "Authorization")
            guard let count = header?.firstMatch(of: #/nc=(\w+)/#) else {
                return (401, ["WWW-Authenticate": Self.challenge], "")
            }
            used.withLock { $0.append(String(count.1)) }
            return (200, [:], "")
        }
        let client = transport.client { $0.authorization = .signing(DigestSigner(user: "u", password: "p")) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...200 { group.addTask { try await client.send(Route.get("x")) } }
            try await group.waitForAll()
        }
        #expect(Set(used.withLock { $0 }).count == 200)
    }

    // MARK: DPoP

    /// The claims of a proof, whose signature is checked.
    private static func claims(_ request: URLRequest) throws -> [String: String] {
        let parts = (request.value(forHTTPHeaderField: "DPoP") ?? "").split(separator: ".")
        try #require(parts.count == 3)
        func decoded(_ text: Substring) throws -> Data {
            let text = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
            return try #require(Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4)))
        }
        let signature = try P256.Signing.PrivateKey().signature(for: Data("\(parts[0]).\(parts[1])".utf8))
        let head = String(decoding: try decoded(parts[0]), as: UTF8.self)
        #expect(try decoded(parts[2]) == signature.rawRepresentation && head.contains("dpop+jwt"))
        let claims = try JSONSerialization.jsonObject(with: decoded(parts[1])) as? [String: Any]
        return (claims ?? [:]).mapValues { "\($0)" }
    }

    @Test func `DPoP proves the key to the token endpoint, and then to the API`() async throws {
        let used = Locked<Set<String>>([])
        let proofs = Proofs(key: P256.Signing.PrivateKey())
        let tokens = StubTransport { request, _ in
            let claims = try Self.claims(request)
            #expect(claims["ath"] == nil && used.withLock { $0.insert(claims["jti"] ?? "").inserted })
            return claims["nonce"] == "token-nonce"
                ? (200, [:], "new") : (400, ["DPoP-Nonce": "token-nonce"], #"{"error": "use_dpop_nonce"}"#)
        }
        let api = StubTransport { request, index in
            let claims = try Self.claims(request)
            let isNew = used.withLock { $0.insert(claims["jti"] ?? "").inserted }
            #expect(isNew && claims["htm"] == "GET" && claims["htu"] == "https://api.example.com/me", "\(claims)")
            guard claims["nonce"] == "api-nonce" else {
                let reason: HTTPHeaders = [
                    "DPoP-Nonce": "api-nonce", "WWW-Authenticate": "DPoP error=\"use_dpop_nonce\"",
                ]
                return (401, reason, "")
            }
            let token = request.value(forHTTPHeaderField: "Authorization") ?? ""
            let hash = Data(SHA256.hash(data: Data(token.dropFirst(5).utf8))).base64EncodedString()
                .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            #expect(claims["ath"].map { "\($0)=" } == hash)
            return (token == "DPoP new" ? 200 : 401, [:], "")
        }
        let server = APIClient(baseURL: URL(string: "https://auth.example.com")!) {
            $0.transport = tokens
            $0.authorization = .signing(proofs)
        }
        let store = InMemoryCredentialStore("old")
        var configuration = APIClient.Configuration()
        configuration.transport = api
        configuration.authorization = .combined(
            .refreshing(store, scheme: "DPoP") { _ in
                try await server.send(Route.post("token"), as: String.self)
            },
            .signing(proofs))
        let client = APIClient(baseURL: URL(string: "https://api.example.com")!, configuration)
        try await client.send(Route.get("me").query(["page": 1]))
        #expect(tokens.requests.count == 2 && store.token() == "new")
        #expect(api.sent("Authorization") == ["DPoP old", "DPoP old", "DPoP new"])
    }
}

/// The samples that are compiled and not run.
private nonisolated func samples(
    _ configuration: inout APIClient.Configuration, _ key: SymmetricKey, _ password: String, _ id: String,
    _ secret: String
) {
    configuration.authorization = .signing(
        SharedSecret(id: "app", key: key))

    configuration.authorization = .signing(
        DigestSigner(user: "octocat", password: password))

    configuration.authorization = .signing(
        AWSSigner(
            id: id, secret: secret, region: "eu-west-1", service: "s3"))
}

private nonisolated func samples(
    _ configuration: inout APIClient.Configuration, _ key: P256.Signing.PrivateKey, _ authURL: URL,
    _ store: InMemoryCredentialStore
) {
    let proofs = Proofs(key: key)
    let server = APIClient(baseURL: authURL) {
        $0.authorization = .signing(proofs)
    }
    configuration.authorization = .combined(
        .refreshing(store, scheme: "DPoP") { _ in
            try await server.send(Route.post("token"), as: String.self)
        },
        .signing(proofs))
}
