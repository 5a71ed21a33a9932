import CallSupport
import FingerpostStreams
import FingerpostTransfers

@testable import FingerpostTesting

/// What recordings leave out: bodies that could not be searched, and credentials inside addresses and cookies.
@Suite(.inTurn) struct RecordedSecretsTests {
    private static let padding = String(repeating: "x", count: 1_200_000)

    private static func studio(
        _ type: String, _ body: String, _ headers: [(String, String)] = [],
        configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) throws -> RecorderFixture {
        try RecorderFixture(
            handler: { _, connection in
                let lines = headers.map { "\($0): \($1)\r\n" }.joined()
                connection.write(
                    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: \(type)\r\n\(lines)"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
                connection.close()
            }, configure: configure)
    }

    private static func nested(_ inside: String) -> String {
        String(repeating: "[", count: 600) + inside + String(repeating: "]", count: 600)
    }

    private static let unsearchable: [(type: String, body: String)] = [
        ("application/json", nested(#"{"access_token": "tok-12345"}"#)),
        ("application/json", #"{"access_token": "tok-12345", "a": "#),
        ("application/json", #"{"access_token": "tok-1"} trailing"#),
        ("application/vnd.api+json", #"{"a": {"client_secret" : {"value": "tok-1"}}"#),
        ("text/plain", #"[{"access_token": ["tok-12345"]}, "#),
        ("text/plain", "go to https://h.example/x?sid=tok-1&a=2\n"),
        ("text/html", "<a href='https://u:tok-2@h.example'>x</a>"),
        ("text/html", "<p>ghp_0123456789abcdefghijABCDEFGHIJ012345</p>"), ("text/csv", "a,sent-1/23\nb,c\n"),
        ("text/csv", "c2VudC0xLzIz"), ("application/json", "{\\u0061ccess_token: 'tok-1', "),
    ]

    @Test(arguments: unsearchable) func `Text that cannot be read is not written if it contains a secret`(
        type: String, body: String
    ) async throws {
        let studio = try Self.studio(type, body) { $0.authorization = .bearer("sent-1/23") }
        #expect(try await studio.client.data(for: RecorderFixture.API.page) == Data(body.utf8))
        #expect(
            studio.lines() == [
                "not written: the answer to GET /page: the body is neither JSON nor a form nor a stream and contains a "
                    + "secret, which cannot be removed"
            ])
        #expect(try studio.files() == [:])
    }

    /// Bodies of requests with the password `hunter-22`, and why the answer is not recorded.
    private static let requests: [(RequestBody, reason: String)] = [
        (
            .data(Data(count: Recording.largestSearched + 1), contentType: "application/json"),
            "of 8388609 bytes is too large to be searched"
        ),
        (
            .stream(
                BodyStream(contentType: "application/json") {
                    InputStream(data: Data(#"{"password": "hunter-22"}"#.utf8))
                }), "is a stream"
        ),
    ]

    @Test(arguments: requests.indices)
    func `An answer that may repeat a request that was not searched is not written`(index: Int) async throws {
        let (body, reason) = Self.requests[index]
        let studio = try Self.studio("application/json", #"{"echo": "hunter-22"}"#)
        _ = try await studio.client.data(for: Route.post("page").body(body).mock("page"))
        #expect(studio.lines().count == 1)
        #expect(studio.lines()[0].hasPrefix("not written: the answer to POST /page: the request's body"))
        #expect(studio.lines()[0].contains(reason), "\(studio.lines())")
        #expect(try studio.files() == [:])
    }

    @Test func `The password of a large form is removed`() async throws {
        let studio = try Self.studio("application/json", #"{"echo": "hunter-22"}"#)
        let form = MultipartForm().field("password", "hunter-22").data("image", Data(Self.padding.utf8))
        _ = try await studio.client.data(for: Route.post("page").multipart(form).mock("page"))
        #expect(try studio.files()["page.json"] == #"{"echo": "<redacted>"}"#)
    }

    /// The media type, the body, and the recorded body.
    private static let addresses: [(type: String, body: String, recorded: String)] = [
        (
            "application/json",
            """
            {"a": "https://h.example/x?page=2&access_token=tok-1", "b": "https://u:tok-2@h.example/x",
            "c": "see https://b.example/k?X-Amz-Signature=tok-3&X-Amz-Date=4.", "d": "/cb?state=1&access_token=tok-5",
            "e": "https://h.example/?to=https%3A%2F%2Fa.example%2F%3Faccess_token%3Dtok-6",
            "f": "https://h.example/?a=7", "g": "https://h.example/cb#access_token=tok-8", "h": "the password: tokenless word"}
            """,
            """
            {"a": "https://h.example/x?page=2&access_token=<redacted>", "b": "https://<redacted>@h.example/x",
            "c": "see https://b.example/k?X-Amz-Signature=<redacted>&X-Amz-Date=4.", "d": "/cb?state=1&access_token=<redacted>",
            "e": "https://h.example/?to=<redacted>",
            "f": "https://h.example/?a=7", "g": "https://h.example/cb#access_token=<redacted>", "h": "the password: tokenless word"}
            """
        )
    ]

    @Test(arguments: addresses.indices) func `Credentials inside addresses are removed`(index: Int) async throws {
        let (type, body, recorded) = Self.addresses[index]
        let studio = try Self.studio(type, body)
        _ = try await studio.client.data(for: RecorderFixture.API.page)
        let name = "page.json"
        #expect(try studio.files()[name] == recorded, "\(studio.lines())")
        #expect(studio.lines().contains { $0.hasPrefix("redacted Mocks/\(name)") })
    }

    @Test func `An address escaped inside a Location, and a decoded cookie, are removed`() async throws {
        let studio = try Self.studio(
            "application/json", #"{"cookie": "cookie/value=1", "again": "token-12345"}"#,
            [
                ("Set-Cookie", "sid=cookie%2Fvalue%3D1; Path=/"),
                ("Link", "</x?to=%2Fy%3Ftoken%3Dlnk&page=2>; rel=next"),
                ("Location", "/in?page=2&to=https%3A%2F%2Fa.example%2F%3Faccess_token%3Dtoken-12345"),
            ])
        _ = try await studio.client.data(for: RecorderFixture.API.page)
        let files = try studio.files()
        #expect(files["page.json"] == #"{"cookie": "<redacted>", "again": "<redacted>"}"#)
        let settings = try #require(files["page.mock.json"])
        #expect(settings.contains(#""Location" : "/in?page=2&to=<redacted>""#), "\(settings)")
        #expect(settings.contains(#""Link" : "</x?to=<redacted>&page=2>; rel=next""#), "\(settings)")
    }

    private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0T"
    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    /// Answers to a call with the token `sent-1/23`: the media type, headers, the body, what no file contains, and what
    /// the body that is written contains; nil if none is.
    private static let answers:
        [(type: String, headers: [(String, String)], body: String, hidden: [String], shown: String?)] = [
            (
                "application/json", [],
                #"{"token": "login-12", "user": {"tokens": ["list-1", {"access": "list-2"}], "name": "Ann"}, "m": "hi login-12"}"#,
                ["login-12", "list-1", "list-2"], #""name": "Ann""#
            ),
            (
                "application/json", [], #"{"credentials": {"key": "abc123", "kind": "oauth"}, "secret": [["x-y"]]}"#,
                ["abc123", "x-y"], #""kind": "oauth""#
            ),
            (
                "application/json", [("Set-Cookie", "sid=ck%2F1%3D2345; Path=/")],
                #"{"a": "ck/1=2345", "b": "ck%2f1%3d2345", "c": "ck\/1=2345"}"#, ["2345"], "<redacted>"
            ),
            (
                "application/json", [("Link", "</x?page=2&access_token=link-12345>; rel=next")],
                #"{"next": "/x?page=2&access_token=link-12345", "m": "at link-12345"}"#, ["link-12345"], "page=2&"
            ),
            ("application/json", [], #"{"m": "take \#(jwt), please"}"#, [jwt, "dozjgNry"], "take <redacted>, please"),
            ("application/json", [], "\"sent-1/23\"", ["sent-1"], "<redacted>"),
            (
                "application/json", [],
                #"{"a": "\#(base64("sent-1/23"))", "b": "\#(base64("ann:sent-1/23"))", "c": "{\"e\":\"sent-1\\/23\"}"}"#,
                ["sent-1", base64("sent-1/23"), base64("ann:sent-1/23")], "<redacted>"
            ),
            (
                "application/json", [],
                #"{"a": "https://h.example/?sig=a,b(c)&p=1#access_token=fr,ag", "b": "//u:pw-1@h.example/x?to=%2Fy%3Ftoken%3Dt-1"}"#,
                ["a,b(c)", "fr,ag", "b(c)", ",ag", "pw-1", "t-1"], "&p=1#access_token=<redacted>"
            ),
            ("application/json", [], #"{"sent-1%2F23": 1}"#, ["sent-1"], nil),
            (
                "application/x-ndjson", [], "{\"a\":1}\n{\"e\":\"sent-1/23\"}\n{\"api_key\":\"k-1\"}\nsent-1%2F23\n",
                ["sent-1", "k-1"], "{\"a\":1}\n{\"e\":\"<redacted>\"}\n"
            ),
            (
                "text/event-stream", [],
                "id: sent-1/23\ndata: {\"token\":\ndata: \"tok-1\",\ndata: \"n\": \"sent-1/23\"}\n\ndata: a sent-1/23\ndata: b\n\n",
                ["sent-1", "tok-1"], "data: a <redacted>\ndata: b\n\n"
            ),
            (
                "text/event-stream", [],
                "data: -----BEGIN PRIVATE KEY-----\ndata: MIIEvQIBADANBgkqhkiG\n\n", ["MIIEvQIBADANBgkqhkiG"], nil
            ),
            (
                "application/x-www-form-urlencoded", [], "access_token=a,b'c%2Bd#e&x=sent-1%2F23&y=2",
                ["a,b", "'c", "#e", "sent-1"], "&x=<redacted>&y=2"
            ),
            ("text/html", [], "<p>You sent <b>sent-1/23</b></p>", ["sent-1"], nil),
            (
                "application/x-www-form-urlencoded", [], "id=\(jwt)&y=2", ["dozjgNry"], "id=<redacted>&y=2"
            ),
            (
                "application/json", [], #"{"m": "It is \#(jwt). Keep it.", "n": "x%3D\#(jwt)"}"#, ["dozjgNry"],
                "It is <redacted>"
            ),
            (
                "application/json",
                [("Location", "//u:lo-12345@h.example/x#part"), ("Link", "<//u:lk-12345@h.example/x>; rel=next")],
                "{}", ["lo-12345", "lk-12345"], "#part"
            ),
            ("application/json", [], #"{"https://h.example/?access_token=key-12345": 1}"#, ["key-12345"], nil),
            (
                "application/json", [], #"{"otps": ["12-ab"], "tokenExpiryDate": "2026-01-01", "cost_per_token": 3}"#,
                ["12-ab"], #""tokenExpiryDate": "2026-01-01", "cost_per_token": 3"#
            ),
            (
                "application/json", [], #"{"m": "{\"tokens\":[\"nj-2\"],\"csrf\":\"nj-3\",\"a\":\"b\"}"}"#,
                ["nj-2", "nj-3"],
                #"\"a\":\"b\""#
            ),
            ("text/html", [], "<p>Hello</p>", [], "<p>Hello</p>"),
            ("text/plain", [], String("you sent sent-1/23".flatMap { "\($0)\0" }), ["s\0e\0n\0t\0-"], nil),
            ("application/octet-stream", [], String("sent-1/23".flatMap { "\0\($0)" }), ["s\0e\0n\0t\0-"], nil),
            ("application/x-www-form-urlencoded", [], String("token=abc".flatMap { "\($0)\0" }), ["a\0b"], nil),
        ]

    @Test(arguments: answers.indices) func `No file contains a secret of an answer`(index: Int) async throws {
        let (type, headers, body, hidden, shown) = Self.answers[index]
        let studio = try Self.studio(type, body, headers) { $0.authorization = .bearer("sent-1/23") }
        _ = try await studio.client.data(for: RecorderFixture.API.page)
        let files = try studio.files()
        for (name, text) in files {
            for secret in hidden { #expect(!text.contains(secret), "\(name) contains \(secret): \(text)") }
        }
        #expect(files.isEmpty == (shown == nil), "\(files) \(studio.lines())")
        if let shown { #expect(files.contains { $0.value.contains(shown) }, "\(files)") }
    }

    @Test func `A secret in the address of a route is no part of the settings`() async throws {
        let studio = try Self.studio("application/json", "{}")
        let route = Route.get("a;sid=ab/\(raw: Self.jwt)/b").mock("page")
        _ = try await studio.client.data(for: route)
        let settings = try studio.files()["page.mock.json"] ?? ""
        #expect(settings.contains(#""for" : "GET /{secret}/{secret}/b""#), "\(settings)")
    }

    @Test func `An answer with more secrets than can be looked for is not written`() async throws {
        let tokens = (0..<4_000).map { #"{"token": "\#($0)-\#(String(repeating: "x", count: 40))"}"# }
        let studio = try Self.studio("application/json", "[\(tokens.joined(separator: ","))]")
        _ = try await studio.client.data(for: RecorderFixture.API.page)
        #expect(
            studio.lines() == ["not written: the answer to GET /page: the call has more secrets than can be looked for"]
        )
    }

    #if os(Linux)
        /// The names of the two folders have the same letters in other bytes.
        @Test func `A link to a folder with an equal name leads outside the folder`() async throws {
            let folder = try TemporaryFolder()
            // As keys of one dictionary, the names would be equal.
            for name in ["caf\u{E9}", "cafe\u{301}"] { try folder.write(Data(), to: "\(name)/a") }
            try FileManager.default.createSymbolicLink(
                at: folder["caf\u{E9}/users"], withDestinationURL: folder["cafe\u{301}"])
            let studio = try Self.studio("application/json", "{}")
            let recorder = try RecordingMiddleware(
                environment: nil, recorder: MockRecorder(folder: folder["caf\u{E9}"]), tell: { _ in }, variables: [:])
            let client = studio.client.with { $0.middleware = [recorder] }
            let error = try await failure { try await client.data(for: RecorderFixture.API.user(login: "a")) }
            #expect(error.message.contains("could lead outside the folder"), "\(recorder.lines)")
        }
    #endif
}
