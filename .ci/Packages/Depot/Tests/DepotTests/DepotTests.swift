import Depot
import FingerpostTesting
import Foundation
import Testing

/// Tests that know nothing of a comparison with a server.
@Suite(.mocks) struct DepotTests {
    private let client: APIClient

    init() throws { client = try APIClient() }

    @Test func profile() async throws { #expect(try await client.send(Depot.me, as: User.self).plan == "free") }

    @Test func list() async throws {
        #expect(try await client.send(Depot.items(page: 1), as: [Item].self).map(\.id) == [1])
    }

    @Test func item() async throws { #expect(try await client.send(Depot.item(id: 7), as: Item.self).id == 7) }

    @Test func news() async throws { #expect(try await client.send(Depot.news, as: [String].self) == ["a"]) }

    @Test(.mocks(["me": "pro"])) func variant() async throws {
        #expect(try await client.send(Depot.me, as: User.self).plan == "pro")
    }

    @Test func code() async throws {
        Mocks.set("me", .json(["id": 1, "plan": "x"] as JSONValue))
        #expect(try await client.send(Depot.me, as: User.self).plan == "x")
    }

    @Test func otherServer() async throws {
        let port = ProcessInfo.processInfo.environment["OTHER_PORT"] ?? "1"
        let other = try APIClient { $0.baseURL = URL(string: "http://127.0.0.1:\(port)") }
        #expect(try await other.send(Depot.me, as: User.self).plan == "free")
    }

    @Test func creation() async throws { try await client.send(Depot.create(name: "x")) }

    @Test func deletion() async throws {
        #expect(try await client.send(Depot.item(id: 7), as: Item.self).id == 7)
        try await client.send(Depot.delete(id: 7))
    }
}
