import CallSupport
import FingerpostTesting
import FingerpostTransfers

/// Mocks report progress in the same steps in each run.
@Suite(.inTurn, .concurrent) struct MockProgressTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder([
            "Mocks/film.bin": String(repeating: "f", count: 1005), "Mocks/tiny.json": "[1]",
            "Mocks/slow.bin": String(repeating: "f", count: 1000), "Mocks/slow.bin.mock.json": #"{"delay": 2}"#,
            "Mocks/missing.404.json": "", "Mocks/cut.json": "[1, 2, 3]",
            "Mocks/cut.mock.json": #"{"failure": "truncated"}"#,
        ])
    }

    /// Runs calls that the folder's mocks answer, on a virtual clock.
    private func run(
        _ variants: [MockName: String] = [:], clock: VirtualClock = VirtualClock(),
        _ configure: (inout APIClient.Configuration) -> Void = { _ in },
        _ work: (APIClient) async throws -> Void
    ) async throws {
        let scope = try APIScope(environment: .testing(), mocks: folder["Mocks"], variants: variants, clock: clock)
        try await scope.run { try await work(try APIClient(configure)) }
    }

    @Test func `A download is reported in ten steps`() async throws {
        let log = ProgressLog()
        try await run { try await $0.download(Route.get("x").mock("film.bin"), to: folder["film"], progress: log.add) }
        let steps: [Int64] = [100, 201, 301, 402, 502, 603, 703, 804, 904, 1005]
        #expect((log.faults, log.all) == ([], Self.reports(steps)))
        #expect(try Data(contentsOf: folder["film"]) == Data(contentsOf: folder["Mocks/film.bin"]))
    }

    /// What is reported of a download.
    private static func reports(_ steps: [Int64]) -> [TransferProgress] {
        steps.map { TransferProgress(completedBytes: $0, totalBytes: steps.last, isFinished: $0 == steps.last) }
    }

    @Test func `Every kind of call reports the same steps`() async throws {
        let logs = (1...6).map { _ in ProgressLog() }
        let route = Route.get("x").mock("tiny")
        try await run { client in
            let values = try await client.send(route, as: [Int].self, progress: logs[0].add)
            try await client.send(route, progress: logs[1].add)
            let response = try await client.response(for: route, as: [Int].self, progress: logs[2].add)
            let data = try await client.data(for: route, progress: logs[3].add)
            try await client.download(route, to: folder["tiny"], progress: logs[4].add)
            let others = try await client.send(Tiny(), progress: logs[5].add)
            #expect((values, response.source != .network, data, others) == ([1], true, Data("[1]".utf8), [1]))
        }
        for log in logs { #expect((log.faults, log.all) == ([], Self.reports([1, 2, 3]))) }
    }

    struct Tiny: Endpoint {
        typealias Response = [Int]
        var path: RoutePath { "x" }
        var mock: MockName? { "tiny" }
    }

    @Test func `The steps and speeds are the same in each run, on the virtual clock`() async throws {
        var runs: [[TransferProgress]] = []
        for _ in 1...2 {
            let log = ProgressLog()
            let clock = VirtualClock()
            try await run(clock: clock) { client in
                let route = Route.put("x").body(.data(Data(count: 500))).mock("slow.bin")
                try await client.send(route, progress: log.add)
            }
            #expect((clock.now.offset, log.outcome) == (.seconds(2), .end(1000, total: 1000)))
            runs.append(log.all)
        }
        let uploads = runs[0].prefix(10)
        let steps = (1...10).map { Int64($0 * 50) }
        #expect((runs[0], uploads.map(\.completedBytes)) == (runs[1], steps))
        #expect(uploads.allSatisfy { $0.direction == .upload && $0.totalBytes == 500 })
        // Half of the two seconds for each body.
        #expect(runs[0].map { $0.bytesPerSecond.rounded() } == (1...20).map { $0 <= 10 ? 500 : 1000 })
        #expect((runs[0][14].remaining?.components.seconds, runs[0].count { $0.isFinished }) == (0, 2))
    }

    @Test func `Files and forms are uploads too, and a stream is not read`() async throws {
        let file = folder["upload.bin"]
        try Data(count: 2 << 20).write(to: file)
        let form = MultipartForm(boundary: "b").field("a", "b")
        let bodies: [(RequestBody, size: Int64?, steps: Int)] = [
            (.file(file), 2 << 20, 10), (.multipart(form), 59, 10), (.multipart(form.file("f", file)), nil, 10),
            (.json([1]), 3, 3), (.stream(BodyStream { InputStream(data: Data(count: 10)) }), nil, 0),
        ]
        for (body, size, steps) in bodies {
            let log = ProgressLog()
            try await run { try await $0.send(Route.post("x").body(body).mock("tiny"), progress: log.add) }
            let last = log.uploads.last?.completedBytes
            #expect((log.outcome, log.uploads.count) == (.end(3, total: 3), steps), "\(body)")
            #expect(size == nil || last == size, "\(body)")
            #expect(log.uploads.allSatisfy { $0.totalBytes == last }, "\(body)")
        }
    }

    @Test func `A failure ends no download`() async throws {
        for (mock, steps) in [("missing", []), ("cut", [4])] as [(MockName, [Int64])] {
            let log = ProgressLog()
            await #expect(throws: APIError.self) {
                let route = Route.post("x").body(.data(Data(count: 20))).mock(mock)
                try await run(["missing": "404"]) { try await $0.send(route, progress: log.add) }
            }
            let sent = (1...10).map { Int64($0 * 2) }
            #expect((log.downloads.map(\.completedBytes), log.uploads.map(\.completedBytes)) == (steps, sent))
            #expect((log.faults, log.downloads.contains { $0.isFinished }) == ([], false))
        }
    }

    @Test func `A retry starts anew`() async throws {
        let log = ProgressLog()
        try await run {
            $0.retry = .standard
        } _: { client in
            Mocks.set("x", .sequence([.status(503), .data(Data("done".utf8))]))
            try await client.send(Route.put("x").body(.data(Data(count: 20))).mock("x"), progress: log.add)
        }
        let steps = (0..<20).map { step in Int64(step % 10 + 1) * 2 }
        let attempts = (0..<20).map { $0 / 10 + 1 }
        #expect((log.uploads.map(\.attempt), log.uploads.map(\.completedBytes)) == (attempts, steps))
        #expect(log.outcome == .end(4, total: 4, attempt: 2))
    }

    @Test func `A closure may start another call, and that call belongs to the same scope`() async throws {
        let others = AsyncStream<[Int]>.makeStream()
        try await run { client in
            try await client.send(Route.get("x").mock("tiny")) { _ in
                Task { others.continuation.yield(try await client.send(Route.get("y").mock("tiny"), as: [Int].self)) }
            }
            var (iterator, values) = (others.stream.makeAsyncIterator(), [[Int]?]())
            for _ in 1...3 { values.append(await iterator.next()) }
            #expect((values, Mocks.calls.count) == ([[1], [1], [1]], 4))
        }
    }
}
