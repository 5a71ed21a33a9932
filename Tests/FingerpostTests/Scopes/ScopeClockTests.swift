import Fingerpost
import FingerpostTesting
import Foundation
import Testing

/// The app's own waits in tests, and what it sends by itself.
@Suite(.timeLimit(.minutes(5))) @MainActor struct ScopeClockTests {
    /// Searches as one types, after a pause.
    @MainActor private final class Search {
        private(set) var results: [Int] = []
        private(set) var problem: APIError?
        private let client: APIClient
        private var task: Task<Void, Never>?
        var text = "" {
            didSet {
                task?.cancel()
                task = Task {
                    do {
                        try await APIScope.clock.sleep(for: .seconds(30))
                        let route = Route.get("search").query("q", text).mock("search")
                        results = try await client.send(route, as: [Int].self)
                    } catch { problem = error as? APIError }
                }
            }
        }

        init(_ client: APIClient) { self.client = client }
    }

    @Test(.mocks) func `A search as one types sends one call, and takes no time`() async throws {
        Mocks.set("search", .json([1, 2, 3]))
        let search = Search(try APIClient())
        for text in ["s", "sw", "swift"] { search.text = text }
        let call = try await Mocks.next("search")
        #expect(call.request?.url?.query == "q=swift")
        #expect(search.results == [1, 2, 3])
        #expect(Mocks.calls.count == 1)

        Mocks.set("search", .status(500))
        search.text = "x"
        #expect(try await Mocks.next("search").status == 500)
        #expect(search.problem?.kind == .status(500))
    }

    @Test(.mocks) func `Each call is returned once, also one that was answered before`() async throws {
        Mocks.set("a", .json(1))
        let client = try APIClient()
        for page in 1...2 { _ = try await client.data(for: Route.get("a").query("page", page).mock("a")) }
        let queries = [try await Mocks.next("a"), try await Mocks.next("a")].map { $0.request?.url?.query }
        #expect(queries == ["page=1", "page=2"])
    }

    @Test(.mocks) func `Cancellation ends the wait`() async throws {
        let task = Task { try await Mocks.next("never") }
        task.cancel()
        let error = await #expect(throws: APIError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
    }

    @Test(.mocks) func `The clock is that of the scope, and outside any scope the system's`() async throws {
        #expect(APIScope.clock is VirtualClock)
        let outside = await Task.detached { APIScope.clock is ContinuousClock }.value
        #expect(outside)
    }
}
