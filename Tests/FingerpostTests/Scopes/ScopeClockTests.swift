import CallSupport
import FingerpostTesting

/// The app's own waits in tests, and what it sends by itself.
@Suite(.inTurn, .concurrent) @MainActor struct ScopeClockTests {
    @Test(.mocks) func `The code that made a call goes on before the call is returned`() async throws {
        Mocks.set("search", .sequence([.json([1]), .status(500)]))
        let client = try APIClient()
        var (results, problem) = ([Int](), APIError?.none)
        let task = Task {
            do throws(APIError) {
                while true { results += try await client.send(Route.get("x").mock("search"), as: [Int].self) }
            } catch { problem = error }
        }
        #expect(try await Mocks.next("search").status == 200 && results == [1])
        #expect(try await Mocks.next("search").status == 500 && problem?.kind == .status(500))
        await task.value
    }

    @Test(.mocks) func `Each call is returned once, also one that was answered before`() async throws {
        Mocks.set("a", .json(1))
        let client = try APIClient()
        for page in 1...2 { _ = try await client.data(for: Route.get("a").query("page", page).mock("a")) }
        let queries = [try await Mocks.next("a"), try await Mocks.next("a")].map { $0.request.url?.query }
        #expect(queries == ["page=1", "page=2"])
    }

    @Test(.mocks) func `A call that took longer than a later one is returned too`() async throws {
        let (opened, open) = AsyncStream.makeStream(of: Void.self)
        Mocks.set(
            "a",
            .respond { request in
                if request.url?.query == "page=1" { for await _ in opened { break } }
                return .json(1)
            })
        let client = try APIClient()
        let route = Route.get("a").mock("a")
        let slow = Task { try await client.data(for: route.query("page", 1)) }
        await poll { !Mocks.calls.isEmpty }
        let before = Mocks.calls
        _ = try await client.data(for: route.query("page", 2))
        let first = try await Mocks.next("a").request.url?.query
        open.yield()
        _ = try await slow.value
        #expect([first, try await Mocks.next("a").request.url?.query] == ["page=2", "page=1"])
        // What was read before does not change.
        #expect((before + Mocks.calls).map(\.status) == [nil, 200, 200])
    }

    @Test(.mocks) func `Of many tasks that ask at the same time, each gets another call`() async throws {
        Mocks.set("a", .json(1))
        let client = try APIClient()
        let queries = try await withThrowingTaskGroup(of: String?.self) { tasks in
            for page in 0..<500 {
                tasks.addTask {
                    _ = try await client.data(for: Route.get("a").query("page", page).mock("a"))
                    return try await Mocks.next("a").request.url?.query
                }
            }
            var queries: Set<String?> = []
            for try await query in tasks { queries.insert(query) }
            return queries
        }
        #expect(queries.count == 500 && Mocks.calls.count == 500)
    }

    private enum Tickets: Routable {
        case list
        case named
        var path: RoutePath { "tickets" }
        var mock: MockName? { if case .named = self { "tickets/all" } else { nil } }
    }

    @Test func `The calls of a mock include those that a server answered`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200, body: "[]") }
        let scope = APIScope(network: .live)
        try await scope.run {
            let client = APIClient(baseURL: server.baseURL)
            for ticket in [Tickets.list, .named] { _ = try await client.data(for: ticket) }
            let names: [MockName] = ["list", "Tickets/list", "tickets/all", "named"]
            #expect(names.map { Mocks.calls(of: $0).count } == [1, 1, 1, 0])
            // A call is returned once for each of the names of its mock.
            for name in ["list", "Tickets/list", "Tickets.list"] as [MockName] {
                #expect(try await Mocks.next(name).source == .network)
            }
        }
        _ = scope.close()
    }

    @Test(.mocks) func `Cancellation ends the wait`() async throws {
        let task = Task { try await Mocks.next("never") }
        task.cancel()
        let error = await #expect(throws: APIError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
    }

    @Test(.mocks) func `The clock is that of the scope, and outside any scope the system's`() async throws {
        let outside = await Task.detached { APIScope.clock is ContinuousClock }.value
        #expect(APIScope.clock is VirtualClock && outside)
    }
}
