import CallSupport
import FingerpostTransfers

/// The progress of calls whose transport or middleware is the app's.
@Suite(.inTurn, .concurrent) struct TransportProgressTests {
    /// Pushes a body in pieces, and ends when its task is cancelled.
    private struct PiecewiseTransport: Transport {
        func send(_ request: URLRequest, for route: Route, into sink: any BodySink) async throws {
            try sink.begin(Response(status: 200, request: request))
            while true {
                try sink.receive(Data(count: 10))
                if Task.isCancelled { break }
                await Task.yield()
            }
            // Some transports go on for a while.
            if Task.isCancelled { for _ in 1...10 { try sink.receive(Data(count: 10)) } }
        }
    }

    @Test func `A transport that returns the whole body is reported at the end`() async throws {
        let folder = try TemporaryFolder([:])
        let transport = StubTransport(200, [:], "whole")
        let (toMemory, toFile) = (ProgressLog(), ProgressLog())
        try await transport.client().send(Route.post("x").parameters(["a": 1]), progress: toMemory.add)
        try await transport.client().download(Route.get("x"), to: folder["file"], progress: toFile.add)
        for log in [toMemory, toFile] { #expect((log.outcome, log.uploads) == (.end(5, total: 5), [])) }
    }

    @Test func `A transport that goes on after the cancellation is not reported`() async throws {
        let log = ProgressLog()
        let client = PiecewiseTransport().client()
        let (reports, report) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await client.data(for: Route.get("x")) { progress in
                log.add(progress)
                report.yield()
            }
        }
        for await _ in reports { break }
        task.cancel()
        let error = try await failure { try await task.value }
        let count = log.all.count
        await settle()
        #expect((error.kind, log.all.count, log.all.contains { $0.isFinished }) == (.cancelled, count, false))
        #expect(log.faults == [])
    }

    /// Sends a second request while the first one is on its way, and goes on when the second one is refused.
    private struct Hedging: Middleware {
        let (hasBegun, isOpen): (Locked<Bool>, Locked<Bool>)

        func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
            try await withoutActuallyEscaping(next) { next in
                async let first = next(request)
                await poll { hasBegun.withLock(\.self) }
                await #expect(throws: APIError.self) { try await next(request) }
                isOpen.withLock { $0 = true }
                return try await first
            }
        }
    }

    @Test func `A second request that is refused does not count`() async throws {
        let (log, hasBegun, isOpen) = (ProgressLog(), Locked(false), Locked(false))
        let transport = StubTransport { _, _ in
            hasBegun.withLock { $0 = true }
            await poll { isOpen.withLock(\.self) }
            return (200, [:], "whole")
        }
        let client = transport.client { $0.middleware = [Hedging(hasBegun: hasBegun, isOpen: isOpen)] }
        _ = try await client.data(for: Route.get("x"), progress: log.add)
        #expect(log.outcome == .end(5, total: 5))
    }

    @Test func `A response that middleware makes is reported at the end`() async throws {
        struct Cache: Middleware {
            func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
                Response(status: 200, data: Data("cached".utf8), request: request)
            }
        }
        let log = ProgressLog()
        let transport = StubTransport(500)
        try await transport.client { $0.middleware = [Cache()] }.send(Route.get("x"), progress: log.add)
        let end = TransferProgress(completedBytes: 6, totalBytes: 6, isFinished: true)
        #expect((log.all, transport.requests.count) == ([end], 0))
    }
}
