import CallSupport
import FingerpostFiles
import FingerpostStreams
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

    enum Large: CaseIterable, Sendable { case body, header, address, varying }

    @Test(arguments: Large.allCases)
    func `What was not used for longest is dropped, and all that is kept of it counts`(_ large: Large) async throws {
        let text = String(repeating: "1", count: 3000)
        let server = try Self.server(
            ["ETag": "\"1\"", "Vary": "X-Large", "X-A": large == .header ? text : ""],
            body: large == .body ? text : "1")
        defer { server.stop() }
        let client = Self.client(server, size: 10_500)
        var route = Self.route
        if large == .address { route = route.query("text", text) }
        if large == .varying { route = route.header("X-Large", text) }
        for page in [1, 2, 1, 3, 1, 2] { _ = try await client.data(for: route.query("page", page)) }
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

    /// A server that says who is signed in, whose validator is the same for everybody, and which names no header in
    /// `Vary`.
    ///
    /// - Parameter isHeld: true while the first user waits for an answer.
    private static func accounts(
        _ validator: String = "ETag", isHeld: Locked<Bool> = Locked(false)
    ) throws -> LoopbackServer {
        let value = validator == "ETag" ? "\"1\"" : "Thu, 01 Jan 2026 00:00:00 GMT"
        return try LoopbackServer { request, connection in
            if request.path.hasPrefix("/login/") {
                let cookie = "sid=\(request.path.dropFirst("/login/".count)); Path=/"
                connection.respond(200, headers: ["Set-Cookie": cookie])
                return
            }
            while request["Cookie"] == "sid=a", isHeld.withLock({ $0 }) {
                if connection.waitUntilPeerCloses(atMost: .milliseconds(1)) { return }
            }
            if request["If-None-Match"] ?? request["If-Modified-Since"] != nil {
                connection.respond(304)
            } else {
                let user = request["Cookie"] ?? request["Authorization"] ?? "nobody"
                connection.respond(200, headers: [validator: value], body: user)
            }
        }
    }

    /// Who signs the second user in, and when.
    enum SignIn: CaseIterable, Sendable { case client, clientWith, otherClient, otherPort, duringCall }

    @Test(arguments: SignIn.allCases, ["ETag", "Last-Modified"])
    func `A user does not get the answer of another whose cookies the session stores`(
        _ signIn: SignIn, _ validator: String
    ) async throws {
        let isHeld = Locked(signIn == .duringCall)
        let server = try Self.accounts(validator, isHeld: isHeld)
        defer { server.stop() }
        let transport = URLSessionTransport(configuration: { .ephemeral })
        let client = Self.client(server) { $0.transport = transport }
        try await client.send(Route.get("login/a"))
        let first = Task { String(decoding: try await client.data(for: Self.route), as: UTF8.self) }
        if signIn == .duringCall { await server.received(2) } else { #expect(try await first.value == "sid=a") }

        let login = Route.get("login/b")
        switch signIn {
        case .client, .duringCall: try await client.send(login)
        case .clientWith: try await client.with { $0.headers["X-A"] = "1" }.send(login)
        case .otherClient: try await Self.client(server) { $0.transport = transport }.send(login)
        case .otherPort:
            // Cookies know no ports (RFC 6265 section 8.5).
            let other = try Self.accounts()
            defer { other.stop() }
            try await Self.client(other) { $0.transport = transport }.send(login)
        }
        isHeld.withLock { $0 = false }
        #expect(try await first.value == "sid=a")
        #expect(String(decoding: try await client.data(for: Self.route), as: UTF8.self) == "sid=b")
    }

    @Test func `A user does not get the answer of another whose token a transport adds`() async throws {
        let server = try Self.accounts()
        defer { server.stop() }
        let token = Locked("a")
        let client = Self.client(server) { $0.transport = SigningTransport(token: token) }
        for user in ["a", "b"] {
            token.withLock { $0 = user }
            #expect(String(decoding: try await client.data(for: Self.route), as: UTF8.self) == "Bearer \(user)")
        }
    }

    /// What may add credentials that the client does not see.
    enum Adding: CaseIterable, Sendable {
        case nothing, cookies, credentials, transport

        var transport: any Transport {
            switch self {
            case .nothing: URLSessionTransport()
            case .cookies: URLSessionTransport(configuration: { .ephemeral })
            case .credentials:
                URLSessionTransport {
                    let configuration = URLSessionTransport.standardConfiguration()
                    configuration.urlCredentialStorage = .shared
                    return configuration
                }
            case .transport: SigningTransport(token: Locked("a"))
            }
        }
    }

    @Test(
        arguments: Adding.allCases,
        [
            (nil, nil, true, false), ("max-age=0", nil, true, false), ("private", nil, true, false),
            ("public", nil, true, true), ("max-age=60, Public", nil, true, true),
            ("public", "Accept-Encoding", true, true), ("public", "Cookie", true, false),
            ("public", "accept, authorization", true, false), ("public, private=\"X-A\"", nil, true, false),
            ("private=\"X-A,public,X-B\"", nil, true, false), ("x=\"a,public,b\"", nil, true, false),
            ("publicity", nil, true, false), ("public, no-store", nil, false, false),
        ] as [(String?, String?, Bool, Bool)])
    func `If credentials may be added that the client does not see, only public answers are kept`(
        _ adding: Adding, _ row: (control: String?, vary: String?, isKept: Bool, isKeptByAll: Bool)
    ) async throws {
        let server = try LoopbackServer { _, connection in
            var head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 0\r\n"
            if let control = row.control { head += "Cache-Control: \(control)\r\n" }
            if let vary = row.vary { head += "Vary: \(vary)\r\n" }
            connection.write(head + "\r\n")
        }
        defer { server.stop() }
        let client = Self.client(server) { $0.transport = adding.transport }
        for _ in 1...2 { _ = try await client.data(for: Self.route) }
        let isKept = server.requests[1]["If-None-Match"] != nil
        #expect(isKept == (adding == .nothing ? row.isKept : row.isKeptByAll))
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
