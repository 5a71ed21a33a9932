import CallSupport
import FingerpostStreams
import FingerpostTesting
import FingerpostTransfers

@testable import Fingerpost

/// A call that began as one account, while another signs in.
@Suite(.inTurn, .concurrent) struct AccountTests {
    /// A store whose account changes between two reads.
    private struct ChangingStore: CredentialStore {
        let reads = Locked(0)

        func token() -> String? { "token" }
        func save(_ token: String, replacing old: String?) -> Bool { false }

        func accountToken() -> (token: String, account: String?)? { ("token", "account \(reads.next())") }
    }

    /// What happens while the first request is on its way.
    enum Change: String, CaseIterable {
        case otherAccount, noName, sameAccount, signedOut

        func apply(to store: InMemoryCredentialStore) {
            switch self {
            case .otherAccount: store.save("b1", account: "b")
            case .noName:
                store.clear()
                store.save("b1")
            case .sameAccount: store.save("a2", account: "a")
            case .signedOut: store.clear()
            }
        }
    }

    private static func authorizations(_ store: InMemoryCredentialStore) -> [Authorization] {
        let plain = Authorization.refreshing(store) { _ in "new" }
        return [plain, .combined(.custom(header: "X-Api-Key", value: "key"), plain), .perEnvironment { _ in plain }]
    }

    private static func client(
        _ transport: StubTransport, _ authorization: Authorization,
        _ configure: (inout APIClient.Configuration) -> Void
    ) throws -> APIClient {
        try transport.client(in: Environment("Local", values: ["baseURL": "https://a.invalid"])) {
            $0.authorization = authorization
            configure(&$0)
        }
    }

    @Test(arguments: Change.allCases, [401, 503])
    func `A call is not sent again as another account`(change: Change, status: Int) async throws {
        for number in 0..<3 {
            let store = InMemoryCredentialStore("a1", account: "a")
            let transport = StubTransport { request, count in
                if count == 0 { change.apply(to: store) }
                return (count == 0 ? status : 200, [.retryAfter: "0"], "")
            }
            let client = try Self.client(transport, Self.authorizations(store)[number]) { $0.retry = .standard }
            let error = await errorIfAny { try await client.send(Route.get("me")) }
            let sent = { transport.sent("Authorization") }
            switch change {
            case .otherAccount, .noName:
                let isNamed = error?.message.contains("another account has signed in")
                #expect(
                    (error?.kind, isNamed, error?.history.map(\.status), sent())
                        == (.cancelled, true, [status], ["Bearer a1"]), "\(number)")
                // The next call is that user's.
                try await client.send(Route.get("me"))
                #expect(sent() == ["Bearer a1", "Bearer b1"], "\(number)")
            case .sameAccount: #expect((error?.kind, sent()) == (nil, ["Bearer a1", "Bearer a2"]), "\(number)")
            case .signedOut: #expect(sent() == (status == 401 ? ["Bearer a1"] : ["Bearer a1", nil]), "\(number)")
            }
        }
    }

    @Test func `A call that waits in middleware is not sent as another account`() async throws {
        for number in 0..<3 {
            let store = InMemoryCredentialStore("a1", account: "a")
            let transport = StubTransport(200)
            let client = try Self.client(transport, Self.authorizations(store)[number]) {
                $0.middleware = [ChangingMiddleware { _ in store.save("b1", account: "b") }]
            }
            try await failure(.cancelled) { try await client.send(Route.get("me")) }
            // What needs no credential is sent.
            try await client.send(Route.get("https://b.invalid/x"))
            #expect(transport.requests.map(\.url?.host) == ["b.invalid"], "\(number)")
        }
    }

    @Test func `A form that is written to a file is not sent as another account`() async throws {
        let transport = StubTransport(200)
        let client = transport.client { $0.authorization = .refreshing(ChangingStore()) { _ in "new" } }
        let form = MultipartForm().data("a", Data("a".utf8), fileName: "a.txt")
        try await failure(.cancelled) { try await client.send(Route.post("form").multipart(form)) }
        // Without a form and without middleware, the store is read once.
        try await client.send(Route.get("x"))
        #expect(transport.requests.map(\.url?.path) == ["/x"])
    }

    @Test func `A feed is not connected again as another account`() async throws {
        let store = InMemoryCredentialStore("a1", account: "a")
        let server = try LoopbackServer { _, connection in
            store.save("b1", account: "b")
            connection.respond(200, headers: ["Content-Type": "text/event-stream"], body: "data: 1\n\n")
        }
        let environment = try Environment("Local", values: ["baseURL": server.baseURL.absoluteString])
        let received = try await APIScope(environment: environment, network: .live, clock: VirtualClock()).run {
            let client = try APIClient { $0.authorization = .refreshing(store) { _ in "new" } }
            var received: [String] = []
            try await failure(.cancelled) {
                for try await event in client.events(Route.get("x")) { received.append(event.data) }
            }
            return received
        }
        #expect((received, server.requests.map { $0["Authorization"] }) == (["1"], ["Bearer a1"]))
    }

    /// A list whose pages link to one another without end.
    private static func list(_ change: @escaping @Sendable (_ page: Int) -> Void) -> StubTransport {
        StubTransport { _, count in
            change(count + 1)
            return (200, [.link: "</items?page=\(count + 2)>; rel=next"], "[\(count + 1)]")
        }
    }

    @Test func `No page of a list is loaded as another account than the page before`() async throws {
        let store = InMemoryCredentialStore("a1", account: "a")
        let transport = Self.list { page in
            if page == 1 { store.save("a2", account: "a") }
            if page == 2 { store.save("b1", account: "b") }
        }
        let client = transport.client { $0.authorization = .refreshing(store) { _ in "new" } }
        let pages = client.pages(Route.get("items"), as: [Int].self, maximum: 5)
        var values: [Int] = []
        try await failure(.cancelled) { for try await page in pages { values += page.value } }
        // Another loop begins anew.
        for try await page in pages.prefix(2) { values += page.value }
        #expect(values == [1, 2, 3, 4])
        #expect(transport.sent("Authorization") == ["a1", "a2", "b1", "b1"].map { "Bearer \($0)" })
    }

    @Test func `A page that is loaded by itself is one of the account of the page before`() async throws {
        let store = InMemoryCredentialStore("a1", account: "a")
        let transport = Self.list { _ in }
        let client = transport.client { $0.authorization = .refreshing(store) { _ in "new" } }
        let pages = client.pages(Route.get("items"), as: [Int].self)
        let second = try await pages.page(after: pages.page())
        store.save("b1", account: "b")
        try await failure(.cancelled) { try await pages.page(after: second) }
        let first = try await pages.page()
        store.save("a2", account: "a")
        try await failure(.cancelled) { try await pages.page(after: first) }
        #expect(try await pages.page(after: second)?.value == [4])
        #expect(transport.sent("Authorization") == ["a1", "a1", "b1", "a2"].map { "Bearer \($0)" })
    }

    @Test func `A token that a refresh saves keeps its account`() async throws {
        let store = InMemoryCredentialStore("a1", account: "a")
        let transport = StubTransport { _, count in (count == 0 ? 401 : 200, [:], "") }
        let client = transport.client { $0.authorization = .refreshing(store) { _ in "a2" } }
        try await client.send(Route.get("me"))
        var kept = [await store.accountToken()]
        #expect(await store.save("a3", replacing: "a2"))
        kept.append(await store.accountToken())
        store.clear()
        kept.append(await store.accountToken())
        #expect(kept.map { $0.map { "\($0.token) of \($0.account ?? "-")" } } == ["a2 of a", "a3 of a", nil])
    }
}
