import CallSupport
import FingerpostCallbacks
import FingerpostShared
import FingerpostTransfers

/// Callbacks and blocking calls return the same values and errors as `async` calls.
@Suite("Calling in three ways", .inTurn, .concurrent)
struct CallingInThreeWaysTests {
    struct Item: Codable, Equatable, Sendable { var id: Int }

    struct Get: Endpoint {
        typealias Response = Item
        let id: Int
        var path: RoutePath { "items/\(id)" }
    }

    struct Remove: Endpoint {
        let id: Int
        var method: HTTPMethod { .delete }
        var path: RoutePath { "items/\(id)" }
    }

    private let server: LoopbackServer
    private let client: APIClient

    init() throws {
        server = try LoopbackServer { request, connection in
            if request.path == "/missing" {
                connection.respond(404, body: #"{"message": "no such item"}"#)
            } else if request.method == "DELETE" {
                connection.respond(204)
            } else {
                connection.respond(200, body: #"{"id": \#(request.path.split(separator: "/").last ?? "0")}"#)
            }
        }
        client = APIClient(baseURL: server.baseURL)
    }

    /// Runs blocking work on a thread that belongs to no task.
    private static func onThread<Value: Sendable>(
        _ work: @escaping @Sendable () throws(APIError) -> Value
    ) async -> Result<Value, APIError> {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: Result(catching: work)) }.start()
        }
    }

    /// Waits for a callback.
    private static func waiting<Value: Sendable>(
        _ start: (@escaping @Sendable (Result<Value, APIError>) -> Void) -> Void
    ) async -> Result<Value, APIError> {
        await withCheckedContinuation { continuation in start { continuation.resume(returning: $0) } }
    }

    // MARK: The same answers

    @Test("Values, endpoints and empty responses are the same in every way") func answers() async throws {
        let route = Route.get("items/7")

        let queue = DispatchQueue(label: "answers")
        var ids = [try await client.send(route, as: Item.self).id]
        ids.append(try await Self.waiting { client.request(route, as: Item.self, on: queue, completion: $0) }.get().id)
        ids.append(
            try await Self.onThread { () throws(APIError) in try client.blocking.send(route, as: Item.self) }.get().id)

        ids.append(try await client.send(Get(id: 8)).id)
        ids.append(try await Self.waiting { client.request(Get(id: 8), on: queue, completion: $0) }.get().id)
        ids.append(try await Self.onThread { () throws(APIError) in try client.blocking.send(Get(id: 8)) }.get().id)

        try await client.send(Remove(id: 9))
        _ = try await Self.waiting { client.request(Remove(id: 9), on: queue, completion: $0) }.get()
        _ = try await Self.onThread { () throws(APIError) in try client.blocking.send(Remove(id: 9)) }.get()

        try await client.send(route)
        try await Self.waiting { client.request(route, on: queue, completion: $0) }.get()
        try await Self.onThread { () throws(APIError) in try client.blocking.send(route) }.get()
        let data = try await Self.onThread { () throws(APIError) in try client.blocking.data(for: route) }.get()
        #expect((ids, data) == ([7, 7, 7, 8, 8, 8], Data(#"{"id": 7}"#.utf8)))
        #expect(server.requests.map(\.target) == [7, 7, 7, 8, 8, 8, 9, 9, 9, 7, 7, 7, 7].map { "/items/\($0)" })
    }

    @Test("A download is the same in every way") func downloads() async throws {
        let (route, folder) = (Route.get("items/7"), try TemporaryFolder())
        let queue = DispatchQueue(label: "downloads")
        _ = try await client.download(route, to: folder["0"])
        _ = try await Self.waiting { client.download(route, to: folder["1"], on: queue, completion: $0) }.get()
        _ = try await Self.onThread { () throws(APIError) in
            try client.blocking.download(route, to: folder["2"])
        }.get()
        let bodies = try ["0", "1", "2"].map { try String(contentsOf: folder[$0], encoding: .utf8) }
        #expect(bodies == Array(repeating: #"{"id": 7}"#, count: 3))
    }

    @Test("An error is the same in every way") func errors() async throws {
        let route = Route.get("missing").named("Missing")
        let queue = DispatchQueue(label: "errors")
        let error = try await failure { try await client.send(route, as: Item.self) }
        let results: [Result<Item, APIError>] = [
            await Self.waiting { client.request(route, as: Item.self, on: queue, completion: $0) },
            await Self.onThread { () throws(APIError) in try client.blocking.send(route, as: Item.self) },
        ]
        let others = try results.map { result in
            "\(try #require(throws: APIError.self) { try result.get() })"
        }
        #expect(
            (others, error.kind, error.serverMessage) == (["\(error)", "\(error)"], .status(404), "no such item"))
    }

    // MARK: Callbacks

    @Test("A callback runs on the requested queue") func queue() async throws {
        let key = DispatchSpecificKey<String>()
        let queue = DispatchQueue(label: "mine")
        queue.setSpecific(key: key, value: "mine")
        let found = await withCheckedContinuation { continuation in
            client.request(Get(id: 1), on: queue) { _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: key))
            }
        }
        #expect(found == "mine")
    }

    @Test("A callback runs exactly once, whenever the call is cancelled") func once() async throws {
        let queue = DispatchQueue(label: "once")
        let counts = Locked([Int](repeating: 0, count: 200))
        var generator = SeededGenerator(seed: 7)
        let (ends, end) = AsyncStream<Void>.makeStream()
        for index in 0..<200 {
            let task = client.request(Get(id: index), on: queue) { _ in
                counts.withLock { $0[index] += 1 }
                end.yield()
            }
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: task.cancel()
            case 1: queue.async { task.cancel() }
            default: break
            }
        }
        var iterator = ends.makeAsyncIterator()
        for _ in 0..<200 { await iterator.next() }
        // A second run of a callback would have been enqueued by now.
        queue.sync {}
        #expect(counts.withLock { $0 } == [Int](repeating: 1, count: 200))
    }

    @Test("Inside a task a blocking call fails and sends nothing") func insideTask() async throws {
        let route = Route.get("x")
        let calls: [@Sendable () throws -> Void] = [
            { _ = try client.blocking.send(Get(id: 1)) }, { try client.blocking.send(route) },
            { _ = try client.blocking.send(route, as: Item.self) }, { _ = try client.blocking.data(for: route) },
        ]
        for call in calls {
            for error in [
                try #require(throws: APIError.self) { try call() },
                try await #require(throws: APIError.self) { try await Task.detached { try call() }.value },
                try await #require(throws: APIError.self) { try await MainActor.run { try call() } },
            ] {
                #expect(error.kind == .invalidRoute && error.message.contains("inside a task"))
                #expect(error.fix?.contains("await") == true && error.route != nil)
            }
        }
        #expect(server.connectionCount == 0)
    }

    /// Dispatch has few threads, and adds one or two in a second.
    @Test("Blocking calls that occupy the threads of Dispatch end", .heavy) func manyBlocking() async throws {
        let results = Locked<[Result<Data, APIError>]>([])
        let route = Route.get("items/1").timeout(.seconds(20))
        for _ in 0..<100 {
            DispatchQueue.global().async {
                let result = Result { () throws(APIError) in try client.blocking.data(for: route) }
                results.withLock { $0.append(result) }
            }
        }
        await poll { results.withLock { $0.count } == 100 }
        let bodies = try results.withLock { $0 }.map { try $0.get() }
        #expect(Set(bodies) == [Data(#"{"id": 1}"#.utf8)])
    }

    /// Sends a blocking call when the body arrives.
    private struct BlockingSink: BodySink {
        let client: APIClient

        func begin(_ head: Response<Void>) {}
        func receive(_ bytes: Data) throws { try client.blocking.send(Get(id: 2)) }
    }

    @Test("In a sink a blocking call fails, because the transport would wait for it") func insideSink() async throws {
        let error = try await failure {
            try await client.send(Route.get("items/1"), into: BlockingSink(client: client))
        }
        #expect("\(error)".contains("while a transport hands over a response could deadlock"), "\(error)")
        #expect(server.requestCount == 1)
    }

    @Test(
        "On the main thread a blocking call fails while the run loop runs",
        .enabled { await Self.mainThreadRunsQueue() })
    func mainThread() async throws {
        let result: Result<Item, APIError> = await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                let timer = Timer(timeInterval: 0, repeats: false) { _ in
                    continuation.resume(
                        returning: Result { () throws(APIError) in try client.blocking.send(Get(id: 1)) })
                }
                RunLoop.main.add(timer, forMode: .default)
                _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 10))
            }
        }
        let error = try #require(throws: APIError.self) { try result.get() }
        #expect((error.message.contains("main thread"), server.connectionCount) == (true, 0))
    }

    /// False when `dispatchMain` runs the tests: then there is no main thread.
    private static func mainThreadRunsQueue() async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume(returning: Thread.isMainThread) }
        }
    }

    // MARK: Scopes

    @Test("Every way inherits the scope") func scopes() async throws {
        let client = try APIClient {
            $0.environment = try Environment("Outside", values: ["baseURL": "http://127.0.0.1:1"])
        }
        let scope = APIScope(environment: try Environment("Inside", values: ["baseURL": "\(server.baseURL)"]))
        let own = try await scope.run { try await client.send(Get(id: 5)) }
        let called = await Self.waiting { completion in
            scope.run { _ = client.request(Get(id: 6), on: DispatchQueue(label: "scopes"), completion: completion) }
        }
        // From a thread outside any task.
        let blocked = await Self.onThread { () throws(APIError) in
            let result = scope.run { Result { () throws(APIError) in try client.blocking.send(Get(id: 7)) } }
            return try result.get()
        }
        let found = try ([own.id, called.get().id, blocked.get().id], server.requestCount)
        #expect(found == ([5, 6, 7], 3))
    }
}
