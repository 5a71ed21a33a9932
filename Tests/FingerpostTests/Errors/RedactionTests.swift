import CallSupport
import FingerpostFiles
import FingerpostMocks
import Foundation
import TestSupport
import Testing

@testable import Fingerpost

@Suite(.inTurn) struct RedactionTests {
    @Test(arguments: SensitiveNameTests.credentials)
    func `The values of sensitive query items are redacted`(_ name: String) {
        #expect(Redaction.url("https://h.example/x?\(name)=abc&a=1") == "https://h.example/x?\(name)=<redacted>&a=1")
    }

    @Test(arguments: [
        ("https://h.example/cart;jsessionid=abc/x?a=1", "https://h.example/cart;jsessionid=<redacted>/x?a=1"),
        ("/cart;v=2;token=abc", "/cart;v=2;token=<redacted>"), ("/a;b/c?", "/a;b/c?"),
        ("/a?x=1?y&token=a?b", "/a?x=1?y&token=<redacted>"), ("", ""),
        ("/a?page=2&q?token=abc", "/a?page=2&q?token=<redacted>"),
        ("/a;%74oken=b?api%5Fkey=abc&a%5Fb=c", "/a;%74oken=<redacted>?api%5Fkey=<redacted>&a%5Fb=c"),
        ("/a?to=https%3A%2F%2Fh.example%3Fb%3Ftoken%3Dabc", "/a?to=<redacted>"),
        (
            "https://a:b@h.example/c/http://d:e@i.example/f",
            "https://<redacted>@h.example/c/http://<redacted>@i.example/f"
        ),
    ])
    func `The values of sensitive path parameters are redacted`(url: String, shown: String) {
        #expect(Redaction.url(url) == shown)
    }

    /// Swift joins each of these with a delimiter beside it to one `Character`.
    @Test(arguments: ["\u{301}", "\u{600}", "\u{200D}"])
    func `Delimiters beside joining characters are found`(joiner: String) {
        let secret = "\(joiner)s3cr3t-value\(joiner)"
        for url in [
            "https://user:\(secret)@h.example/x", "https://h.example/x?token=\(secret)&y=1",
            "https://h.example/x;token=\(secret)/y", "https://h.example/x\(joiner)?\(joiner)=1&token=\(secret)#z",
        ] {
            #expect(!Redaction.url(url).contains("s3cr3t"), "\(Redaction.url(url))")
            #expect(Redaction.credentials(inURL: url).contains { $0.contains("s3cr3t") }, "\(url)")
        }
        let cookies = Redaction.credentials(inHeader: "a=b;sid=\(secret)", named: .cookie)
        #expect(cookies.contains(secret))
        #expect(Redaction.credentials(inHeader: "Digest response=\"\(secret)\"").contains(secret))
        #expect(SensitiveName.isSensitive("password\(joiner)"))
    }

    @Test(.heavy) func `A URL escaped inside a URL is not shown with its credentials`() {
        let url = "https://h.example/in?page=2&to=https%3A%2F%2Fa.example%2F%3Fcode%3Dabc&plain=a%3Db%23c"
        #expect(Redaction.url(url) == "https://h.example/in?page=2&to=<redacted>&plain=a%3Db%23c")
        let deep = "https://h.example/?a=" + String(repeating: "a=", count: 200_000)
        #expect(Redaction.url(deep) == deep)
    }

    // MARK: Mirrors

    private static let secrets = ["bearer-token-1", "query-token-2", "cookie-token-3"]

    private static func dumped(_ value: some Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text + "\n" + String(reflecting: value)
    }

    @Test func `No mirror shows a credential`() async throws {
        let transport = StubTransport { _, index in
            (index == 0 ? 200 : 500, ["Set-Cookie": "sid=cookie-token-3"], index == 0 ? #""fine""# : "cookie-token-3")
        }
        let client = transport.client { $0.authorization = .bearer("bearer-token-1") }
        let route = Route.get("x").query("token", "query-token-2")
        let scope = APIScope(network: .live)
        let (response, error) = try await scope.run {
            let response = try await client.response(for: route, as: String.self)
            return (response, await #expect(throws: APIError.self) { try await client.send(route) })
        }
        let calls = scope.calls
        #expect(calls.count == 2)
        #expect(calls.allSatisfy { $0.request?.value(forHTTPHeaderField: "Authorization") == "Bearer bearer-token-1" })
        for text in [Self.dumped(response), Self.dumped(try #require(error)), Self.dumped(calls)] {
            for secret in Self.secrets { #expect(!text.contains(secret), "\(secret) in \(text)") }
            #expect(text.contains("GET https://api.example.com/x?token=<redacted>"), "\(text)")
        }
        for text in [Self.dumped(route), Self.dumped(response.headers)] {
            for secret in Self.secrets { #expect(!text.contains(secret), "\(secret) in \(text)") }
        }
        #expect(Self.dumped(route).contains("GET x"))
        #expect(Self.dumped(response.headers).contains("Set-Cookie"))
        #expect(Self.dumped(response).contains("6 bytes") && !Self.dumped(response).contains("fine"))
        #expect(Self.dumped(try #require(error)).contains("14 bytes"))
    }
}
