import CallSupport
import FingerpostStreams
import FingerpostTesting

/// Streams that mocks answer, on a virtual clock.
@Suite(.inTurn, .concurrent) struct MockedStreamTests {
    private static let route = Route.get("x").mock("ticker")
    private static let file = Route.get("x").mock("ticker.events")

    private func run(
        _ files: [String: String] = [:], clock: VirtualClock = VirtualClock(), idleTimeout: Duration? = nil,
        _ work: (APIClient) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder(["Mocks/other.json": "1"].merging(files) { $1 })
        let environment = try Environment("Testing", values: ["baseURL": "https://t.invalid"])
        let scope = APIScope(environment: environment, mocks: folder["Mocks"], clock: clock)
        try await scope.run { try await work(try APIClient { $0.idleTimeout = idleTimeout }) }
    }

    @Test func `A file of events is a stream`() async throws {
        try await run(["Mocks/ticker.events": "id: 1\ndata: a\n\ndata: b\n\n"]) { client in
            let stream = try await client.stream(Self.file)
            #expect(stream.headers[.contentType] == "text/event-stream" && stream.source != .network)
            #expect(try await stream.events.all() == [ServerSentEvent("a", id: "1"), ServerSentEvent("b", id: "1")])
        }
    }

    @Test func `Events set in code come one after another, in virtual time`() async throws {
        let clock = VirtualClock()
        try await run(clock: clock) { client in
            Mocks.set("ticker", .events(["a", ServerSentEvent("b\nc", event: "add", id: "7")], every: .seconds(60)))
            let start = clock.now
            var times: [Duration] = []
            var events: [ServerSentEvent] = []
            for try await event in try await client.stream(Self.route).events {
                events.append(event)
                times.append(start.duration(to: clock.now))
            }
            #expect(events == ["a", ServerSentEvent("b\nc", event: "add", id: "7")])
            #expect(times == [.seconds(60), .seconds(120)])
            #expect(Mocks.calls(of: "ticker").map(\.status) == [200])
            #expect(Mocks.calls(of: "ticker").first?.ended == .seconds(120))
        }
    }

    @Test func `A lost connection and one that stays open`() async throws {
        try await run(idleTimeout: .seconds(30)) { client in
            for (answer, kind) in [
                (MockResponse.events(["a", "b"], ending: .lost), APIError.Kind.transport),
                (.events(["a", "b"], ending: .open), .timedOut),
            ] {
                Mocks.set("ticker", answer)
                var events: [String] = []
                let error = try await failure {
                    for try await event in try await client.stream(Self.route).events { events.append(event.data) }
                }
                #expect(events == ["a", "b"] && error.kind == kind)
            }
        }
    }

    @Test func `An invalid event is an error of the mock`() async throws {
        try await run { client in
            Mocks.set("ticker", .events([ServerSentEvent("a", event: "b\nc")]))
            let error = try await failure { try await client.stream(Self.route) }
            #expect(error.kind == .mock && error.message.contains("line break"))
            #expect(Mocks.takeProblems().count == 1)
        }
    }

    @Test func `Blank lines have no value`() async throws {
        try await run(["Mocks/ticker.ndjson": "1\n\n  \t\r\n2\n "]) { client in
            let ticks = try await client.stream(Route.get("x").mock("ticker.ndjson")).json(as: Int.self).all()
            #expect(ticks == [1, 2])
        }
    }

    @Test func `A value that does not decode is a problem of the test`() async throws {
        try await run(["Mocks/ticker.ndjson": "1\ntwo\n"]) { client in
            let route = Route.get("x").mock("ticker.ndjson")
            let error = try await failure { _ = try await client.stream(route).json(as: Int.self).all() }
            #expect(error.kind == .decoding && error.message.hasPrefix("line 2 of the stream"))
            #expect(Mocks.takeProblems().count == 1)
            let declared = route.answers(String.self)
            for try await value in try await client.stream(declared).json(as: Int.self).prefix(1) {
                #expect(value == 1)
            }
            #expect(Mocks.takeProblems().first?.contains("declares the response type String") == true)
        }
    }

    @Test func `A stream in progress at the end of a test is a problem`() async throws {
        let environment = try Environment("Testing", values: ["baseURL": "https://t.invalid"])
        let scope = APIScope(environment: environment, clock: VirtualClock())
        let stream = try await scope.run {
            Mocks.set("ticker", .events(["a"], ending: .open))
            return try await APIClient().stream(Self.route)
        }
        #expect(scope.close().first?.contains("still in progress") == true)
        _ = stream
    }
}
