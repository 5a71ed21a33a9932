import CallSupport
import FingerpostTransfers

/// The progress of calls whose transport or middleware is the app's.
@Suite(.inTurn, .concurrent) struct TransportProgressTests {
    @Test
    func `A transport that returns the whole body, and a response that middleware makes, are reported at the end`()
        async throws
    {
        let folder = try TemporaryFolder([:])
        let client = StubTransport(200, [:], "whole").client()
        let (toMemory, toFile, cached) = (ProgressLog(), ProgressLog(), ProgressLog())
        try await client.send(Route.post("x").parameters(["a": 1]), progress: toMemory.add)
        try await client.download(Route.get("x"), to: folder["file"], progress: toFile.add)
        for log in [toMemory, toFile] { #expect((log.outcome, log.uploads) == (.end(5, total: 5), [])) }

        let transport = StubTransport(500)
        let cache = ClosureMiddleware { request, _, _ in
            Response(status: 200, data: Data("cached".utf8), request: request)
        }
        try await transport.client { $0.middleware = [cache] }.send(Route.get("x"), progress: cached.add)
        let end = TransferProgress(completedBytes: 6, totalBytes: 6, isFinished: true)
        #expect((cached.faults, cached.all, transport.requests.count) == ([], [end], 0))
    }

    @Test func `A transport that goes on after the cancellation is not reported`() async throws {
        let log = ProgressLog()
        // Pushes a body in pieces, and goes on for a while when its task is cancelled.
        let client = ClosureTransport { request, sink in
            try sink.begin(Response(status: 200, request: request))
            repeat {
                try sink.receive(Data(count: 10))
                await Task.yield()
            } while !Task.isCancelled
            for _ in 1...10 { try sink.receive(Data(count: 10)) }
        }.client()
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

    @Test func `A second request that is refused does not count`() async throws {
        let (log, hasBegun, isOpen) = (ProgressLog(), Locked(false), Locked(false))
        let transport = StubTransport { _, _ in
            hasBegun.withLock { $0 = true }
            await poll { isOpen.withLock(\.self) }
            return (200, [:], "whole")
        }
        // Sends a second request while the first one is on its way, and goes on when the second one is refused.
        let hedging = ClosureMiddleware { request, _, next in
            try await withoutActuallyEscaping(next) { next in
                async let first = next(request)
                await poll { hasBegun.withLock(\.self) }
                await #expect(throws: APIError.self) { try await next(request) }
                isOpen.withLock { $0 = true }
                return try await first
            }
        }
        _ = try await transport.client { $0.middleware = [hedging] }.data(for: Route.get("x"), progress: log.add)
        #expect(log.outcome == .end(5, total: 5))
    }
}
