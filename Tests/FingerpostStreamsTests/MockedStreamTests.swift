import CallSupport
import FingerpostStreams
import FingerpostTesting

/// Streams that mocks answer, on a virtual clock.
@Suite(.inTurn, .concurrent) struct MockedStreamTests {
    /// What a stream brings.
    private struct Outcome: Equatable {
        var texts: [String] = []
        /// When each piece came, in tenths of a second.
        var times: [Int] = []
        var error: APIError.Kind?
    }

    private static let route = Route.get("x").mock("ticker")

    private func run(
        _ files: [String: String] = ["other.json": "1"], _ work: (APIClient, VirtualClock) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: files.map { ("Mocks/\($0)", $1) }))
        let environment = try Environment("Testing", values: ["baseURL": "https://t.invalid"])
        let clock = VirtualClock()
        let scope = APIScope(environment: environment, mocks: folder["Mocks"], clock: clock)
        try await scope.run {
            try await work(try APIClient { ($0.idleTimeout, $0.timeout) = (.seconds(30), .seconds(60)) }, clock)
        }
        _ = scope.close()
    }

    /// Reads the bytes of a stream.
    private func read(_ mock: MockName, _ client: APIClient, _ clock: VirtualClock) async throws -> Outcome {
        var outcome = Outcome()
        let start = clock.now
        do {
            for try await piece in try await client.stream(Route.get("x").mock(mock)) {
                outcome.texts.append(String(decoding: piece, as: UTF8.self))
                outcome.times.append(Int(start.duration(to: clock.now) / .milliseconds(100)))
            }
        } catch let error as APIError {
            outcome.error = error.kind
        }
        return outcome
    }

    // MARK: Settings

    /// Settings of the mock `1 2 3 4` in four lines, and the pieces that arrive, with bars between them.
    struct Case: CustomTestStringConvertible, Sendable {
        let settings: String
        let texts: [String]
        var times: [Int]?
        var error: APIError.Kind?
        /// The file, if it has events.
        var events: String?

        init(
            _ settings: String, _ texts: String, times: [Int]? = nil, error: APIError.Kind? = nil, events: String? = nil
        ) {
            self.texts = texts.split(separator: "|").map(String.init)
            (self.settings, self.times, self.error, self.events) = (settings, times, error, events)
        }

        var testDescription: String { settings }
    }

    private static let events = "data: 1\n\ndata: 2\n\ndata: 3\n\n"
    private static let eachEvent = "data: 1\n\n|data: 2\n\n|data: 3\n\n"

    static let cases = [
        Case("{}", "1\n2\n3\n4\n"),
        Case(#"{ "pace": {} }"#, "1\n|2\n|3\n|4\n", times: [0, 0, 0, 0]),
        Case(#"{ "delay": 1, "pace": { "delay": 0.2 } }"#, "1\n|2\n|3\n|4\n", times: [12, 14, 16, 18]),
        Case(#"{ "pace": { "each": "bytes:3", "delay": 1 } }"#, "1\n2|\n3\n|4\n"),
        Case(#"{ "pace": {} }"#, eachEvent, events: events),
        Case(#"{ "pace": { "each": "line" } }"#, "1\n|\n", events: "1\n\n"),
        Case(#"{ "failure": "truncated" }"#, "1\n|2\n", error: .transport),
        Case(#"{ "failure": "truncated", "after": 0 }"#, "", error: .transport),
        Case(
            #"{ "failure": "truncated", "after": 2, "pace": { "delay": 1 } }"#, "data: 1\n\n|data: 2\n\n",
            times: [10, 20], error: .transport, events: events),
        Case(#"{ "failure": "truncated", "after": 9 }"#, "1\n|2\n|3\n|4\n", error: .transport),
        Case(#"{ "open": true }"#, "1\n2\n3\n4\n", error: .timedOut),
        Case(#"{ "open": true, "pace": { "delay": 31 } }"#, "", error: .timedOut),
        Case(#"{ "open": false, "pace": {} }"#, "1\n|2\n|3\n|4\n"),
        Case(#"{ "status": 503, "open": true, "pace": {} }"#, "", error: .status(503)),
        Case(#"{ "failure": "empty" }"#, ""),
    ]

    @Test(arguments: cases) func `A body arrives as its settings say`(_ test: Case) async throws {
        let file = test.events == nil ? "a.txt" : "a.events"
        let files = [file: test.events ?? "1\n2\n3\n4\n", "\(file).mock.json": test.settings]
        try await run(files) { client, clock in
            let outcome = try await read(MockName(rawValue: file), client, clock)
            #expect(outcome.texts == test.texts && outcome.error == test.error)
            if let times = test.times { #expect(outcome.times == times) }
        }
    }

    @Test func `A file whose settings say that it has events arrives event by event`() async throws {
        let settings = #"{ "pace": {}, "headers": { "Content-Type": "text/event-stream; charset=utf-8" } }"#
        try await run(["a.txt": Self.events, "a.txt.mock.json": settings]) { client, clock in
            let texts = try await read("a.txt", client, clock).texts
            #expect(texts.joined(separator: "|") == Self.eachEvent)
        }
    }

    @Test func `Each answer of a sequence has a pace`() async throws {
        let settings = """
            { "body": "a.ndjson", "pace": { "each": "line" },
              "sequence": [{ "failure": "truncated", "after": 1 }, { "pace": { "each": "bytes:4" } }, {}] }
            """
        try await run(["a.ndjson": "1\n2\n3\n", "b.mock.json": settings]) { client, clock in
            let lost = try await read("b", client, clock)
            #expect(lost == Outcome(texts: ["1\n"], times: [0], error: .transport))
            #expect(try await read("b", client, clock).texts == ["1\n2\n", "3\n"])
            #expect(try await read("b", client, clock).texts == ["1\n", "2\n", "3\n"])
        }
    }

    @Test func `A scenario that cuts a body keeps how many pieces of it arrive`() async throws {
        let files = [
            "a.txt": "1\n2\n3\n4\n", "a.txt.mock.json": #"{ "failure": "truncated", "after": 1 }"#,
            "_scenarios.json": #"{ "cut": { "*": { "failure": "truncated" } } }"#,
        ]
        try await run(files) { client, clock in
            try Mocks.use("cut")
            let lost = try await read("a.txt", client, clock)
            #expect(lost == Outcome(texts: ["1\n"], times: [0], error: .transport))
        }
    }

    static let wholes: [(settings: String, time: Duration, error: APIError.Kind?)] = [
        (#"{ "pace": { "delay": 2 } }"#, .seconds(8), nil), (#"{ "delay": 1, "pace": {} }"#, .seconds(1), nil),
        (#"{ "pace": { "delay": 2 }, "failure": "truncated", "after": 3 }"#, .seconds(6), .transport),
        (#"{ "open": true }"#, .seconds(30), .timedOut),
        (#"{ "status": 500, "open": true, "pace": { "delay": 2 } }"#, .zero, .status(500)),
    ]

    @Test(arguments: wholes)
    func `A call for the whole body waits for all of it`(
        settings: String, time: Duration, expected: APIError.Kind?
    ) async throws {
        try await run(["a.json": "1\n\n\n\n", "a.mock.json": settings]) { client, clock in
            let start = clock.now
            do {
                #expect(try await (client.data(for: Route.get("x").mock("a")).count, expected) == (5, nil))
            } catch {
                #expect((error as? APIError)?.kind == expected)
            }
            #expect(start.duration(to: clock.now) == time)
        }
    }

    private enum Ticker: Routable {
        case ticker

        var path: RoutePath { "ticker" }
    }

    @Test(arguments: ["ticker", "Ticker/ticker"], ["events", "ndjson"])
    func `A case is answered by the stream of its name`(mock: String, type: String) async throws {
        let (body, busy) = type == "events" ? ("data: 1\n\n", "data: 2\n\n") : ("1\n", "2\n")
        let files = [
            "\(mock).\(type)": body, "\(mock).busy.503.\(type)": "",
            "\(mock).mock.json": #"{ "pace": { "delay": 1 } }"#,
            "\(mock).other.\(type)": busy,
        ]
        try await run(files) { client, clock in
            let start = clock.now
            #expect(try await client.stream(Ticker.ticker).json(as: Int.self).all() == [1])
            #expect(start.duration(to: clock.now) == .seconds(1))
            let name = MockName(rawValue: mock)
            Mocks.set(name, .variant("other"))
            #expect(try await client.stream(Ticker.ticker).json(as: Int.self).all() == [2])
            Mocks.set(name, .variant("busy"))
            let error = try await failure { try await client.stream(Ticker.ticker) }
            #expect(error.kind == .status(503))
            // With its extension, the file is the mock of another route.
            let route = Route.get("x").mock(MockName(rawValue: "\(mock).\(type)"))
            #expect(try await client.stream(route).json(as: Int.self).all() == [1])
        }
    }

    // MARK: Events

    @Test func `A file of events is a stream`() async throws {
        try await run(["ticker.events": "id: 1\ndata: a\n\ndata: b\n\n"]) { client, _ in
            let stream = try await client.stream(Route.get("x").mock("ticker.events"))
            #expect(stream.headers[.contentType] == "text/event-stream" && stream.source != .network)
            #expect(try await stream.events.all() == [ServerSentEvent("a", id: "1"), ServerSentEvent("b", id: "1")])
        }
    }

    @Test func `Events set in code come one after another, in virtual time`() async throws {
        try await run { client, clock in
            Mocks.set("ticker", .events(["a", ServerSentEvent("b\nc", event: "add", id: "7")], every: .seconds(20)))
            let start = clock.now
            var times: [Duration] = []
            var events: [ServerSentEvent] = []
            for try await event in try await client.stream(Self.route).events {
                events.append(event)
                times.append(start.duration(to: clock.now))
            }
            #expect(events == ["a", ServerSentEvent("b\nc", event: "add", id: "7")])
            #expect((times, Mocks.calls(of: "ticker").map(\.ended)) == ([.seconds(20), .seconds(40)], [.seconds(40)]))
        }
    }

    @Test func `A lost connection and one that stays open`() async throws {
        try await run { client, _ in
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
        try await run { client, _ in
            Mocks.set("ticker", .events([ServerSentEvent("a", event: "b\nc")]))
            let error = try await failure { try await client.stream(Self.route) }
            #expect(error.kind == .mock && error.message.contains("line break") && Mocks.takeProblems().count == 1)
        }
    }

    @Test func `Blank lines have no value, and a value that does not decode is a problem of the test`() async throws {
        let files = ["blank.ndjson": "1\n\n  \t\r\n2\n ", "ticker.ndjson": "1\ntwo\n"]
        try await run(files) { client, _ in
            let blank = Route.get("x").mock("blank.ndjson")
            #expect(try await client.stream(blank).json(as: Int.self).all() == [1, 2])
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
