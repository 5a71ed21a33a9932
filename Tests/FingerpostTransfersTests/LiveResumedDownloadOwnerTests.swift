import CallSupport
import FingerpostTransfers

/// Whose download goes on: that of the same account, of the same request, from the same address.
@Suite(.inTurn) struct LiveResumedDownloadOwnerTests: DownloadSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Receives what is kept, of a server that sends four bytes. Returns its description.
    @discardableResult
    private func breakOff(_ client: APIClient, _ route: Route = .get("x")) async throws -> String {
        unlink(file.path)
        await #expect(throws: APIError.self) { try await client.download(route, to: file, resuming: true) }
        let description = try String(contentsOf: folder[Kept.description], encoding: .utf8)
        try #require(description.contains("validator"))
        return description
    }

    private static func client(_ server: RangeServer, _ authorization: Authorization? = nil) -> APIClient {
        APIClient(baseURL: server.baseURL) { $0.authorization = authorization }
    }

    @Test func `A part belongs to the account that the store names, whatever its token`() async throws {
        // The last one is nobody, with no token.
        let accounts: [(String?, String?, Bool)] = [
            ("a", "b", false), ("a", "a", true), ("a", nil, false), (nil, "a", false), (nil, nil, true),
            ("a", "-", false),
        ]
        for (first, second, goesOn) in accounts {
            let server = try RangeServer("0123456789", breaks: [4], headers: [("Vary", "Authorization, Cookie")])
            let store = InMemoryCredentialStore("token 1", account: first)
            let client = Self.client(server, .refreshing(store) { _ in "new" })
            try await breakOff(client)
            store.clear()
            switch second {
            case "-"?: break
            case let account?: store.save("token 2", account: account)
            case nil: store.save("token 2")
            }
            try await client.download(Route.get("x"), to: file, resuming: true)
            let found = try (text, server.asked)
            #expect(
                found == ("0123456789", [nil, goesOn ? "bytes=4-" : nil]),
                "\(first ?? "none"), then \(second ?? "none")")
        }
    }

    @Test func `What is kept tells neither the account nor which parts belong to it`() async throws {
        let server = try RangeServer("0123456789", breaks: [4, 4])
        let store = InMemoryCredentialStore("token", account: "somebody@example.org")
        let client = Self.client(server, .refreshing(store) { _ in "new" })
        var descriptions: Set<String> = []
        for _ in 0..<2 {
            descriptions.insert(try await breakOff(client))
            try APIClient.discardPartialDownload(at: file)
        }
        let telling = descriptions.filter { $0.contains("somebody") || $0.contains("127.0.0.1") }
        #expect((descriptions.count, telling) == (2, []))
    }

    /// What the response depends on, two calls, and whether the second one goes on.
    private typealias Calls = (
        vary: String, first: (Authorization?, Route), second: (Authorization?, Route), goesOn: Bool
    )

    @Test func `A part belongs to a request with the headers that the response depends on, credentials aside`()
        async throws
    {
        func headers(_ vary: String, _ name: HTTPHeaders.Name, _ goesOn: Bool) -> Calls {
            let routes = ["1", "2"].map { Route.get("x").header("X-A", "1").header(name, $0) }
            return (vary, (nil, routes[0]), (nil, routes[1]), goesOn)
        }
        let x = Route.get("x")
        let foo = ["1", "2"].map { value in Authorization.dynamic { .custom(header: "X-Foo", value: value) } }
        let calls: [Calls] = [
            headers("Accept-Language", "Accept-Language", false),
            headers("X-A, accept-language", "Accept-Language", false), headers("X-A,,", "Accept-Language", true),
            headers("Accept-Encoding, Range, If-Range", "Accept-Encoding", true),
            headers("Authorization", "Authorization", true), headers("Cookie", "Cookie", true),
            headers("X-Api-Key", "X-Api-Key", true),
            // The header of the client's authorization is a credential, whatever its name.
            ("X-Foo", (foo[0], x), (foo[1], x), true), ("X-A", (nil, x), (nil, .get("y")), false),
            ("X-A", (nil, x), (nil, x.query("a", 1)), false), ("X-A", (nil, x), (nil, .post("x")), false),
        ]
        for (vary, first, second, goesOn) in calls {
            let server = try RangeServer("0123456789", breaks: [4], headers: [("Vary", vary)])
            try await breakOff(Self.client(server, first.0), first.1)
            try await Self.client(server, second.0).download(second.1, to: file, resuming: true)
            let (text, asked) = (try text, [nil, goesOn ? "bytes=4-" : nil])
            #expect((text, server.asked) == ("0123456789", asked), "\(vary) \(second.1)")
        }
    }

    @Test func `Of a response that depends on more than headers, nothing is kept`() async throws {
        let server = try RangeServer("0123456789", breaks: [4], headers: [("Vary", "Accept, *")])
        let client = Self.client(server)
        await #expect(throws: APIError.self) { try await client.download(Route.get("x"), to: file, resuming: true) }
        #expect(try folder.names == [])
    }

    @Test func `A redirect to the same path goes on with another query, and one to another address starts over`()
        async throws
    {
        for (second, goesOn) in [
            ("file?signature=2", true), ("other?signature=1", false), ("fil%65?signature=1", false), (nil, false),
        ] {
            let (first, other) = (try RangeServer("0123456789", breaks: [4]), try RangeServer("0123456789"))
            let target = Locked("\(first.baseURL)/file?signature=1")
            let redirector = try LoopbackServer { _, connection in
                connection.respond(302, headers: ["Location": target.withLock { $0 }])
            }
            let client = APIClient(baseURL: redirector.baseURL)
            try await breakOff(client)
            target.withLock { $0 = second.map { "\(first.baseURL)/\($0)" } ?? "\(other.baseURL)/file?signature=1" }
            let response = try await client.download(Route.get("x"), to: file, resuming: true)
            let reason = response.history.compactMap(\.error).first
            let found = try (text, first.asked + other.asked, reason?.contains("another address"))
            #expect(found == ("0123456789", [nil, "bytes=4-"] + (goesOn ? [] : [nil]), goesOn ? nil : true))
        }
    }
}
