#if os(Linux)
    import CallSupport
    import FoundationNetworking

    /// Calls that start while others keep every thread or every session busy. Each test has a process of its own,
    /// because it holds up all calls of its process.
    @Suite(.inTurn, .heavy) struct LiveStarvationTests {
        @Test func `Calls are answered while other tasks keep all threads of tasks busy`() async {
            await #expect(processExitsWith: .success) {
                let server = try LiveStartTests.server()
                let client = APIClient(baseURL: server.baseURL) { $0.maximumCallsPerHost = nil }
                let busy = (0..<4 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
                    Task.detached {
                        while !Task.isCancelled {
                            let end = ContinuousClock.now + .milliseconds(5)
                            while ContinuousClock.now < end {}
                            await Task.yield()
                        }
                    }
                }
                defer { for task in busy { task.cancel() } }
                try await LiveStartTests.expectAnswers(of: Array(repeating: client, count: 200))
            }
        }

        @Test func `While no session can start a task, cancelled calls end, and later ones are answered`() async {
            await #expect(processExitsWith: .success) {
                let server = try LiveStartTests.server()
                let held = HeldStream()
                let holding = Task {
                    try await APIClient(baseURL: server.baseURL).send(Route.post("held").body(.stream(held.body)))
                }
                defer { held.release() }
                for await _ in held.reads { break }

                let clients = LiveStartTests.clients(server)
                let cancelled = clients.map { client in
                    Task { try await client.data(for: Route.get("x").timeout(.seconds(120))) }
                }
                // Some are cancelled before they start, some after.
                for task in cancelled {
                    task.cancel()
                    await Task.yield()
                }
                for task in cancelled { try await failure(.cancelled) { try await task.value } }

                let later = Task { try await LiveStartTests.expectAnswers(of: clients) }
                held.release()
                try await holding.value
                try await later.value
            }
        }

        @Test func `A call of each of 300 clients is answered while Foundation decompresses a bomb`() async {
            await #expect(processExitsWith: .success) {
                let bomb = try CompressedZeros.data(256 << 20)
                let bombs = try LoopbackServer { _, connection in
                    connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
                    connection.write(bomb)
                    connection.waitUntilPeerCloses(atMost: .seconds(240))
                }
                let server = try LiveStartTests.server()
                let (pieces, piece) = AsyncStream.makeStream(of: Void.self)
                let bombed = Task {
                    try await URLSessionTransport().send(
                        URLRequest(url: bombs.baseURL), for: Route.get("bomb"), into: SignallingSink { piece.yield() })
                }
                for await _ in pieces { break }
                try await LiveStartTests.expectAnswers(of: LiveStartTests.clients(server))
                bombed.cancel()
                await #expect(throws: CancellationError.self) { try await bombed.value }
            }
        }
    }

    /// Calls a closure for each piece, and drops it.
    private struct SignallingSink: BodySink {
        let signal: @Sendable () -> Void

        func begin(_ head: Response<Void>) {}
        func receive(_ bytes: Data) { signal() }
    }

    /// A body whose first read waits, and with it the queue that all sessions of the process share.
    private final class HeldStream: Sendable {
        let reads: AsyncStream<Void>
        private let read: AsyncStream<Void>.Continuation
        private let gate = DispatchSemaphore(value: 0)

        init() { (reads, read) = AsyncStream.makeStream(of: Void.self) }

        var body: BodyStream { BodyStream { Input { [self] in wait() } } }

        func release() { gate.signal() }

        private func wait() {
            read.yield()
            gate.wait()
            gate.signal()
        }

        /// A stream without bytes that calls a closure when it is read.
        private final class Input: InputStream {
            private let willRead: () -> Void
            private var status = Status.notOpen

            init(_ willRead: @escaping () -> Void) {
                self.willRead = willRead
                super.init(data: Data())
            }

            override var streamStatus: Status { status }
            override var streamError: (any Error)? { nil }
            override var hasBytesAvailable: Bool { true }
            override func open() { status = .open }
            override func close() { status = .closed }

            override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
                willRead()
                status = .atEnd
                return 0
            }
        }
    }
#endif
