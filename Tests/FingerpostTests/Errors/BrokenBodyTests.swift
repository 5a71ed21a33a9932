import CallSupport
import FingerpostTransfers

@testable import Fingerpost

/// Bodies that do not decode, or that are no JSON at all.
@Suite(.inTurn) struct BrokenBodyTests {
    private static let padding = String(repeating: "x", count: 1_200_000)

    private static func stream(_ text: String, _ type: String?) -> RequestBody {
        .stream(BodyStream(contentType: type) { InputStream(data: Data(text.utf8)) })
    }

    private static func nested(_ inside: String) -> String {
        String(repeating: "[", count: 600) + inside + String(repeating: "]", count: 600)
    }

    private enum Kind: String, Decodable, Sendable { case a }

    /// Bodies of requests that have no secret.
    private static let harmless: [RequestBody] = [
        .data(Data(padding.utf8), contentType: "image/png"),
        .data(Data(padding.utf8), contentType: "application/octet-stream"),
        .data(Data(#"{"image": "\#(padding)", "name": "octocat"}"#.utf8), contentType: "application/json"),
        .data(Data("name=octocat&image=\(padding)".utf8), contentType: "application/x-www-form-urlencoded"),
        .data(Data(nested(#"{"name": "octocat"}"#).utf8), contentType: "application/json"),
        .data(Data("{broken".utf8), contentType: "application/json"),
        .json(["text": "{name} has a new password: see below"]), stream("abc", "application/octet-stream"),
        .multipart(MultipartForm().field("name", "octocat").data("image", Data(padding.utf8))),
    ]

    @Test func `A large body without secrets hides nothing`() async throws {
        let client = StubTransport(422, [:], #"{"message": "the name is too short"}"#).client()
        for (index, body) in Self.harmless.enumerated() {
            let error = try await failure { try await client.send(Route.post("x").body(body)) }
            #expect(error.serverMessage == "the name is too short", "\(index)")
        }
    }

    /// What a login, a refresh or a registration may answer. The token is `tok-12345`.
    private static let answers: [(type: String, body: String)] = [
        ("application/json", #"{"access_token": "tok-12345", "token_type": 1, "expires_in": "x"}"#),
        ("application/json", #"{"user": {"id": "x", "sessions": [{"refreshToken": "tok-12345"}]}, "kind": 1}"#),
        ("application/json", #"{"kind": "b", "login": {"a": {"secret": ["tok-12345"]}}}"#),
        ("application/json", #"{"access_token": ["tok-12345"], "a"#),
        ("application/json", #"{"access_token": ["tok-12345"]} and more"#),
        ("application/json", #"{"access_token": "tok-12345"#),
        ("application/json", #"{'access_token': 'tok-12345', "#), ("application/json", #"{access_token: tok-12345}"#),
        ("application/problem+json", nested(#"{"access_token": "tok-12345"}"#)),
        ("text/plain", #"{"refresh": 1, "refresh_token": ["tok-12345"], "#),
        ("text/plain", #"{"token": {"value": "tok-12345", "id": 1"#),
        ("application/json", #"{"access_token": "tok-12345", "x": "\#(padding)"}"#),
        ("application/x-www-form-urlencoded", "access_token=tok-12345&scope=repo&token_type=bearer"),
        ("text/html", "<html><body>Your password=tok-12345 and <a href='/in?code=tok-12345'>more</a></body></html>"),
        ("text/html", #"<script>session = {"accessToken":"tok-12345","user":{"id":1}}</script>"#),
        ("text/plain", "password: tok-12345"), ("text/plain", "Authorization: Bearer tok-12345"),
        ("text/plain", "go to https://u:tok-12345@h.example/?api_key=tok-12345"),
        ("text/plain", "client_secret=tok-12345"), ("text/xml", "<Message>the api_key=tok-12345 is new</Message>"),
    ]

    @Test(arguments: answers.indices, [200, 500])
    func `An answer that does not decode shows nothing named like a secret`(index: Int, status: Int) async throws {
        let (type, body) = Self.answers[index]
        let client = StubTransport(status, [.contentType: type], body).client()
        let error = try await failure { _ = try await client.send(Route.post("login"), as: [String: Kind].self) }
        var text = "\(error)\n\(String(reflecting: error)) \(error.localizedDescription)"
        dump(error, to: &text)
        let response = try await StubTransport(200, [.contentType: type], body).client().response(
            for: Route.get("x"), as: String.self)
        dump(response, to: &text)
        #expect(!text.contains("tok-12345"), "\(text)")
    }
}
