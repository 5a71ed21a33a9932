import CallSupport
import Fingerpost
import TestSupport
import Testing

/// What every store does by default, and the store in memory.
@Suite(.inTurn) struct CredentialStoreTests {
    /// A store that implements only what it must.
    private struct PlainStore: CredentialStore {
        let store = InMemoryCredentialStore()

        func token() -> String? { store.token() }
        func save(_ token: String) { store.save(token) }
    }

    @Test(arguments: [PlainStore(), InMemoryCredentialStore()] as [any CredentialStore])
    func `A token is replaced only if it is the one that was named`(store: any CredentialStore) async throws {
        #expect(try await !store.save("first", replacing: "old"))
        #expect(try await store.save("first", replacing: nil))
        #expect(try await !store.save("second", replacing: nil))
        #expect(try await !store.save("second", replacing: "old"))
        #expect(try await store.token() == "first")
        #expect(try await store.save("second", replacing: "first"))
        #expect(try await store.token() == "second")
    }

    @Test func `A token that is replaced keeps its account`() async throws {
        let store = InMemoryCredentialStore("first", account: "a")
        #expect(store.save("second", replacing: "first"))
        let kept = try #require(await store.accountToken())
        #expect(kept == ("second", "a"))
    }

    @Test func `No change of a store in memory is lost`() async throws {
        let store = InMemoryCredentialStore()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...2 { group.addTask { try await store.count(10_000) } }
            try await group.waitForAll()
        }
        #expect(store.token() == "20000")
    }
}
