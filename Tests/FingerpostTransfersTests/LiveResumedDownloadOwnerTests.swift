import CallSupport
import FingerpostTransfers

/// Whose download goes on: that of the same account, of the same request, from the same address.
@Suite(.inTurn) struct LiveResumedDownloadOwnerTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Receives what is kept, of a server that sends four bytes. Returns its description.
    @discardableResult
    private func breakOff(_ client: APIClient, _ route: Route = .get("x")) async throws -> String {
        await #expect(throws: APIError.self) { try await client.download(route, to: file, resuming: true) }
        return try String(contentsOf: folder[Kept.description], encoding: .utf8)
    }

    /// Receives the whole.
    @discardableResult
    private func finish(_ client: APIClient, _ route: Route = .get("x")) async throws -> Response<URL> {
        try await client.download(route, to: file, resuming: true)
    }

    private static func client(_ server: RangeServer, _ authorization: Authorization? = nil) -> APIClient {
        APIClient(baseURL: server.baseURL) { $0.authorization = authorization }
    }

    /// The last one is nobody, with no token.
    @Test(
        arguments: [
            ("a", "b", false), ("a", "a", true), ("a", nil, false), (nil, "a", false), (nil, nil, true),
            ("a", "-", false),
        ] as [(String?, String?, Bool)])
    func `A part belongs to the account that the store names, whatever its token`(
        _ first: String?, _ second: String?, _ goesOn: Bool
    ) async throws {
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
        try await finish(client)
        #expect(try (text, server.asked) == ("0123456789", [nil, goesOn ? "bytes=4-" : nil]))
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

    @Test(arguments: [
        ("Accept-Language", "Accept-Language", false), ("X-A, accept-language", "Accept-Language", false),
        ("X-A,,", "Accept-Language", true), ("Accept-Encoding, Range, If-Range", "Accept-Encoding", true),
        ("Authorization", "Authorization", true), ("Cookie", "Cookie", true), ("X-Api-Key", "X-Api-Key", true),
    ])
    func `A part belongs to the headers that the response depends on, credentials aside`(
        _ vary: String, _ name: String, _ goesOn: Bool
    ) async throws {
        let server = try RangeServer("0123456789", breaks: [4], headers: [("Vary", vary)])
        let client = Self.client(server)
        let route = Route.get("x").header("X-A", "1")
        try await breakOff(client, route.header(.init(rawValue: name), "1"))
        try await finish(client, route.header(.init(rawValue: name), "2"))
        #expect(try (text, server.asked) == ("0123456789", [nil, goesOn ? "bytes=4-" : nil]))
    }

    @Test func `The header of the client's authorization is a credential, whatever its name`() async throws {
        let server = try RangeServer("0123456789", breaks: [4], headers: [("Vary", "X-Foo")])
        try await breakOff(Self.client(server, .dynamic { .custom(header: "X-Foo", value: "1") }))
        try await finish(Self.client(server, .dynamic { .custom(header: "X-Foo", value: "2") }))
        #expect(try (text, server.asked) == ("0123456789", [nil, "bytes=4-"]))
    }

    @Test func `Of a response that depends on more than headers, nothing is kept`() async throws {
        let server = try RangeServer("0123456789", breaks: [4], headers: [("Vary", "Accept, *")])
        let client = Self.client(server)
        await #expect(throws: APIError.self) { try await client.download(Route.get("x"), to: file, resuming: true) }
        #expect(try folder.names == [])
    }

    @Test(arguments: [Route.get("y"), .get("x").query("a", 1), .post("x")])
    func `Another request does not go on with the part`(_ route: Route) async throws {
        let server = try RangeServer("0123456789", breaks: [4])
        let client = Self.client(server)
        try await breakOff(client)
        try await finish(client, route)
        #expect(try (text, server.asked) == ("0123456789", [nil, nil]))
    }

    @Test(arguments: [
        ("file?signature=2", true), ("other?signature=1", false), ("fil%65?signature=1", false), (nil, false),
    ])
    func `A redirect to the same path goes on with another query, and one to another address starts over`(
        _ second: String?, _ goesOn: Bool
    ) async throws {
        let (first, other) = (try RangeServer("0123456789", breaks: [4]), try RangeServer("0123456789"))
        let target = Locked("\(first.baseURL)/file?signature=1")
        let redirector = try LoopbackServer { _, connection in
            connection.respond(302, headers: ["Location": target.withLock { $0 }])
        }
        let client = APIClient(baseURL: redirector.baseURL)
        try await breakOff(client)
        target.withLock { $0 = second.map { "\(first.baseURL)/\($0)" } ?? "\(other.baseURL)/file?signature=1" }
        let response = try await finish(client)
        let asked = first.asked + other.asked
        let reason = response.history.compactMap(\.error).first
        #expect(try (text, asked) == ("0123456789", [nil, "bytes=4-"] + (goesOn ? [] : [nil])))
        #expect(reason?.contains("another address") == (goesOn ? nil : true))
    }
}
