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
        let clock = VirtualClock()
        let scope = try APIScope(environment: .testing(), mocks: folder["Mocks"], clock: clock)
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

    /// Settings of a file, and what a stream of it brings, with bars between the pieces.
    private struct Case {
        let settings: String
        let texts: [String]
        /// nil if they do not matter.
        let times: [Int]?
        let error: APIError.Kind?
        let (file, text): (String, String)

        init(
            _ settings: String, _ texts: String, times: [Int]? = nil, error: APIError.Kind? = nil,
            file: String = "a.txt", _ text: String = "1\n2\n3\n4\n"
        ) {
            self.texts = texts.split(separator: "|").map(String.init)
            (self.settings, self.times, self.error, self.file, self.text) = (settings, times, error, file, text)
        }
    }

    private static let events = "data: 1\n\ndata: 2\n\ndata: 3\n\n"
    private static let eachEvent = "data: 1\n\n|data: 2\n\n|data: 3\n\n"

    private static let cases = [
        Case("{}", "1\n2\n3\n4\n"),
        Case(#"{ "pace": {} }"#, "1\n|2\n|3\n|4\n", times: [0, 0, 0, 0]),
        Case(#"{ "delay": 1, "pace": { "delay": 0.2 } }"#, "1\n|2\n|3\n|4\n", times: [12, 14, 16, 18]),
        Case(#"{ "pace": { "each": "bytes:3", "delay": 1 } }"#, "1\n2|\n3\n|4\n"),
        Case(#"{ "pace": {} }"#, eachEvent, file: "a.events", events),
        Case(#"{ "pace": { "each": "line" } }"#, "1\n|\n", file: "a.events", "1\n\n"),
        Case(#"{ "failure": "truncated" }"#, "1\n|2\n", error: .transport),
        Case(#"{ "failure": "truncated", "after": 0 }"#, "", error: .transport),
        Case(
            #"{ "failure": "truncated", "after": 2, "pace": { "delay": 1 } }"#, "data: 1\n\n|data: 2\n\n",
            times: [10, 20], error: .transport, file: "a.events", events),
        Case(#"{ "failure": "truncated", "after": 9 }"#, "1\n|2\n|3\n|4\n", error: .transport),
        Case(#"{ "open": true }"#, "1\n2\n3\n4\n", error: .timedOut),
        Case(#"{ "open": true, "pace": { "delay": 31 } }"#, "", error: .timedOut),
        Case(#"{ "open": false, "pace": {} }"#, "1\n|2\n|3\n|4\n"),
        Case(#"{ "status": 503, "open": true, "pace": {} }"#, "", error: .status(503)),
        Case(#"{ "failure": "empty" }"#, ""),
        Case(
            #"{ "pace": {}, "headers": { "Content-Type": "text/event-stream; charset=utf-8" } }"#, eachEvent,
            file: "a.txt", events),
    ]

    @Test func `A body arrives as its settings say`() async throws {
        for test in Self.cases {
            try await run([test.file: test.text, "\(test.file).mock.json": test.settings]) { client, clock in
                let outcome = try await read(MockName(rawValue: test.file), client, clock)
                let expected = Outcome(texts: test.texts, times: test.times ?? outcome.times, error: test.error)
                #expect(outcome == expected, "\(test.settings)")
            }
        }
    }

    @Test func `Each answer of a sequence has a pace`() async throws {
        let settings = """
            { "body": "a.ndjson", "pace": { "each": "line" },
              "sequence": [{ "failure": "truncated", "after": 1 }, { "pace": { "each": "bytes:4" } }, {}] }
            """
        try await run(["a.ndjson": "1\n2\n3\n", "b.mock.json": settings]) { client, clock in
            let lost = try await read("b", client, clock)
            var texts: [[String]] = []
            for _ in 1...2 { texts.append(try await read("b", client, clock).texts) }
            #expect(
                (lost, texts)
                    == (
                        Outcome(texts: ["1\n"], times: [0], error: .transport),
                        [["1\n2\n", "3\n"], ["1\n", "2\n", "3\n"]]
                    ))
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

    private static let wholes: [(settings: String, time: Duration, error: APIError.Kind?)] = [
        (#"{ "pace": { "delay": 2 } }"#, .seconds(8), nil), (#"{ "delay": 1, "pace": {} }"#, .seconds(1), nil),
        (#"{ "pace": { "delay": 2 }, "failure": "truncated", "after": 3 }"#, .seconds(6), .transport),
        (#"{ "open": true }"#, .seconds(30), .timedOut),
        (#"{ "status": 500, "open": true, "pace": { "delay": 2 } }"#, .zero, .status(500)),
    ]

    @Test func `A call for the whole body waits for all of it`() async throws {
        for (settings, time, expected) in Self.wholes {
            try await run(["a.json": "1\n\n\n\n", "a.mock.json": settings]) { client, clock in
                let start = clock.now
                var (size, kind) = (Int?.none, APIError.Kind?.none)
                do throws(APIError) {
                    size = try await client.data(for: Route.get("x").mock("a")).count
                } catch { kind = error.kind }
                #expect(
                    (size, kind, start.duration(to: clock.now)) == (expected == nil ? 5 : nil, expected, time),
                    "\(settings)")
            }
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
            let values = try await client.stream(Ticker.ticker).json(as: Int.self).all()
            let time = start.duration(to: clock.now)
            let name = MockName(rawValue: mock)
            Mocks.set(name, .variant("other"))
            let others = try await client.stream(Ticker.ticker).json(as: Int.self).all()
            Mocks.set(name, .variant("busy"))
            let error = try await failure { try await client.stream(Ticker.ticker) }
            // With its extension, the file is the mock of another route.
            let route = Route.get("x").mock(MockName(rawValue: "\(mock).\(type)"))
            let whole = try await client.stream(route).json(as: Int.self).all()
            #expect((values, time, others, error.kind, whole) == ([1], .seconds(1), [2], .status(503), [1]))
        }
    }

    // MARK: Events

    @Test func `Events set in code come one after another, in virtual time`() async throws {
        try await run { client, clock in
            Mocks.set("ticker", .events(["a", ServerSentEvent("b\nc", event: "add", id: "7")], every: .seconds(20)))
            let start = clock.now
            var (events, times) = ([ServerSentEvent](), [Duration]())
            for try await event in try await client.stream(Self.route).events {
                events.append(event)
                times.append(start.duration(to: clock.now))
            }
            #expect(
                (events, times, Mocks.calls(of: "ticker").map(\.ended)) == (
                    ["a", ServerSentEvent("b\nc", event: "add", id: "7")], [.seconds(20), .seconds(40)], [.seconds(40)]
                ))
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
                #expect((events, error.kind) == (["a", "b"], kind))
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
            let values = try await client.stream(blank).json(as: Int.self).all()
            let route = Route.get("x").mock("ticker.ndjson")
            let error = try await failure { _ = try await client.stream(route).json(as: Int.self).all() }
            #expect((values, Mocks.takeProblems().count) == ([1, 2], 1))
            #expect(error.line.hasPrefix("decoding: line 2 of the stream"), "\(error)")
            let declared = route.answers(String.self)
            for try await value in try await client.stream(declared).json(as: Int.self).prefix(1) {
                #expect(value == 1)
            }
            #expect(Mocks.takeProblems().first?.contains("declares the response type String") == true)
        }
    }

    @Test func `A stream in progress at the end of a test is a problem`() async throws {
        let scope = try APIScope(environment: .testing(), clock: VirtualClock())
        let stream = try await scope.run {
            Mocks.set("ticker", .events(["a"], ending: .open))
            return try await APIClient().stream(Self.route)
        }
        #expect(scope.close().first?.contains("still in progress") == true)
        _ = stream
    }
}
