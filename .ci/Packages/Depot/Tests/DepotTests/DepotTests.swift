import Depot
import FingerpostTesting
import Testing

/// Tests that mocks answer, whatever `MOCKS` says.
@Suite(.mocks) struct DepotTests {
    private let client: APIClient

    init() throws { client = try Depot.client() }

    @Test func profile() async throws { #expect(try await client.send(Depot.me, as: User.self).plan != nil) }

    @Test(.mocks(["me": "pro"])) func variant() async throws {
        #expect(try await client.send(Depot.me, as: User.self).plan == "pro")
    }

    @Test(.recording) func firstPage() async throws {
        #expect(try await client.send(Depot.items(page: 1), as: [Item].self).count == 1)
    }

    @Test func deletion() async throws {
        _ = try await client.send(Depot.create(name: "x"), as: Item.self)
        try await client.send(Depot.delete(id: 7))
    }
}

/// `MOCKS=record:Staging swift test` makes the mocks, and `MOCKS=drift:Staging swift test` compares them.
@Suite(.recording) struct RecordingTests {
    private let client: APIClient

    init() throws { client = try Depot.client() }

    // It fails for nothing that the server answers.
    @Test func profile() async { _ = try? await client.data(for: Depot.me) }

    @Test func creation() async throws {
        let item: Item = try await client.send(Depot.create(name: "x"))
        #expect(item.id > 0)
        try await client.send(Depot.delete(id: item.id))
    }
}
