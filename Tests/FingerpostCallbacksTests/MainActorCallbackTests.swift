import CallSupport
import FingerpostCallbacks

/// Completions without a queue run on the main actor, so that they may read and change the state of views.
@Suite(.inTurn, .concurrent) @MainActor struct MainActorCallbackTests {
    struct Item: Decodable, Sendable { var id: Int }

    struct Get: Endpoint {
        typealias Response = Item
        var path: RoutePath { "items/1" }
    }

    /// A view model: its state belongs to the main actor, and its completions change the state without a hop.
    @MainActor final class Model {
        private(set) var ids: [Int] = []
        private(set) var scopes: [APIScope?] = []
        private let changes: AsyncStream<Void>.Continuation

        init(_ changes: AsyncStream<Void>.Continuation) { self.changes = changes }

        private func change(_ id: Int?) {
            ids.append(id ?? 0)
            scopes.append(.current)
            changes.yield()
        }

        func start(_ client: APIClient, file: URL) {
            let route = Route.get("items/1")
            client.request(route, as: Item.self) { self.change(try? $0.get().id) }
            client.request(Get()) { self.change(try? $0.get().id) }
            client.request(route) { _ in self.change(1) }
            client.request(route) { (result: Result<Item, APIError>) in self.change(try? result.get().id) }
            client.download(route, to: file) { _ in self.change(1) }
            Get().request(through: client, success: { self.change($0.id) }, failure: { _ in self.change(nil) })
            Get().request(
                as: Item.self, through: client, success: { self.change($0.id) }, failure: { _ in self.change(nil) })
            route.request(through: client, success: { self.change(1) }, failure: { _ in self.change(nil) })
        }

        func cancel(_ client: APIClient) {
            client.request(Get()) { result in
                if case .failure(let error) = result, error.kind == .cancelled { self.change(-1) }
            }.cancel()
        }
    }

    @Test func `A completion changes the state of the main actor`() async throws {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
        let model = Model(continuation)
        let client = StubTransport(200, [:], #"{"id": 1}"#).client()
        let (folder, scope) = (try TemporaryFolder(), APIScope())
        scope.run { model.start(client, file: folder["file"]) }
        var iterator = changes.makeAsyncIterator()
        for _ in 0..<8 { await iterator.next() }
        #expect(model.ids == Array(repeating: 1, count: 8) && model.scopes.allSatisfy { $0 === scope })
    }

    @Test func `The completion of a cancelled call runs on the main actor`() async {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
        let model = Model(continuation)
        model.cancel(StubTransport.silent.client())
        for await _ in changes { break }
        #expect(model.ids == [-1])
    }
}
