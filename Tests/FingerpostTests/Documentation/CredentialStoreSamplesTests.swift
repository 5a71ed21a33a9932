import CallSupport
import Foundation

/// The samples in the comment of `CredentialStore`.
@Suite(.inTurn) nonisolated struct CredentialStoreSamplesTests {
    /// In place of an app's own code for the Keychain.
    private enum Keychain {
        static let lock = NSLock()
        private static let items = Locked<[String: String]>([:])

        static func read(_ name: String) throws -> String? { items.withLock { $0[name] } }
        static func write(_ text: String, _ name: String) throws { items.withLock { $0[name] = text } }
    }

    struct LockedKeychain: CredentialStore {
        func token() throws -> String? { try Keychain.read("token") }

        func save(_ token: String, replacing old: String?) throws -> Bool {
            try Keychain.lock.withLock {
                guard try Keychain.read("token") == old else { return false }
                try Keychain.write(token, "token")
                return true
            }
        }
    }

    struct ObservedStore: CredentialStore {
        let inner: any CredentialStore
        let refreshed: @Sendable () -> Void

        func token() async throws -> String? { try await inner.token() }

        func accountToken() async throws -> (token: String, account: String?)? {
            try await inner.accountToken()
        }

        func save(_ token: String, replacing old: String?) async throws -> Bool {
            let isSaved = try await inner.save(token, replacing: old)
            if isSaved { refreshed() }
            return isSaved
        }
    }

    @Test func `No change of a store in the Keychain is lost`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...2 { group.addTask { try await LockedKeychain().count(1000) } }
            try await group.waitForAll()
        }
        #expect(try LockedKeychain().token() == "2000")
    }

    @Test func `A store around another one has its account, its token and its step`() async throws {
        let count = Locked(0)
        let inner = InMemoryCredentialStore("token", account: "a")
        let store = ObservedStore(inner: inner) { count.withLock { $0 += 1 } }
        let kept = try #require(await store.accountToken())
        let found = try await (store.token(), kept.token, kept.account)
        #expect(found == ("token", "token", "a"))
        let isSaved = try await [store.save("next", replacing: nil), store.save("next", replacing: "token")]
        #expect((isSaved, count.withLock { $0 }) == ([false, true], 1))
    }
}
