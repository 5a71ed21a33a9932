import CallSupport
import FingerpostStreams
import FingerpostTesting

/// The end of typed streams, and the errors that a server reports after the status 200.
@Suite(.inTurn) struct StreamedErrorTests {
    private struct Chunk: Decodable, Sendable, Equatable { let text: String }

    private struct Problem: ErrorResponse {
        struct Detail: Decodable { let message, code: String }
        let error: Detail
        var message: String { error.message }
    }

    private static let route = Route.get("x").mock("chat")

    /// Reads a stream, or the events of all connections.
    private func values(_ isStream: Bool, _ client: APIClient, until end: String? = nil) async throws -> [Chunk] {
        let (stream, events) = (try await isStream ? client.stream(Self.route) : nil, client.events(Self.route))
        guard let end else { return try await (stream?.json(as: Chunk.self) ?? events.json(as: Chunk.self)).all() }
        return try await (stream?.json(as: Chunk.self, until: end) ?? events.json(as: Chunk.self, until: end)).all()
    }

    @Test(
        .mocks, arguments: [("[DONE]", nil), (" [DONE]", nil), ("END", "END")] as [(String, String?)], [true, false])
    func `The event that marks the end ends the values, and their connection`(
        _ last: (mark: String, end: String?), isStream: Bool
    ) async throws {
        Mocks.set("chat", .events([#"{"text": "a"}"#, #"{"text": "b"}"#, .init(last.mark), "more"]))
        let client = try APIClient()
        let chunks = try await values(isStream, client, until: last.end)
        #expect((chunks.map(\.text), Mocks.calls.count) == (["a", "b"], 1))
        var stream = try await client.stream(Self.route).json(as: Chunk.self, until: last.end ?? "[DONE]")
            .makeAsyncIterator()
        while try await stream.next() != nil {}
        #expect(try await stream.next() == nil)
    }

    /// Events that are no chunk, and what the server says.
    private static let failures: [(ServerSentEvent, message: String?)] = [
        (.init(#"{"error": {"message": "Overloaded", "code": "busy"}}"#), "Overloaded"),
        (.init(#"{"type": "error", "error": {"message": "Overloaded"}}"#, event: "error"), "Overloaded"),
        (.init(#"{"message": "Overloaded"}"#, event: "error"), "Overloaded"),
        (.init("Overloaded", event: "error"), "Overloaded"), (.init(#"{"message": "Hello"}"#), nil),
        (.init(#"{"error": null}"#), nil),
    ]

    @Test(.mocks, arguments: failures, [true, false])
    func `An error in a stream keeps its place, and says what the server says`(
        _ failed: (event: ServerSentEvent, message: String?), isStream: Bool
    ) async throws {
        Mocks.set("chat", .events([ServerSentEvent(#"{"text": "a"}"#), failed.event]))
        for type in [nil, Problem.self] {
            let client = try APIClient { $0.errorResponse = type }
            let error = try await failure { _ = try await values(isStream, client) }
            #expect((error.serverMessage, error.body) == (failed.message, Data(failed.event.data.utf8)), "\(error)")
            #expect(error.line.hasPrefix("decoding: event 2 of the stream does not decode as Chunk"), "\(error)")
            let code = (error.response as? Problem)?.error.code
            let decoded = try code == nil ? nil : error.decodeBody(as: Problem.self).error.code
            let expected = type != nil && failed.event.data.contains("code") ? "busy" : nil
            #expect([code, decoded] == [expected, expected])
        }
        _ = Mocks.takeProblems()
    }

    /// Answers of the status 200 that are no stream, and what their error says of them.
    private static let refusals: [(type: String?, body: String, line: String)] = [
        (
            "application/json", "{\n  \"error\": {\n \"message\": \"Rate limit reached\" } }",
            "server says: Rate limit reached"
        ),
        ("application/json", "{\n  \"ok\": false }", "json:        {\"ok\": false}"),
        ("text/html", "<html>\n<title>Sign in</title>", "body:        Sign in"),
        (nil, "<p>data: a</p>", "body:        <p>data: a</p>"),
    ]

    @Test func `A response that is no stream says what it says`() async throws {
        for (type, body, line) in Self.refusals {
            let server = try LoopbackServer { _, connection in
                connection.respond(200, headers: type.map { ["Content-Type": $0] } ?? [:], body: body)
            }
            let (client, route) = (APIClient(baseURL: server.baseURL), Route.get("x"))
            var errors = [try await failure { try await client.events(route).all() }]
            if type != nil {
                errors += [
                    try await failure { try await client.stream(route).events.all() },
                    try await failure { try await client.stream(route).json(as: Chunk.self).all() },
                ]
            }
            let objection = "the response is \(type?.quoted ?? "without a Content-Type"), not a stream of events "
            #expect(Set(errors.prefix(2).map(\.message)) == [objection + "(text/event-stream)"])
            for error in errors {
                #expect((error.kind, error.status, error.body) == (.decoding, 200, Data(body.utf8)))
                #expect("\(error)".contains("\n  \(line)\n"), "\(error)")
            }
            #expect(server.requestCount == errors.count)
        }
    }

    @Test func `A response that is no stream and does not end is refused too`() async throws {
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 99\r\n\r\nline 1\n")
            _ = connection.waitUntilPeerCloses()
        }
        let error = try await failure {
            _ = try await APIClient(baseURL: server.baseURL).stream(Route.get("x")).events.all()
        }
        #expect((error.kind, error.bodyLine) == (.decoding, "line 1"))
    }
}
