import CallSupport
import FingerpostMocks

@testable import Fingerpost

@Suite(.inTurn) struct RedactionTests {
    /// URLs, and how they are shown.
    private static let urls = [
        "https://h.example/cart;jsessionid=abc/x?a=1": "https://h.example/cart;jsessionid=<redacted>/x?a=1",
        "/cart;v=2;token=abc": "/cart;v=2;token=<redacted>", "/a;b/c?": "/a;b/c?",
        "/a?x=1?y&token=a?b": "/a?x=1?y&token=<redacted>", "": "",
        "/a?page=2&q?token=abc": "/a?page=2&q?token=<redacted>",
        "/a?page%3Ftoken=abc": "/a?page%3Ftoken=<redacted>", "/a?page%5Ftoken=abc": "/a?page%5Ftoken=abc",
        "/a;%74oken=b?api%5Fkey=abc&a%5Fb=c": "/a;%74oken=<redacted>?api%5Fkey=<redacted>&a%5Fb=c",
        "/a?to=https%3A%2F%2Fh.example%3Fb%3Ftoken%3Dabc": "/a?to=<redacted>",
        "https://h.example/in?page=2&to=https%3A%2F%2Fa.example%2F%3Fcode%3Dabc&plain=a%3Db%23c":
            "https://h.example/in?page=2&to=<redacted>&plain=a%3Db%23c",
        "https://a:b@h.example/c/http://d:e@i.example/f":
            "https://<redacted>@h.example/c/http://<redacted>@i.example/f",
    ]

    @Test(.heavy) func `Credentials in a URL are not shown, also in a URL that is escaped inside it`() {
        for (url, shown) in Self.urls { #expect(Redaction.url(url) == shown) }
        let deep = "https://h.example/?a=" + String(repeating: "a=", count: 50_000)
        #expect(Redaction.url(deep) == deep)
    }

    /// Swift joins each of these with a delimiter beside it to one `Character`.
    @Test(arguments: ["\u{301}", "\u{600}", "\u{200D}"])
    func `Delimiters beside joining characters are found`(joiner: String) {
        let secret = "\(joiner)s3cr3t-value\(joiner)"
        for url in [
            "https://user:\(secret)@h.example/x", "https://h.example/x?token=\(secret)&y=1",
            "https://h.example/x;token=\(secret)/y", "https://h.example/x\(joiner)?\(joiner)=1&token=\(secret)#z",
        ] {
            let isKnown = Redaction.credentials(inURL: url).contains { $0.contains("s3cr3t") }
            #expect(isKnown && !Redaction.url(url).contains("s3cr3t"), "\(url): \(Redaction.url(url))")
        }
        let found = [
            Redaction.credentials(inHeader: "a=b;sid=\(secret)", named: .cookie),
            Redaction.credentials(inHeader: "Digest response=\"\(secret)\""),
        ]
        let isSensitive = SensitiveName.isSensitive("password\(joiner)")
        #expect((found.map { $0.contains(secret) }, isSensitive) == ([true, true], true))
    }

    // MARK: Mirrors

    private static func dumped(_ value: some Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text + "\n" + String(reflecting: value)
    }

    @Test func `A mirror shows requests without credentials, and the sizes of bodies`() async throws {
        let transport = StubTransport { _, index in (index == 0 ? 200 : 500, ["Set-Cookie": "sid=1"], #""fine""#) }
        let client = transport.client()
        let route = Route.get("x").query("token", "query-token-2")
        let response = try await client.response(for: route, as: String.self)
        var error = try await failure { try await client.send(route) }
        // The message is shown, but not the body.
        error.details.serverMessage = nil
        let parts = ["GET https://api.example.com/x?token=<redacted>", "6 bytes", "query-token-2", "fine"]
        for text in [Self.dumped(response), Self.dumped(error)] {
            #expect(parts.filter { text.contains($0) } == Array(parts.prefix(2)), "\(text)")
        }
        #expect(Self.dumped(route).contains("GET x") && Self.dumped(response.headers).contains("Set-Cookie"))
    }
}
