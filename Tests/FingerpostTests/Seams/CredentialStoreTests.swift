import CallSupport

/// The store in memory, and a store of an app.
@Suite(.inTurn, .concurrent) struct CredentialStoreTests {
    /// A store that implements only what it must, without `async`.
    private struct PlainStore: CredentialStore {
        private let saved = Locked<String?>(nil)

        func token() -> String? { saved.withLock { $0 } }

        func save(_ token: String, replacing old: String?) -> Bool {
            saved.withLock { saved in
                guard saved == old else { return false }
                saved = token
                return true
            }
        }
    }

    @Test func `A token is replaced only if it is the one that was named`() async throws {
        for store in [PlainStore(), InMemoryCredentialStore()] as [any CredentialStore] {
            let steps = try await store.replacements()
            #expect(steps == ["kept nothing", "saved first", "kept first", "kept first", "saved second"])
        }
    }

    @Test func `A store that does not know its accounts returns its token alone`() async throws {
        let store = PlainStore()
        #expect(try await store.accountToken() == nil)
        #expect(store.save("first", replacing: nil))
        let kept = try #require(await store.accountToken())
        #expect(kept == ("first", nil))
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
