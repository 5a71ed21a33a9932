import CallSupport

@testable import Fingerpost

/// The secrets that a call knows, in the texts of others.
@Suite(.inTurn) struct CallSecretsTests {
    private static func request(
        _ url: String = "https://api.example.com/x", _ headers: [String: String] = [:], body: String? = nil
    ) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.allHTTPHeaderFields = headers
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    private func hide(_ text: String, of request: URLRequest) -> String {
        CallSecrets(credentials: Redaction.credentials(of: request)).hide(text)
    }

    @Test func `A secret is hidden verbatim, percent-encoded, and with the escapes of JSON`() throws {
        let request = try Self.request(body: EchoedCredentials.passwordBody)
        for echo in EchoedCredentials.echoes { #expect(hide(echo.text, of: request) == echo.message) }
    }

    @Test func `Short credentials match whole words, long ones match anywhere`() throws {
        let request = try Self.request(body: EchoedCredentials.wordsBody)
        for echo in EchoedCredentials.words { #expect(hide(echo.text, of: request) == echo.message) }
    }

    @Test func `The credentials of a request are found in headers, URL and body`() throws {
        for sent in EchoedCredentials.requests {
            let request = try Self.request(sent.url, sent.headers, body: sent.body)
            #expect(hide(EchoedCredentials.answer, of: request) == sent.message, "\(sent)")
        }
    }

    /// Secrets, and texts before and after they are hidden.
    private static let texts: [(CallSecrets, [String: String])] = [
        (
            // Escapes of characters outside the basic plane are undone.
            CallSecrets(secrets: [("key", "a😀b-é")]),
            [
                #"x\ud83d\ude00 a\ud83d\ude00b-\u00e9."#: #"x\ud83d\ude00 <secret key>."#,
                #"x\uD83D\uDE00 a\uD83D\uDE00b-\u00E9."#: #"x\uD83D\uDE00 <secret key>."#,
                #"\ud83d a\ud83d"#: #"\ud83d a\ud83d"#,
            ]
        ),
        (
            CallSecrets(secrets: [("a", "secret"), ("b", "my secret key"), ("c", "key value")]),
            ["x secret y": "x <secret a> y", "my secret key": "<secret b>", "my secret key value.": "<secret b>."]
        ),
        // What stands for a secret is not searched.
        (CallSecrets(secrets: [("key", "redacted")], credentials: ["key-1234"]), ["key-1234": "<redacted>"]),
    ]

    @Test func `Overlapping and escaped secrets are hidden completely`() {
        for (secrets, texts) in Self.texts {
            for (text, shown) in texts { #expect(secrets.hide(text) == shown) }
        }
    }

    @Test func `The cookies of a response and the URL of its redirect are known, and what it issued`() {
        let headers: HTTPHeaders = [
            "Set-Cookie": "sid=cookie%2Fvalue%3D1; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=22222222",
            "Location": "https://h.example/in?code=code-1234&page=12345678", "X-Auth-Token": "tok-1234",
        ]
        let body = Data(#"{"access_token": "issued-1234", "errors": {"password": "is too short"}}"#.utf8)
        let secrets = CallSecrets(credentials: Redaction.credentials(of: headers), issued: Redaction.issued(in: body))
        #expect(
            secrets.hide("cookie/value=1 22222222 code-1234 12345678 tok-1234 issued-1234 is too short")
                == "<redacted> <redacted> <redacted> 12345678 <redacted> <redacted> is too short")
    }

    @Test func `A secret of an environment, of any type, is replaced by its key, and very short ones are not`() throws {
        let values: Parameters = [
            "$secrets": ["a.key", "pin", "list", "short", "flag"], "a": ["key": "abcd1234"], "pin": 90125,
            "list": ["first-one", "second-one"], "short": "abc", "flag": true,
        ]
        let secrets = CallSecrets(try Environment("Live", values: values))
        let texts = [
            "no secret here": "no secret here", "key=abcd1234&x": "key=<secret a.key>&x",
            "abcd1234abcd1234": "<secret a.key><secret a.key>", "ABCD1234": "ABCD1234", "": "",
            "é abcd1234 é": "é <secret a.key> é",
            "90125 first-one second-one abc true": "<secret pin> <secret list> <secret list> abc true",
        ]
        for (text, shown) in texts { #expect(secrets.hide(text) == shown) }
    }

    @Test(
        .heavy,
        arguments: [
            (String(repeating: "a", count: 20_000) + "b", "a"), (String(repeating: "ab", count: 10_000) + "b", "ab"),
        ])
    func `A secret that repeats itself is hidden in time`(secret: String, part: String) {
        let almost = String(repeating: part, count: 30_000)
        let shown = CallSecrets(secrets: [("key", secret)]).hide(almost + secret + "." + almost)
        let repeated = CallSecrets(secrets: [("key", String(repeating: part, count: 10_000))]).hide(almost + ".")
        // Without texts, which are too long for a report.
        #expect((shown == almost + "<secret key>." + almost, repeated) == (true, "<secret key>."))
    }

    @Test(.heavy) func `A thousand cookies are all hidden`() throws {
        let cookies = (1000..<2000).map { "c\($0)=cookie-\($0)" }
        let request = try Self.request("https://api.example.com/x", ["Cookie": cookies.joined(separator: "; ")])
        let text = (1000..<2000).map { "cookie-\($0) no-cookie-\($0 + 1000)" }.joined(separator: "\n")
        let expected = (1000..<2000).map { "<redacted> no-cookie-\($0 + 1000)" }.joined(separator: "\n")
        #expect(hide(text, of: request) == expected)
    }

    /// A server decides how many tokens an answer has, and how long its message is.
    @Test(.heavy) func `The first 200 tokens of an answer are hidden in its message`() async throws {
        let tokens = (0..<2_000).map { "aaaaaaab\(100_000 + $0)" }
        let first = tokens.prefix(200).joined(separator: " ")
        let items = tokens.map { #"{"token": "\#($0)"}"# }.joined(separator: ",")
        let padding = String(repeating: "a", count: 40_000)
        let body = #"{"message": "\#(first) sent-1234 declared-1 \#(padding)", "t": [\#(items)]}"#
        let environment = try Environment("Live", values: ["$secrets": ["key"], "key": "declared-1"])
        let client = StubTransport(422, [:], body).client { $0.environment = environment }
        let route = Route.get("x").header("X-Api-Key", "sent-1234")
        let hidden = Array(repeating: "<redacted>", count: 201).joined(separator: " ") + " <secret key> a"
        let message = try #require(try await failure { try await client.send(route) }.serverMessage)
        #expect(message.hasPrefix(hidden) && message.hasSuffix("a…") && message.utf8.count == 4096 + "…".utf8.count)
    }

    @Test func `A value is hidden whole if only its start is known`() {
        let secrets = CallSecrets(credentials: ["sent1234567"])
        #expect(
            secrets.shown("token=sent1234567.TAIL9 password: \"sent1234567-TAIL9\" token=sent1234567. Next")
                == "token=<redacted> password: \"<redacted>\" token=<redacted>. Next")
    }

    /// Each of these characters has several escapes.
    @Test(.heavy) func `Long values of special characters are found as they are`() {
        let values = (0..<50).map { "\($0)" + String(repeating: "+/<>&'!*~é$,;:@?=()-._|^`{}", count: 130) }
        let secrets = CallSecrets(credentials: values)
        for value in values { #expect(secrets.hide("a \(value) b") == "a <redacted> b") }
    }

    /// A message is searched up to twice what is shown of it.
    @Test(arguments: ["sent-\"1234567890", "sent-%221234567890", "sent-\\u00221234567890"])
    func `A secret at the end of what is searched is hidden whole`(sent: String) {
        let secrets = CallSecrets(credentials: ["sent-\"1234567890", String(repeating: "k", count: 1_000)])
        for place in [8191, 8192, 8188, 8176] {
            // Hidden parts make the text so short that its end is shown.
            let keys = String(repeating: String(repeating: "k", count: 1_000) + " ", count: 8)
            let message = secrets.message(
                keys + String(repeating: "é", count: (place - keys.utf8.count) / 2) + sent + sent)
            let isHidden = message.hasPrefix("<redacted> ") && !message.contains("sent-")
            #expect(isHidden && !message.contains("\u{FFFD}") && message.utf8.count < 400, "\(place): \(message)")
        }
    }

    /// A piece of a message, and the end of what is shown of it.
    private static let cuts = [
        (4090, "sent-1234567890", "<reda…"),
        (4085, "token=\(String(repeating: "S", count: 10_000)) more", "token=<red…"),
    ]

    @Test func `A message is hidden before it is cut, and a value with a name up to the cut`() async throws {
        for (count, piece, shown) in Self.cuts {
            let padding = String(repeating: "x", count: count)
            let client = StubTransport(422, [:], #"{"message": "\#(padding) \#(piece)"}"#).client()
            let route = Route.get("x").header("X-Api-Key", "sent-1234567890")
            let error = try await failure { try await client.send(route) }
            #expect(error.serverMessage == "\(padding) \(shown)")
        }
    }

    /// The attempt, the error and the log of a call ask for its secrets.
    @Test func `A call hides the secrets of the request that was built last`() throws {
        let record = CallRecord(Route.get("x"), nil, observers: [], values: nil)
        var shown: [String] = []
        for key in ["first-1234", "second-1234"] {
            record.built(try Self.request("https://api.example.com/x", ["X-Api-Key": key]))
            shown.append(record.secrets.hide("first-1234 second-1234"))
        }
        #expect(shown == ["<redacted> second-1234", "first-1234 <redacted>"])
    }

    @Test(.heavy, arguments: [1_000_000, 1_100_000])
    func `Responses of up to 1 MiB are searched for a message`(size: Int) async throws {
        struct Item: Decodable, Sendable { var id: Int }
        let isSearched = size < 1 << 20
        let padding = String(repeating: "x", count: size)
        let body = #"{"items": [{"id": "none"}], "message": "no", "x": "\#(padding)"}"#
        let failed = StubTransport(500, [:], body).client()
        let refusal = try await failure(.status(500)) { try await failed.send(Route.get("x")) }
        let undecodable = StubTransport(200, [:], body).client()
        let error = try await failure(.decoding) {
            try await undecodable.send(Route.get("x"), as: [String: [Item]].self)
        }
        #expect(
            (refusal.serverMessage, error.codingPath?.isEmpty, error.fragment != nil)
                == (isSearched ? "no" : nil, false, isSearched))
    }
}
