#if os(Linux)
    import CallSupport

    @testable import Fingerpost

    /// What a body costs that nobody wants any more. The memory is that of a process of its own.
    @Suite(.inTurn, .heavy) struct LiveBombTests {
        @Test func `A bomb of gzip takes no memory after the error at the limit, and after a cancellation`() async {
            await #expect(processExitsWith: .success) {
                try await expectNoGrowth { client, _ in
                    let error = try await failure { try await client.data(for: Route.get("bomb")) }
                    #expect(error.message == "the response's body is larger than 1000000 bytes")
                }
                try await expectNoGrowth { _, url in
                    let transport = URLSessionTransport()
                    let sink = CancellingSink()
                    let call = Task {
                        try await transport.send(URLRequest(url: url), for: Route.get("bomb"), into: sink)
                    }
                    sink.cancel { call.cancel() }
                    await #expect(throws: CancellationError.self) { try await call.value }
                }
            }
        }

        /// It keeps a core busy for minutes, at the cost of all other tests.
        @Test(.enabled(if: ProcessInfo.processInfo.environment["SOAK"] != nil))
        func `Calls end at their deadlines while Foundation decompresses a bomb`() async {
            await #expect(processExitsWith: .success) {
                // For this body, Foundation takes hours. If no task of the process runs any more, a thread ends it.
                Thread {
                    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 120)
                    exit(EXIT_FAILURE)
                }.start()
                let bomb = try CompressedZeros.data(256 << 20)
                let server = try LoopbackServer { request, connection in
                    guard request.path == "/bomb" else {
                        _ = connection.respond(200)
                        return
                    }
                    connection.write("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Encoding: gzip\r\n\r\n")
                    connection.write(bomb)
                    connection.waitUntilPeerCloses(atMost: .seconds(240))
                }
                let client = APIClient(baseURL: server.baseURL)
                let call = { @Sendable () -> APIError? in
                    do throws(APIError) { try await client.send(Route.get("x").timeout(.seconds(1))) } catch {
                        return error
                    }
                    return nil
                }
                let first = Task { try await client.send(Route.get("bomb").timeout(.seconds(240))) }
                // Until then, the bomb has not arrived.
                while await call()?.kind != .timedOut {}
                await withTaskGroup(of: APIError?.self) { group in
                    for _ in 0...ProcessInfo.processInfo.activeProcessorCount { group.addTask { await call() } }
                    for await error in group { #expect(error?.kind == .timedOut) }
                }
                first.cancel()
                await #expect(throws: APIError.self) { try await first.value }
            }
        }
    }

    /// Runs a call that a bomb answers, and expects that the process has not grown by its size when the session has
    /// closed the connection.
    private func expectNoGrowth(_ call: (APIClient, URL) async throws -> Void) async throws {
        let size = 128 << 20
        let bomb = try CompressedZeros.data(size)
        let server = try LoopbackServer { _, connection in
            // Without a length, the response does not end before the client closes the connection.
            connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
            connection.write(bomb)
            connection.waitUntilPeerCloses(atMost: .seconds(240))
        }
        defer { server.stop() }
        let client = APIClient(baseURL: server.baseURL) { $0.maximumResponseSize = 1_000_000 }
        try await ResidentMemory.expectGrowth(below: size / 2) {
            try await call(client, server.baseURL)
            #expect(await server.closedAllConnections())
        }
    }

    /// Cancels its call when the first bytes arrive.
    private final class CancellingSink: BodySink {
        private let state = Locked<(hasBytes: Bool, cancel: (@Sendable () -> Void)?)>((false, nil))

        /// Sets how to cancel the call, which may already have bytes.
        func cancel(_ cancel: @escaping @Sendable () -> Void) {
            let hasBytes = state.withLock { state in
                state.cancel = cancel
                return state.hasBytes
            }
            if hasBytes { cancel() }
        }

        func begin(_ head: Response<Void>) {}

        func receive(_ bytes: Data) {
            let cancel = state.withLock { state in
                state.hasBytes = true
                return state.cancel
            }
            cancel?()
        }
    }
#endif
