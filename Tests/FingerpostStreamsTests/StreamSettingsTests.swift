import CallSupport
import FingerpostStreams
import FingerpostTesting

/// The settings of mocks that arrive in pieces, on a virtual clock.
@Suite(.inTurn) struct StreamSettingsTests {
    /// What a stream brings.
    private struct Outcome: Equatable {
        var texts: [String] = []
        /// When each piece came, in tenths of a second.
        var times: [Int] = []
        var error: APIError.Kind?
    }

    private func run(_ files: [String: String], _ work: (APIClient, VirtualClock) async throws -> Void) async throws {
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

    struct Case: CustomTestStringConvertible, Sendable {
        var file = "a.txt"
        var body = "1\n2\n3\n4\n"
        let settings: String
        let texts: [String]
        var times: [Int]?
        var error: APIError.Kind?

        var testDescription: String { "\(file): \(settings)" }
    }

    private static let events = "data: 1\n\ndata: 2\n\ndata: 3\n\n"

    static let cases = [
        Case(settings: "{}", texts: ["1\n2\n3\n4\n"]),
        Case(settings: #"{ "pace": {} }"#, texts: ["1\n", "2\n", "3\n", "4\n"], times: [0, 0, 0, 0]),
        Case(
            settings: #"{ "delay": 1, "pace": { "delay": 0.2 } }"#, texts: ["1\n", "2\n", "3\n", "4\n"],
            times: [12, 14, 16, 18]),
        Case(settings: #"{ "pace": { "each": "bytes:3", "delay": 1 } }"#, texts: ["1\n2", "\n3\n", "4\n"]),
        Case(
            file: "a.events", body: events, settings: #"{ "pace": {} }"#,
            texts: ["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"]),
        Case(file: "a.events", body: "1\n\n", settings: #"{ "pace": { "each": "line" } }"#, texts: ["1\n", "\n"]),
        Case(
            body: events,
            settings: #"{ "pace": {}, "headers": { "Content-Type": "text/event-stream; charset=utf-8" } }"#,
            texts: ["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"]),
        Case(settings: #"{ "failure": "truncated" }"#, texts: ["1\n", "2\n"], error: .transport),
        Case(settings: #"{ "failure": "truncated", "after": 0 }"#, texts: [], error: .transport),
        Case(
            file: "a.events", body: events,
            settings: #"{ "failure": "truncated", "after": 2, "pace": { "delay": 1 } }"#,
            texts: ["data: 1\n\n", "data: 2\n\n"], times: [10, 20], error: .transport),
        Case(
            settings: #"{ "failure": "truncated", "after": 9 }"#, texts: ["1\n", "2\n", "3\n", "4\n"],
            error: .transport),
        Case(settings: #"{ "open": true }"#, texts: ["1\n2\n3\n4\n"], error: .timedOut),
        Case(settings: #"{ "open": true, "pace": { "delay": 31 } }"#, texts: [], error: .timedOut),
        Case(settings: #"{ "open": false, "pace": {} }"#, texts: ["1\n", "2\n", "3\n", "4\n"]),
        Case(settings: #"{ "status": 503, "open": true, "pace": {} }"#, texts: [], error: .status(503)),
        Case(settings: #"{ "failure": "empty" }"#, texts: []),
    ]

    @Test(arguments: cases) func `A body arrives as its settings say`(_ test: Case) async throws {
        try await run([test.file: test.body, "\(test.file).mock.json": test.settings]) { client, clock in
            let outcome = try await read(MockName(rawValue: test.file), client, clock)
            #expect(outcome.texts == test.texts && outcome.error == test.error)
            if let times = test.times { #expect(outcome.times == times) }
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
    func `A call that does not read the body as it arrives waits for all of it`(
        settings: String, time: Duration, expected: APIError.Kind?
    ) async throws {
        try await run(["a.json": "1\n\n\n\n", "a.mock.json": settings]) { client, clock in
            let start = clock.now
            do {
                #expect(try await client.data(for: Route.get("x").mock("a")).count == 5)
                #expect(expected == nil)
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
}
