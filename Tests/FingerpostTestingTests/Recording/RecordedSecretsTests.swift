import FingerpostStreams

@testable import FingerpostTesting

/// What recordings leave out: credentials, and bodies that could not be searched for them.
@Suite(.inTurn) struct RecordedSecretsTests {
    private static func studio(
        _ type: String, _ body: String, _ headers: [String: String] = [:],
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

    @Test func `Values with the names of secrets are hidden, and those with names that describe one are shown`()
        async throws
    {
        let hidden = ResponseNames.issued.enumerated().map { (name: $1, value: "sekret-\($0)-value") }
        let shown = ResponseNames.described.enumerated().map { (name: $1, value: "plain-\($0)-value") }
        let pairs = (hidden + shown).map { #""\#($0.name)": "\#($0.value)""# }.joined(separator: ", ")
        let studio = try Self.studio("application/json", "{\(pairs)}")
        _ = try await studio.client.data(for: RecorderFixture.API.page)
        let recording = try #require(try studio.files()["page.json"])
        let wrong = [(hidden, false), (shown, true)].flatMap { values, isShown in
            values.filter { !recording.contains($0.name) || recording.contains($0.value) != isShown }.map(\.name)
        }
        #expect(wrong == [])
    }

    private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0T"
    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    /// Answers to a call with the token `sent-1/23`: the media type and what the case is about, headers, the body that
    /// a server sent, the recorded one, if any, and lines of the settings. Without a recorded body, the line says why
    /// nothing is written, by default because it is ``unreadable``.
    private static let answers = WrittenCase.table(
        #"""
        application/json, tokens of a login, and one of them in a text
        sent = {"token": "login-12", "user": {"tokens": ["list-1", {"access": "list-2"}], "name": "Ann"}, "m": "hi login-12"}
        recorded = {"token": "<redacted>", "user": {"tokens": ["<redacted>", {"access": "<redacted>"}], "name": "Ann"}, "m": "hi <redacted>"}

        application/json, credentials in an object, and a secret in lists
        sent = {"credentials": {"key": "abc123", "kind": "oauth"}, "secret": [["x-y"]]}
        recorded = {"credentials": {"key": "<redacted>", "kind": "oauth"}, "secret": [["<redacted>"]]}

        application/json, names that describe tokens
        sent = {"otps": ["12-ab"], "tokenExpiryDate": "2026-01-01", "cost_per_token": 3, "max_tokens": 100, "next_page_token": "CiAKGjBp"}
        recorded = {"otps": ["<redacted>"], "tokenExpiryDate": "2026-01-01", "cost_per_token": 3, "max_tokens": 100, "next_page_token": "CiAKGjBp"}

        application/json, a device code, and JSON in a text
        sent = {"device_code":"d-1","user_code":"WDJB-MJHT","a":"{\"psk\":\"wifi-key-1\",\"tokens\":[\"nj-2\"],\"a\":\"b\"}"}
        recorded = {"device_code":"<redacted>","user_code":"<redacted>","a":"{\"psk\":\"<redacted>\",\"tokens\":[\"<redacted>\"],\"a\":\"b\"}"}

        application/json, markup in a text
        sent = {"a": "<x><apiKey>abcdefgh</apiKey></x>"}
        recorded = {"a": "<x><apiKey><redacted></apiKey></x>"}

        application/json, the key of a connection string in a field of its own
        sent = {"c": "Endpoint=sb://h.example/;SharedAccessKey=aBcD1234efGH", "primaryKey": "aBcD1234efGH"}
        recorded = {"c": "Endpoint=sb://h.example/;SharedAccessKey=redacted", "primaryKey": "<redacted>"}

        application/json, parts of a text that a tokenizer has made, and positions in a log
        sent = {"tokens": [15339, 1917], "pins": [4711], "nextForwardToken": "f/31132629274945"}
        recorded = {"tokens": [15339, 1917], "pins": [0], "nextForwardToken": "f/31132629274945"}

        application/json, the escapes of the value of a cookie
        Set-Cookie = sid=ck%2F1%3D2345; Path=/
        sent = {"a": "ck/1=2345", "b": "ck%2f1%3d2345", "c": "ck\/1=2345"}
        recorded = {"a": "<redacted>", "b": "<redacted>", "c": "<redacted>"}

        application/json, cookies, but not their attributes and literal values
        Set-Cookie = sid=cookie-1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, csrf=cookie-2; Path=/, consent=true, none=null
        sent = {"a": "cookie-1", "b": "cookie-2", "day": "Wed", "year": "2026", "ok": true, "x": null}
        recorded = {"a": "<redacted>", "b": "<redacted>", "day": "Wed", "year": "2026", "ok": true, "x": null}

        application/json, the address in a link
        Link = </x?page=2&access_token=link-12345>; rel=next
        sent = {"next": "/x?page=2&access_token=link-12345", "m": "at link-12345"}
        recorded = {"next": "/x?page=2&access_token=redacted", "m": "at <redacted>"}
        "Link" : "</x?page=2&access_token=redacted>; rel=next"

        application/json, addresses inside addresses of headers
        Link = </x?to=%2Fy%3Ftoken%3Dlnk&page=2>; rel=next
        Location = /in?page=2&to=https%3A%2F%2Fa.example%2F%3Faccess_token%3Dtoken-12345
        sent = {"again": "token-12345"}
        recorded = {"again": "<redacted>"}
        "Link" : "</x?to=redacted&page=2>; rel=next"
        "Location" : "/in?page=2&to=redacted"

        application/json, users in addresses of headers
        Location = //u:lo-12345@h.example/x#part
        Link = <//u:lk-12345@h.example/x>; rel=next
        sent = {}
        recorded = {}
        "Link" : "<//redacted@h.example/x>; rel=next"
        "Location" : "//redacted@h.example/x#part"

        application/json, a token that only its shape tells
        sent = {"m": "It is \#(jwt). Keep it.", "n": "x%3D\#(jwt)"}
        recorded = {"m": "It is <redacted>. Keep it.", "n": "x%3D<redacted>"}

        application/json, a text
        sent = "sent-1/23"
        recorded = "<redacted>"

        application/json, Base64 and escapes
        sent = {"a": "\#(base64("sent-1/23"))", "b": "\#(base64("ann:sent-1/23"))", "c": "{\"e\":\"sent-1\\/23\"}"}
        recorded = {"a": "<redacted>", "b": "YW5uOn<redacted>w==", "c": "{\"e\":\"<redacted>\"}"}

        application/json, parts of addresses
        sent = {"a": "https://h.example/?sig=a,b(c)&p=1#access_token=fr,ag", "b": "//u:pw-1@h.example/x?to=%2Fy%3Ftoken%3Dt-1"}
        recorded = {"a": "https://h.example/?sig=redacted&p=1#access_token=redacted", "b": "//redacted@h.example/x?to=redacted"}

        application/json, addresses
        sent = {"a": "https://h.example/x?page=2&access_token=tok-1", "b": "https://u:tok-2@h.example/x",
        ↵"c": "see https://b.example/k?X-Amz-Signature=tok-3&X-Amz-Date=4.", "d": "/cb?state=1&access_token=tok-5",
        ↵"e": "https://h.example/?to=https%3A%2F%2Fa.example%2F%3Faccess_token%3Dtok-6",
        ↵"f": "https://h.example/?a=7", "g": "https://h.example/cb#access_token=tok-8", "h": "the password: tokenless word"}
        recorded = {"a": "https://h.example/x?page=2&access_token=redacted", "b": "https://redacted@h.example/x",
        ↵"c": "see https://b.example/k?X-Amz-Signature=<redacted>&X-Amz-Date=4.", "d": "/cb?state=1&access_token=redacted",
        ↵"e": "https://h.example/?to=redacted",
        ↵"f": "https://h.example/?a=7", "g": "https://h.example/cb#access_token=redacted", "h": "the password: tokenless word"}

        application/json, a secret in a key
        sent = {"sent-1%2F23": 1}
        a key of the body contains a secret

        application/json, an address in a key
        sent = {"https://h.example/?access_token=key-12345": 1}
        a key of the body contains a secret

        application/json, nested too deeply
        sent = \#(String(repeating: "[", count: 600)){"access_token": "tok-12345"}\#(String(repeating: "]", count: 600))

        application/json, cut
        sent = {"access_token": "tok-12345", "a":

        application/json, with text after it
        sent = {"access_token": "tok-1"} trailing

        application/json, with NaN
        sent = {"access_token": "tok-1", "n": NaN}
        a JSONDecoder can read the body, but the search for secrets cannot

        application/json, with a comment
        sent = {"access_token": "tok-1", /* c */ "n": 1}
        a JSONDecoder can read the body, but the search for secrets cannot

        application/json, with an escape in a name
        sent = {\u0061ccess_token: 'tok-1',

        application/vnd.api+json, cut
        sent = {"a": {"client_secret" : {"value": "tok-1"}}

        application/x-ndjson, lines
        sent = {"a":1}↵{"e":"sent-1/23"}↵{"api_key":"k-1"}↵sent-1%2F23↵access_token=tok-12345↵{"name":"s3cret/value"}↵
        recorded = {"a":1}↵{"e":"<redacted>"}↵{"api_key":"<redacted>"}↵<redacted>↵access_token=<redacted>
        ↵{"name":"<secret key>"}↵

        text/event-stream, an identifier, and values of several lines
        sent = id: sent-1/23↵data: {"token":↵data: "tok-1",↵data: "n": "sent-1/23"}↵↵data: a sent-1/23↵data: b↵↵
        recorded = id: <redacted>↵data: {"token":↵data: "<redacted>",↵data: "n": "<redacted>"}↵↵data: a <redacted>
        ↵data: b↵↵

        text/event-stream, a comment
        sent = : wake up, access_token=tok-1234567890↵↵data: 1↵↵
        recorded = : wake up, access_token=<redacted>↵↵data: 1↵↵

        text/event-stream, names and values
        sent = data: signed in, password: hunter2-hunter2↵↵event: a↵data: access_token=tok-1234567890&b=1↵data: c↵
        ↵data: a Bearer abcdefgh12345678 b↵↵
        recorded = data: signed in, password: <redacted>↵↵event: a↵data: access_token=<redacted>&b=1↵data: c↵
        ↵data: a <redacted> b↵↵

        text/event-stream, a private key
        sent = data: -----BEGIN PRIVATE KEY-----↵data: MIIEvQIBADANBgkqhkiG↵↵
        an event of the body contains a secret over several lines

        application/x-www-form-urlencoded, values
        sent = access_token=a,b'c%2Bd#e&x=sent-1%2F23&y=2&id=\#(jwt)
        recorded = access_token=<redacted>&x=<redacted>&y=2&id=<redacted>

        application/x-www-form-urlencoded, NUL
        sent = t\#0o\#0k\#0e\#0n\#0=\#0a\#0b\#0c\#0
        the body is text in UTF-16 or UTF-32, which is not searched for secrets

        application/octet-stream, JSON
        sent = \#u{FEFF}{"clientSecret":"s"}
        recorded = \#u{FEFF}{"clientSecret":"<redacted>"}

        application/octet-stream, NUL
        sent = \#0s\#0e\#0n\#0t\#0-\#01\#0/\#02\#03

        text/plain, JSON
        sent = {"access_token": "tok-12345"}
        recorded = {"access_token": "<redacted>"}

        text/plain, what only begins as JSON does
        sent = [INFO] started
        recorded = [INFO] started

        text/plain, JavaScript
        sent = {access_token: 'tok-1'}
        a JSONDecoder can read the body, but the search for secrets cannot

        text/plain, JSON that is cut
        sent = [{"access_token": ["tok-12345"]},

        text/plain, an address
        sent = go to https://h.example/x?sid=tok-1&a=2↵

        text/html, an address
        sent = <a href='https://u:tok-2@h.example'>x</a>

        text/html, a token that only its shape tells
        sent = <p>ghp_0123456789abcdefghijABCDEFGHIJ012345</p>

        text/html, what was sent
        sent = <p>You sent <b>sent-1/23</b></p>

        text/csv, what was sent
        sent = a,sent-1/23↵b,c↵
        the body is neither JSON nor a form nor a stream and contains a secret, which cannot be removed from line 1; write page.csv by hand, with a made-up value

        text/yaml, a private key in Base64
        sent = users:↵  client-key-data: \#(base64("-----BEGIN EC PRIVATE KEY-----↵MHcCAQEEIIrYSSNQFaA2Hwf1duRSxKtLYX5CB04fSeQ6tF1aY"))↵
        the body is neither JSON nor a form nor a stream and contains a secret, which cannot be removed from line 2

        text/csv, Base64
        sent = c2VudC0xLzIz
        """#)

    private static let unreadable =
        "the body is neither JSON nor a form nor a stream and contains a secret, which cannot be removed"

    @Test(arguments: answers) func `No file contains a secret of an answer`(_ answer: WrittenCase) async throws {
        let type = String(answer.name.prefix { $0 != "," })
        var headers = answer.variables
        let (sent, recorded) = (headers.removeValue(forKey: "sent") ?? "", headers.removeValue(forKey: "recorded"))
        let studio = try Self.studio(type, sent, headers) { $0.authorization = .bearer("sent-1/23") }
        let received = String(decoding: try await studio.client.data(for: RecorderFixture.API.page), as: UTF8.self)
        guard let recorded else {
            let reason = "not written: the answer to GET /page: \(answer.expected.first ?? Self.unreadable)"
            let found = try (received, studio.files(), studio.lines().map { $0.hasPrefix(reason) })
            #expect(found == (sent, [:], [true]), "\(studio.lines())")
            return
        }
        let settings = try studio.files()["page.mock.json"] ?? ""
        let missing = answer.expected.filter { !settings.contains($0) }
        let outcome = try (received, Array(studio.bodies().values), missing)
        #expect(outcome == (sent, [recorded], []), "\(settings) \(studio.lines())")
        // A body that is read as it arrives is shown in the same way.
        guard type.hasSuffix("event-stream") || type.hasSuffix("ndjson") else { return }
        for try await _ in try await studio.client.stream(RecorderFixture.API.feed) {}
        #expect(try studio.bodies().first { $0.key.hasPrefix("feed.") }?.value == recorded, "\(studio.lines())")
    }

    @Test(arguments: [false, true])
    func `An answer that may repeat a request that was not searched is not written`(isStream: Bool) async throws {
        let stream = BodyStream(contentType: "application/json") {
            InputStream(data: Data(#"{"password": "hunter-22"}"#.utf8))
        }
        let large = Data(count: Recording.largestSearched + 1)
        let body = isStream ? RequestBody.stream(stream) : .data(large, contentType: "application/json")
        let studio = try Self.studio("application/json", #"{"echo": "hunter-22"}"#)
        _ = try await studio.client.data(for: Route.post("page").body(body).mock("page"))
        let reason = isStream ? "is a stream" : "of 8388609 bytes is too large to be searched"
        let line = try #require(studio.lines().first)
        let found = try (
            line.hasPrefix("not written: the answer to POST /page: the request's body"), line.contains(reason),
            studio.lines().count, studio.files()
        )
        #expect(found == (true, true, 1, [:]), "\(studio.lines())")
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
            _ = try await client.data(for: RecorderFixture.API.user(login: "a"))
            #expect(recorder.finish().first?.contains("could lead outside the folder") == true, "\(recorder.lines)")
        }
    #endif
}
