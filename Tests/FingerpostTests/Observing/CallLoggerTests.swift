import CallSupport
import FingerpostTesting

@testable import Fingerpost

/// The lines of the call log.
@Suite(.inTurn) struct CallLoggerTests {
    /// What the loggers said.
    private let said = Locked<[String]>([])

    private func logger(_ level: CallLogger.Level) -> CallLogger {
        let said = said
        return CallLogger(level) { text in said.withLock { $0.append(text) } }
    }

    private func texts(_ level: CallLogger.Level, _ work: (APIClient) async throws -> Void) async throws -> [String] {
        try await work(APIClient { $0.observers = [logger(level)] })
        return said.withLock { texts in
            defer { texts = [] }
            return texts
        }
    }

    private static let route = Route.get("users/octocat").mock("user")

    @Test(.mocks) func `A call is a line with its time, size and mock, and a cancelled one did not fail`() async throws
    {
        let answers: [(MockResponse, String)] = [
            (.data(Data(count: 1234)).delayed(by: .milliseconds(34)), "GET users/octocat 200 34 ms 1.2 KB mock user"),
            (.failure(.cancelled), "GET users/octocat cancelled 0 ms"),
        ]
        for (answer, line) in answers {
            Mocks.set("user", answer)
            let work = { (client: APIClient) in _ = try? await client.data(for: Self.route) }
            let said = try await (texts(.failures, work), texts(.calls, work))
            #expect(said == ([], [line]))
        }
    }

    @Test func `A call to the network names no source, and several attempts are counted`() async throws {
        let transport = StubTransport { _, index in index == 0 ? (503, [:], "") : (200, [:], "done") }
        let client = transport.client {
            $0.observers = [logger(.calls)]
            $0.retry = .atOnce(2)
        }
        _ = try await client.data(for: Route.get("jobs"))
        let texts = said.withLock { $0 }
        #expect(texts.count == 1 && texts[0].hasPrefix("GET jobs 200 ") && texts[0].hasSuffix(" 4 B 2 attempts"))
    }

    @Test(.mocks, arguments: CallLogger.Level.allCases)
    func `A failure is the description of its error`(_ level: CallLogger.Level) async throws {
        Mocks.set("user", .sequence([.json(["message": "gone"], status: 404), .json([:])]))
        var expected: [String] = []
        let texts = try await texts(level) { client in
            expected = try await ["\(failure { try await client.send(Self.route) })"]
            try await client.send(Self.route)
        }
        if level == .calls { expected.append("GET users/octocat 200 0 ms 2 B mock user") }
        #expect(texts == expected)
    }

    @Test func `Sizes and durations are short`() {
        let sizes: [Int64: String] = [
            0: "0 B", 999: "999 B", 1000: "1 KB", 1049: "1 KB", 1050: "1.1 KB", 999_949: "999.9 KB",
            999_950: "1 MB", 3_400_000: "3.4 MB", 214_748_365: "214.7 MB", 5_000_000_000_000: "5000 GB",
        ]
        for (size, text) in sizes { #expect(CallLogger.text(ofSize: size) == text, "\(size)") }
        let durations: [Duration: String] = [
            .zero: "0 ms", .microseconds(400): "0 ms", .milliseconds(999): "999 ms", .microseconds(999_600): "1 s",
            .milliseconds(1240): "1.2 s", .seconds(90): "90 s",
        ]
        for (duration, text) in durations { #expect(duration.shortText == text, "\(duration)") }
    }

    // MARK: Environments

    #if !canImport(os)
        @Test func `An environment logs its calls`() async throws {
            let result = try #require(
                await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                    for level in ["off", "failures", "calls"] { try await CallLoggerTests.call(level) }
                })
            let lines = String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
            let calls = lines.filter { $0.hasPrefix("GET a/") }.map { $0.prefix(11) }
            let details = lines.filter { $0.hasPrefix("  request:") }.map { $0.split(separator: "/").last }
            #expect((calls, details) == (["GET a/calls"], ["failures", "calls"]))
        }

        /// Makes a call that succeeds and one that fails, in an environment that logs some of them.
        private static func call(_ level: String) async throws {
            let environment = try Environment("Live", values: ["baseURL": "https://h.example", "$log": level])
            let client = try APIClient {
                $0.environment = environment
                $0.transport = StubTransport { request, _ in
                    (request.url?.path.hasPrefix("/a") == true ? 200 : 500, [:], "")
                }
            }
            try await client.send(Route.get("a/\(level)"))
            await #expect(throws: APIError.self) { try await client.send(Route.get("b/\(level)")) }
        }
    #endif
}
