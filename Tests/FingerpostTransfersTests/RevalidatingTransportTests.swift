import CallSupport
import FingerpostStreams
import FingerpostTransfers

@Suite(.inTurn, .concurrent) struct RevalidatingTransportTests {
    /// A server whose answers have a tag, and which says when they have not changed.
    static func server(
        _ headers: KeyValuePairs<String, String> = ["ETag": "\"1\"", "X-Count": "1"], body: String = "[1]"
    ) throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            let tag = headers.first { $0.key == "ETag" }?.value
            let date = headers.first { $0.key == "Last-Modified" }?.value
            let isSame =
                request["If-None-Match"].map { $0 == tag } ?? request["If-Modified-Since"].map { $0 == date } ?? false
            connection.respond(
                isSame ? 304 : 200, headers: isSame ? ["X-Count": "2"] : headers, body: isSame ? "" : body)
        }
    }

    static func client(
        _ server: LoopbackServer, size: Int = 1 << 20, ignoring ignored: Set<HTTPHeaders.Name> = [],
        around inner: any Transport = URLSessionTransport(),
        _ configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        APIClient(baseURL: server.baseURL) {
            $0.transport = RevalidatingTransport(around: inner, maximumSize: size, ignoring: ignored)
            configure(&$0)
        }
    }

    static let route = Route.get("items")

    /// The headers of an answer that is kept around any transport.
    static let publicTag: HTTPHeaders = [.etag: "\"1\"", .cacheControl: "public"]

    @Test(arguments: [("ETag", "\"1\""), ("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")])
    func `An unchanged answer has the kept body`(_ name: String, _ value: String) async throws {
        let server = try Self.server([name: value, "X-Count": "1", "Content-Type": "application/json"])
        let client = Self.client(server)
        let first = try await client.response(for: Self.route, as: [Int].self)
        #expect(first.source == .network && first.value == [1])
        let second = try await client.response(for: Self.route, as: [Int].self)
        #expect(second.source == .revalidated && second.value == [1] && second.status == 200)
        #expect(second.headers["X-Count"] == "2" && second.headers[.contentType] == "application/json")
        #expect(server.requests.count == 2)
    }

    @Test func `Another transport and a route do without it`() async throws {
        let server = try Self.server()
        let client = Self.client(server)
        _ = try await client.data(for: Self.route)
        _ = try await client.with { $0.transport = URLSessionTransport() }.data(for: Self.route)
        for _ in 1...2 { _ = try await client.data(for: Self.route.header(.cacheControl, "max-age=0, No-Store")) }
        #expect(server.requests.allSatisfy { $0["If-None-Match"] == nil })
    }

    @Test(
        arguments: [
            (200, ["ETag": "\"1\"", "Cache-Control": "private, No-Store"]),
            (200, ["ETag": "\"1\"", "Cache-Control": "no-store=\"X-A\""]),
            (200, ["ETag": "\"1\"", "Cache-Control": "no-store = 1"]),
            (200, ["ETag": "\"1\"", "Vary": "*"]), (200, ["X-Tag": "1"]), (203, ["ETag": "\"1\""]),
        ] as [(Int, KeyValuePairs<String, String>)])
    func `What must not be kept is not`(_ status: Int, _ headers: KeyValuePairs<String, String>) async throws {
        let server = try LoopbackServer { _, connection in connection.respond(status, headers: headers, body: "1") }
        let client = Self.client(server)
        for _ in 1...2 { _ = try await client.data(for: Self.route) }
        #expect(server.requests[1]["If-None-Match"] == nil)
    }

    @Test func `A body that breaks off is not kept`() async throws {
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 9\r\n\r\n1")
            connection.close()
        }
        let client = Self.client(server)
        for _ in 1...2 { await #expect(throws: APIError.self) { try await client.data(for: Self.route) } }
        #expect(server.requests.allSatisfy { $0["If-None-Match"] == nil })
    }

    @Test func `A body belongs to its credentials, its address and the headers of the request`() async throws {
        let server = try Self.server()
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

    @Test(arguments: [nil, "X-Request-Id, User-Agent, Accept-Encoding"])
    func `A header that is ignored counts if the answer names it in Vary`(_ vary: String?) async throws {
        let server = try Self.server(vary.map { ["ETag": "\"1\"", "Vary": $0] } ?? ["ETag": "\"1\""])
        let client = Self.client(server, ignoring: ["X-Request-Id", "Authorization"])
        let changes: [(HTTPHeaders.Name, String)] = [
            ("x-request-ID", "1"), ("User-Agent", "a"), ("Accept-Encoding", "identity"),
        ]
        _ = try await client.data(for: Self.route)
        for (name, value) in changes { _ = try await client.data(for: Self.route.header(name, value)) }
        #expect(server.requests.dropFirst().allSatisfy { ($0["If-None-Match"] == nil) == (vary != nil) })
        // The credentials of users always count.
        _ = try await client.data(for: Self.route.header(.authorization, "Bearer a"))
        #expect(server.requests.last?["If-None-Match"] == nil)
    }

    @Test func `Requests with a condition, a range, a body or another method are sent as they are`() async throws {
        let server = try Self.server()
        let client = Self.client(server)
        _ = try await client.response(for: Self.route, as: Data.self)
        let own = try await client.response(for: Self.route.header("If-None-Match", "\"1\""), as: Data.self)
        #expect(own.status == 304 && own.value.isEmpty)
        for name in ["If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range"] {
            _ = try await client.data(for: Self.route.header(HTTPHeaders.Name(rawValue: name), "x"))
        }
        _ = try await client.data(for: Route.post("items"))
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"1\""] + Array(repeating: nil, count: 6))
        // None of them took the place of the kept answer.
        #expect(try await client.response(for: Self.route, as: Data.self).source == .revalidated)
    }

    @Test func `A GET with a body is sent as it is`() async throws {
        let inner = StubTransport(200, Self.publicTag, "1")
        let transport = RevalidatingTransport(around: inner, maximumSize: 1 << 20)
        let plain = URLRequest(url: URL(string: "https://t.invalid/x")!)
        var (data, stream) = (plain, plain)
        data.httpBody = Data("{}".utf8)
        stream.httpBodyStream = InputStream(data: Data("{}".utf8))
        for request in [plain, data, stream] { _ = try await transport.send(request, for: Self.route) }
        #expect(inner.requests.allSatisfy { $0.value(forHTTPHeaderField: "If-None-Match") == nil })
    }

    @Test func `Files, streams and sinks are copied as they pass, and get the kept body`() async throws {
        let server = try Self.server(["ETag": "\"1\"", "Content-Type": "text/plain"], body: "a\nb")
        let folder = try TemporaryFolder()
        let ways: [@Sendable (APIClient) async throws -> String] = [
            { client in
                try await client.download(Self.route, to: folder["x"])
                return try String(contentsOf: folder["x"], encoding: .utf8)
            },
            { client in
                try await client.download(Self.route, to: folder["y"], resuming: true)
                return try String(contentsOf: folder["y"], encoding: .utf8)
            },
            { client in try await client.stream(Self.route).lines.all().joined(separator: "\n") },
            { client in
                let sink = TextSink()
                try await client.send(Self.route, into: sink)
                return sink.text
            },
        ]
        for first in ways {
            let client = Self.client(server) { $0.headers[.accept] = "*/*" }
            for (index, way) in ([first] + ways).enumerated() {
                #expect(try await way(client) == "a\nb")
                #expect((server.requests.last?["If-None-Match"] != nil) == (index > 0))
            }
        }
    }

    enum Large: CaseIterable, Sendable { case body, header, address }

    @Test(arguments: Large.allCases)
    func `What was not used for longest is dropped, and all that is kept of it counts`(_ large: Large) async throws {
        let text = String(repeating: "1", count: 3000)
        let server = try Self.server(
            ["ETag": "\"1\"", "X-A": large == .header ? text : ""], body: large == .body ? text : "1")
        let client = Self.client(server, size: 10_500)
        var route = Self.route
        if large == .address { route = route.query("text", text) }
        for page in [1, 2, 1, 3, 1, 2] { _ = try await client.data(for: route.query("page", page)) }
        #expect(server.requests.map { $0["If-None-Match"] != nil } == [false, false, true, false, true, false])
    }

    @Test func `A body that grows over the size passes, and is not kept`() async throws {
        let isLarge = Locked(false)
        let large = String(repeating: "1", count: 300_000)
        let server = try LoopbackServer { _, connection in
            // The size is not known from the head.
            connection.write("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nConnection: close\r\n\r\n")
            connection.write(isLarge.withLock { $0 } ? large : "1")
            connection.close()
        }
        let client = Self.client(server, size: 100_000)
        for isNowLarge in [false, true, false, false] {
            isLarge.withLock { $0 = isNowLarge }
            #expect(try await client.data(for: Self.route).count == (isNowLarge ? large.count : 1))
        }
        // The small answer is no longer that of the server.
        #expect(server.requests.map { $0["If-None-Match"] != nil } == [false, true, false, true])
    }

    @Test func `An answer that almost fills the store drops the others, and stays`() async throws {
        let server = try LoopbackServer { request, connection in
            let size = request.path == "/large" ? 90_000 : 20_000
            connection.respond(200, headers: ["ETag": "\"1\""], body: String(repeating: "1", count: size))
        }
        let client = Self.client(server, size: 100_000)
        for path: RoutePath in ["small", "large", "large"] { _ = try await client.data(for: Route.get(path)) }
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, nil, "\"1\""])
    }

    @Test func `A changed answer replaces the kept one`() async throws {
        let tag = Locked("")
        let server = try LoopbackServer { request, connection in
            let tag = tag.withLock(\.self)
            let isSame = request["If-None-Match"] == tag
            connection.respond(isSame ? 304 : 200, headers: ["ETag": tag], body: isSame ? "" : tag)
        }
        let client = Self.client(server)
        for value in ["\"1\"", "\"1\"", "\"2\"", "\"2\""] {
            tag.withLock { $0 = value }
            #expect(try await client.data(for: Self.route) == Data(value.utf8))
        }
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"1\"", "\"1\"", "\"2\""])
    }

    @Test func `A 304 that nobody asked for is an error, and so is one in a client without the setting`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(304) }
        for client in [Self.client(server), APIClient(baseURL: server.baseURL)] {
            #expect(try await failure { try await client.data(for: Self.route) }.kind == .status(304))
        }
    }

    @Test func `A redirect is not kept, and what it leads to is kept under its own address`() async throws {
        let server = try LoopbackServer { request, connection in
            if request.path == "/items" {
                connection.respond(302, headers: ["Location": "/other", "ETag": "\"0\""])
            } else if request["If-None-Match"] == "\"1\"" {
                connection.respond(304)
            } else {
                connection.respond(200, headers: ["ETag": "\"1\""], body: "1")
            }
        }
        let client = Self.client(server)
        for _ in 1...2 { #expect(try await client.data(for: Self.route) == Data("1".utf8)) }
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, nil, nil, "\"1\""])
    }

    /// The last one follows redirects itself.
    @Test(arguments: [false, true])
    func `A 304 of another address behind a redirect confirms nothing`(_ innerFollows: Bool) async throws {
        let other = try LoopbackServer { request, connection in
            if request["If-None-Match"] != nil { connection.respond(304) } else { connection.respond(200, body: "2") }
        }
        let isMoved = Locked(false)
        let server = try LoopbackServer { _, connection in
            if isMoved.withLock({ $0 }) {
                connection.respond(302, headers: ["Location": "\(other.baseURL)/items"])
            } else {
                connection.respond(200, headers: ["ETag": "\"1\"", "Cache-Control": "public"], body: "1")
            }
        }
        let client = Self.client(server, around: innerFollows ? FollowingTransport() : URLSessionTransport())
        #expect(try await client.response(for: Self.route, as: Data.self).value == Data("1".utf8))
        isMoved.withLock { $0 = true }
        let moved = try await client.response(for: Self.route, as: Data.self)
        #expect(moved.value == Data("2".utf8) && moved.source == .network)
        #expect(other.requests.map { $0["If-None-Match"] } == (innerFollows ? ["\"1\"", nil] : [nil]))
    }

    private struct FollowingTransport: Transport {
        let inner = URLSessionTransport()

        func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
            let response = try await inner.send(request, for: route)
            guard let location = response.headers[.location] else { return response }
            var next = request
            next.url = URL(string: location)
            return try await inner.send(next, for: route)
        }
    }

    /// What a 304 says beside being one, and whether the kept answer goes on.
    @Test(
        arguments: [
            ([:], true), (["ETag": "\"1\""], true), (["ETag": "W/\"1\""], true), (["ETag": "\"2\""], false),
            (["ETag": "W/\"2\""], false), (["Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT"], true),
            (["Last-Modified": "Fri, 02 Jan 2026 00:00:00 GMT"], false),
            (["ETag": "\"1\"", "Last-Modified": "Fri, 02 Jan 2026 00:00:00 GMT"], true),
            (["Vary": "X-A"], true), (["Vary": "x-a, X-B"], true), (["Vary": "X-B,X-C"], false), (["Vary": "*"], false),
            (["Cache-Control": "private"], true), (["Cache-Control": "max-age=0, no-store"], false),
            (["Cache-Control": "No-Store=\"X\""], false), (["Content-Type": "text/css", "Content-Length": "0"], true),
        ] as [([String: String], Bool)])
    func `A 304 updates the kept answer or ends it`(_ new: [String: String], _ goesOn: Bool) async throws {
        let kept: KeyValuePairs = [
            "ETag": "\"1\"", "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT", "Vary": "X-A, X-B",
            "Content-Type": "text/plain", "X-Count": "1",
        ]
        let server = try LoopbackServer { request, connection in
            if request["If-None-Match"] != nil {
                let fields = new.map { "\($0): \($1)\r\n" }.joined()
                connection.write("HTTP/1.1 304 Not Modified\r\nX-Count: 2\r\n\(fields)\r\n")
            } else {
                connection.respond(200, headers: kept, body: "1")
            }
        }
        let client = Self.client(server)
        _ = try await client.response(for: Self.route, as: Data.self)
        for _ in 1...2 {
            let response = try await client.response(for: Self.route, as: Data.self)
            #expect(response.value == Data("1".utf8) && response.status == 200 && response.attempts == 1)
            #expect(response.source == (goesOn ? .revalidated : .network))
            #expect(response.headers["X-Count"] == (goesOn ? "2" : "1"))
            #expect(response.headers[.contentType] == "text/plain" && response.headers[.contentLength] == "1")
            #expect(response.headers[.vary] == "X-A, X-B")
        }
        // An answer that has ended is asked for once more, without a condition.
        let asked = server.requests.map { $0["If-None-Match"] != nil }
        #expect(asked == [false] + (goesOn ? [true, true] : [true, false, true, false]))
        if goesOn { #expect(server.requests.last?["If-None-Match"] == new["ETag", default: "\"1\""]) }
    }

    @Test func `An answer that a 304 has ended is gone, whatever comes next`() async throws {
        let statuses = Locked([200, 304, 500, 200])
        let server = try LoopbackServer { _, connection in
            let status = statuses.withLock { $0.removeFirst() }
            let control = status == 304 ? "no-store" : "private"
            connection.respond(status, headers: ["ETag": "\"1\"", "Cache-Control": control], body: "")
        }
        let client = Self.client(server)
        _ = try await client.data(for: Self.route)
        let error = try await failure { try await client.data(for: Self.route) }
        #expect(error.kind == .status(500))
        _ = try await client.data(for: Self.route)
        #expect(server.requests.map { $0["If-None-Match"] != nil } == [false, true, false, false])
    }

    @Test func `Clients that share the transport and scopes share one store`() async throws {
        let server = try Self.server()
        let client = Self.client(server)
        _ = try await client.send(Self.route, as: [Int].self)
        let other = client.with { $0.timeout = .seconds(30) }
        let environment = try Environment("Staging", values: ["baseURL": "\(server.baseURL)"])
        for client in [client, other, client.with(environment: environment)] {
            let response = try await APIScope().run { try await client.response(for: Self.route, as: [Int].self) }
            #expect(response.source == .revalidated)
        }
        // A transport of its own has a store of its own.
        #expect(try await Self.client(server).response(for: Self.route, as: [Int].self).source == .network)
    }

    @Test func `Observers hear of a confirmed answer as of any other, and its progress ends whole`() async throws {
        let server = try Self.server()
        let (log, progress) = (CallList(), Locked<[TransferProgress]>([]))
        let client = Self.client(server) { $0.observers = [log] }
        for _ in 1...2 {
            _ = try await client.data(for: Self.route) { report in progress.withLock { $0.append(report) } }
            let last = try #require(progress.withLock { $0 }.last)
            #expect(last.isFinished && last.completedBytes == 3 && last.totalBytes == 3)
        }
        #expect(log.calls.map(\.source) == [.network, .revalidated])
        #expect(log.calls.map(\.status) == [200, 200] && log.calls.map(\.attempts) == [1, 1])
    }

    @Test func `Calls at once get the bodies of their own addresses`() async throws {
        let inner = StubTransport { request, _ in
            let isKept = request.value(forHTTPHeaderField: "If-None-Match") != nil
            return (isKept ? 304 : 200, Self.publicTag, isKept ? "" : request.url?.lastPathComponent ?? "")
        }
        // Answers are dropped while others are asked about.
        let transport = RevalidatingTransport(around: inner, maximumSize: 5_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                let request = URLRequest(url: URL(string: "https://t.invalid/\(number % 20)")!)
                group.addTask {
                    let response = try await transport.send(request, for: Self.route)
                    #expect(response.data == Data("\(number % 20)".utf8))
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `Nothing that is kept is in a description`() async throws {
        let inner = StubTransport(200, Self.publicTag, "b0dy")
        let transport = RevalidatingTransport(around: inner, maximumSize: 1 << 20)
        let request = URLRequest(url: URL(string: "https://t.invalid/s3cret")!)
        _ = try await transport.send(request, for: Self.route)
        _ = try await transport.send(request, for: Self.route)
        #expect(inner.requests.last?.value(forHTTPHeaderField: "If-None-Match") == "\"1\"")
        var text = ""
        dump(transport, to: &text)
        #expect(!text.contains("s3cret") && !text.contains("b0dy") && !text.contains("62 30"))
    }
}
