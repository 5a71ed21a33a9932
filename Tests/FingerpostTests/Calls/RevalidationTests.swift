import FingerpostFiles
import FingerpostTesting
import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import Fingerpost

@Suite(.timeLimit(.minutes(5))) struct RevalidationTests {
    /// A server whose answers have a tag, and which says when they have not changed.
    private static func server(
        _ headers: KeyValuePairs<String, String> = ["ETag": "\"1\"", "X-Count": "1"], body: String = "[1]"
    ) throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            let tag = headers.first { $0.key == "ETag" }?.value
            let date = headers.first { $0.key == "Last-Modified" }?.value
            let isSame =
                request["If-None-Match"].map { $0 == tag } ?? request["If-Modified-Since"].map { $0 == date } ?? false
            if isSame {
                connection.respond(304, headers: ["X-Count": "2"])
            } else {
                connection.respond(200, headers: headers, body: body)
            }
        }
    }

    private static func client(
        _ server: LoopbackServer, size: Int = 1 << 20, _ configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        APIClient(baseURL: server.baseURL) {
            $0.revalidation = .memory(maximumSize: size)
            configure(&$0)
        }
    }

    private static let route = Route.get("items")

    @Test(arguments: ["ETag", "Last-Modified"]) func `An unchanged answer has the kept body`(_ name: String)
        async throws
    {
        let value = name == "ETag" ? "\"1\"" : "Thu, 01 Jan 2026 00:00:00 GMT"
        let server = try LoopbackServer { request, connection in
            let condition = name == "ETag" ? "If-None-Match" : "If-Modified-Since"
            if request[condition] == value {
                connection.respond(304, headers: ["X-Count": "2"])
            } else {
                connection.respond(
                    200, headers: [name: value, "X-Count": "1", "Content-Type": "application/json"], body: "[1]")
            }
        }
        defer { server.stop() }
        let client = Self.client(server)
        let first = try await client.response(for: Self.route, as: [Int].self)
        #expect(first.source == .network && first.value == [1])
        let second = try await client.response(for: Self.route, as: [Int].self)
        #expect(second.source == .revalidated && second.value == [1] && second.status == 200)
        #expect(second.headers["X-Count"] == "2" && second.headers[.contentType] == "application/json")
        #expect(server.requests.count == 2)
    }

    @Test func `It is off by default, and a route may do without it`() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let plain = APIClient(baseURL: server.baseURL)
        for _ in 1...2 { _ = try await plain.data(for: Self.route) }
        let client = Self.client(server)
        for _ in 1...2 { _ = try await client.data(for: Self.route.revalidates(false)) }
        #expect(server.requests.allSatisfy { $0["If-None-Match"] == nil })
    }

    @Test(
        arguments: [
            ["ETag": "\"1\"", "Cache-Control": "private, No-Store"], ["ETag": "\"1\"", "Vary": "*"], ["X-Tag": "1"],
        ] as [KeyValuePairs<String, String>])
    func `What must not be kept is not`(_ headers: KeyValuePairs<String, String>) async throws {
        let server = try Self.server(headers)
        defer { server.stop() }
        let client = Self.client(server)
        for _ in 1...2 { _ = try await client.data(for: Self.route) }
        #expect(server.requests[1]["If-None-Match"] == nil)
    }

    @Test func `A body belongs to its credentials, its address and the headers of Vary`() async throws {
        let server = try Self.server(["ETag": "\"1\"", "Vary": "Accept-Language"])
        defer { server.stop() }
        let token = Locked("a")
        let client = Self.client(server) { $0.authorization = .dynamic { .bearer(token.withLock { $0 }) } }
        let german = Self.route.header(.acceptLanguage, "de")
        for route in [Self.route, german, german, Self.route.query("page", 2), Self.route] {
            _ = try await client.data(for: route)
        }
        token.withLock { $0 = "b" }
        _ = try await client.data(for: Self.route)
        _ = try await client.with { $0.headers["X-A"] = "1" }.data(for: Self.route)
        #expect(server.requests.map { $0["If-None-Match"] != nil } == [false, false, true, false, true, false, false])
    }

    @Test func `A call with a condition, a POST, a download and a stream are sent as they are`() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let client = Self.client(server)
        _ = try await client.data(for: Self.route)
        let folder = try TemporaryFolder()
        try await client.download(Self.route, to: folder["x"])
        #expect(try await client.stream(Self.route).lines.all() == ["[1]"])
        _ = try await client.data(for: Route.post("items"))
        let own = try await client.response(for: Self.route.header("If-None-Match", "\"1\""), as: Data.self)
        #expect(own.status == 304 && own.value.isEmpty)
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, nil, nil, nil, "\"1\""])
    }

    @Test func `The bodies that were not used for longest are dropped`() async throws {
        let server = try Self.server(body: String(repeating: " ", count: 3000) + "[1]")
        defer { server.stop() }
        let client = Self.client(server, size: 10_000)
        for page in [1, 2, 1, 3, 1, 2] { _ = try await client.data(for: Self.route.query("page", page)) }
        #expect(server.requests.map { $0["If-None-Match"] != nil } == [false, false, true, false, true, false])
    }

    @Test func `A changed answer replaces the kept one`() async throws {
        let tag = Locked(1)
        let server = try LoopbackServer { request, connection in
            let tag = "\"\(tag.withLock { $0 })\""
            if request["If-None-Match"] == tag {
                connection.respond(304)
            } else {
                connection.respond(200, headers: ["ETag": tag], body: tag)
            }
        }
        defer { server.stop() }
        let client = Self.client(server)
        var bodies: [String] = []
        for number in [1, 1, 2, 2] {
            tag.withLock { $0 = number }
            bodies.append(String(decoding: try await client.data(for: Self.route), as: UTF8.self))
        }
        #expect(bodies == ["\"1\"", "\"1\"", "\"2\"", "\"2\""])
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"1\"", "\"1\"", "\"2\""])
    }

    @Test func `A 304 that nobody asked for is an error, and so is one in a client without the setting`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(304) }
        defer { server.stop() }
        for client in [Self.client(server), APIClient(baseURL: server.baseURL)] {
            let error = try await #require(throws: APIError.self) { try await client.data(for: Self.route) }
            #expect(error.kind == .status(304))
        }
    }

    @Test func `A response after a redirect is not kept`() async throws {
        let server = try LoopbackServer { request, connection in
            if request.path == "/items" {
                connection.respond(302, headers: ["Location": "/other"])
            } else {
                connection.respond(200, headers: ["ETag": "\"1\""], body: "1")
            }
        }
        defer { server.stop() }
        let client = Self.client(server)
        for _ in 1...2 { _ = try await client.data(for: Self.route) }
        #expect(server.requests.allSatisfy { $0["If-None-Match"] == nil })
    }

    /// Adds a credential that the client does not see.
    private struct SigningTransport: Transport {
        let inner = URLSessionTransport()
        let token: Locked<String>

        func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
            var request = request
            request.setValue("Bearer \(token.withLock { $0 })", forHTTPHeaderField: "Authorization")
            return try await inner.send(request, for: route)
        }
    }

    /// A server that says who is signed in, whose tag is the same for everybody.
    private static func accounts(vary: KeyValuePairs<String, String>) throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            if request.path.hasPrefix("/login/") {
                let cookie = "sid=\(request.path.dropFirst("/login/".count)); Path=/"
                connection.respond(302, headers: ["Set-Cookie": cookie, "Location": "/welcome"])
            } else if request.path == "/welcome" {
                connection.respond(200)
            } else if request["If-None-Match"] != nil {
                connection.respond(304)
            } else {
                let user = request["Cookie"] ?? request["Authorization"] ?? "nobody"
                connection.respond(
                    200, headers: KeyValuePairs(dictionaryLiteral: ("ETag", "\"1\""), vary[0]), body: user)
            }
        }
    }

    @Test(arguments: ["Cookie", "accept-encoding, cookie", "Accept"])
    func `A user does not get the answer of another whose cookies the session stores`(_ vary: String) async throws {
        let server = try Self.accounts(vary: ["Vary": vary])
        defer { server.stop() }
        let client = Self.client(server) { $0.transport = URLSessionTransport(configuration: { .ephemeral }) }
        for user in ["a", "b"] {
            _ = try await client.data(for: Route.get("login/\(user)"))
            let text = String(decoding: try await client.data(for: Self.route), as: UTF8.self)
            #expect(text == "sid=\(user)")
        }
    }

    @Test func `A user does not get the answer of another whose token a transport adds`() async throws {
        let server = try Self.accounts(vary: ["Vary": "Authorization"])
        defer { server.stop() }
        let token = Locked("a")
        let client = Self.client(server) { $0.transport = SigningTransport(token: token) }
        for user in ["a", "b"] {
            token.withLock { $0 = user }
            #expect(String(decoding: try await client.data(for: Self.route), as: UTF8.self) == "Bearer \(user)")
        }
    }

    @Test func `An ordinary answer that varies by credentials is asked for again`() async throws {
        let server = try Self.server(["ETag": "\"1\"", "Vary": "Accept, Authorization, Cookie, Accept-Encoding"])
        defer { server.stop() }
        let client = Self.client(server) { $0.authorization = .bearer("token") }
        for _ in 1...2 { _ = try await client.data(for: Self.route) }
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"1\""])
    }

    @Test func `A 304 of another address behind a redirect confirms nothing`() async throws {
        let other = try LoopbackServer { request, connection in
            if request["If-None-Match"] != nil { connection.respond(304) } else { connection.respond(200, body: "2") }
        }
        defer { other.stop() }
        let isMoved = Locked(false)
        let server = try LoopbackServer { _, connection in
            if isMoved.withLock({ $0 }) {
                connection.respond(302, headers: ["Location": "\(other.baseURL)/items"])
            } else {
                connection.respond(200, headers: ["ETag": "\"1\""], body: "1")
            }
        }
        defer { server.stop() }
        let client = Self.client(server)
        #expect(try await client.data(for: Self.route) == Data("1".utf8))
        isMoved.withLock { $0 = true }
        let moved = try await client.response(for: Self.route, as: Data.self)
        #expect(moved.value == Data("2".utf8) && moved.source == .network)
    }

    @Test func `Of one address, a bounded number of bodies is kept`() async throws {
        let server = try Self.server(["ETag": "\"1\"", "Vary": "X-Number"])
        defer { server.stop() }
        let client = Self.client(server)
        for number in Array(0...32) + [1, 0] {
            _ = try await client.data(for: Self.route.header("X-Number", "\(number)"))
        }
        #expect(server.requests.map { $0["If-None-Match"] != nil }.suffix(2) == [true, false])
    }

    @Test func `A server that sets a cookie each time costs nothing for what others have sent`() throws {
        let store = RevalidationStore(.memory(maximumSize: 100_000_000))
        for number in 0..<10_000 {
            let request = URLRequest(url: try #require(URL(string: "https://a.invalid/\(number)")))
            store.keep(
                Response(status: 200, headers: ["ETag": "\"1\""], data: Data(), request: request), to: request,
                credentials: [], addsCredentials: true)
        }
        let other = Origin(try #require(URL(string: "https://b.invalid")))
        for _ in 0..<50_000 { store.drop(other) }
        var request = URLRequest(url: try #require(URL(string: "https://a.invalid/0")))
        #expect(store.condition(&request, credentials: []) != nil)
        store.drop(Origin(try #require(request.url)))
        var again = URLRequest(url: try #require(request.url))
        #expect(store.condition(&again, credentials: []) == nil)
    }

    @Test func `A mock says that nothing has changed, and tests share nothing`() async throws {
        let environment = try Environment("Testing", values: ["baseURL": "https://t.invalid"])
        let client = try APIScope(environment: environment).run {
            try APIClient { $0.revalidation = .memory(maximumSize: 1000) }
        }
        for _ in 1...2 {
            try await APIScope(environment: environment, clock: VirtualClock()).run {
                Mocks.set("items", .sequence([.json([1]).header("ETag", "\"1\""), .status(304)]))
                let route = Self.route.mock("items")
                #expect(try await client.send(route, as: [Int].self) == [1])
                let second = try await client.response(for: route, as: [Int].self)
                #expect(second.value == [1] && second.source == .revalidated)
                #expect(Mocks.calls.map(\.status) == [200, 200])
            }
        }
    }

    @Test func `A 401 between does not lose the body`() async throws {
        let server = try LoopbackServer { request, connection in
            if request["Authorization"] != "Bearer new" {
                connection.respond(401)
            } else if request["If-None-Match"] != nil {
                connection.respond(304)
            } else {
                connection.respond(200, headers: ["ETag": "\"1\""], body: "1")
            }
        }
        defer { server.stop() }
        let client = Self.client(server) {
            $0.authorization = .refreshing(InMemoryCredentialStore("old")) { _ in "new" }
        }
        for _ in 1...2 { #expect(try await client.data(for: Self.route) == Data("1".utf8)) }
        #expect(server.requests.map { $0["If-None-Match"] != nil } == [false, false, true])
    }
}
