#if canImport(FoundationNetworking)
    import CallSupport
    import FoundationNetworking

    @testable import Fingerpost
    @testable import FingerpostFiles

    @Suite(.inTurn, .concurrent) struct EventQueueTests {
        @Test func `A session adds every event as a block, by the method that the queue overrides`() async throws {
            let server = try LoopbackServer { request, connection in
                switch request.path {
                case "/moved": connection.respond(302, headers: ["Location": "/here"])
                case "/private": connection.respond(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""])
                case "/cut": connection.reset()
                case "/silent": connection.waitUntilPeerCloses()
                default: connection.respond(200, body: repeatElement(0x78, count: 100_000))
                }
            }
            let queue = WatchedQueue()
            let delegate = EventCounter(queue)
            let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: queue)
            for path in ["here", "moved", "private", "cut", "upload", "silent"] {
                var request = URLRequest(url: server.baseURL.appendingPathComponent(path))
                request.httpMethod = path == "upload" ? "POST" : "GET"
                let body = Data(repeating: 0x78, count: 1_000_000)
                let task =
                    path == "upload" ? session.uploadTask(with: request, from: body) : session.dataTask(with: request)
                task.resume()
                if path == "silent" {
                    await poll { server.requests.last?.path == "/silent" }
                    task.cancel()
                }
                await poll { delegate.events.withLock { $0["end"] } == 1 }
                delegate.events.withLock { $0["end"] = nil }
            }
            session.finishTasksAndInvalidate()
            await poll { delegate.events.withLock { $0["invalid"] } == 1 }

            let events = delegate.events.withLock { $0.keys.sorted() }
            #expect(
                (events, queue.otherCalls.withLock { $0 })
                    == (["challenge", "data", "head", "invalid", "redirect", "sent"], []))
        }

        @Test func `Blocks and operations run one at a time, blocks in the order in which they come`() async {
            let queue = EventQueue()
            let log = Locked<(running: Int, blocks: [Int], operations: Int)>((0, [], 0))
            let enter = { @Sendable () -> Void in
                log.withLock { $0.running += 1 }
                #expect(log.withLock { $0.running } == 1)
            }
            for number in 0..<500 {
                queue.addOperation {
                    enter()
                    log.withLock { ($0.running, $0.blocks) = ($0.running - 1, $0.blocks + [number]) }
                }
                queue.addOperation(
                    BlockOperation {
                        enter()
                        log.withLock { ($0.running, $0.operations) = ($0.running - 1, $0.operations + 1) }
                    })
            }
            await poll { log.withLock { $0.blocks.count + $0.operations } == 1_000 }
            #expect(log.withLock { $0.blocks } == Array(0..<500))
        }
    }

    /// Runs blocks, and notes every other way in which it is given work.
    //
    // Sendable, because it adds two constants to its superclass, which is Sendable.
    private final class WatchedQueue: OperationQueue, @unchecked Sendable {
        let otherCalls = Locked([String]())
        private let serial = DispatchQueue(label: "WatchedQueue")

        override func addOperation(_ block: @escaping @Sendable () -> Void) { serial.async(execute: block) }

        override func addOperation(_ operation: Operation) {
            otherCalls.withLock { $0.append("addOperation(_: Operation)") }
            super.addOperation(operation)
        }

        override func addOperations(_ operations: [Operation], waitUntilFinished wait: Bool) {
            otherCalls.withLock { $0.append("addOperations") }
            super.addOperations(operations, waitUntilFinished: wait)
        }

        override func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {
            otherCalls.withLock { $0.append("addBarrierBlock") }
            super.addBarrierBlock(barrier)
        }

        /// Ends the process when it is called elsewhere than in a block of this queue.
        func expectCurrent() { dispatchPrecondition(condition: .onQueue(serial)) }
    }

    /// Counts events, each of which must run on its queue.
    private final class EventCounter: NSObject, URLSessionDataDelegate {
        let events = Locked([String: Int]())
        private let queue: WatchedQueue

        init(_ queue: WatchedQueue) { self.queue = queue }

        private func count(_ event: String) {
            queue.expectCurrent()
            events.withLock { $0[event, default: 0] += 1 }
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            count("head")
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { count("data") }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
            totalBytesExpectedToSend: Int64
        ) { count("sent") }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            count("redirect")
            completionHandler(nil)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            count("challenge")
            completionHandler(.cancelAuthenticationChallenge, nil)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            count("end")
        }

        func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { count("invalid") }
    }
#endif
