import CallSupport

/// Credentials that the inner transport adds, which the store cannot see.
extension RevalidatingTransportTests {
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
        let transport = URLSessionTransport(configuration: { .ephemeral })
        let client = Self.client(server, around: transport)
        try await client.send(Route.get("login/a"))
        let first = Task { String(decoding: try await client.data(for: Self.route), as: UTF8.self) }
        if signIn == .duringCall { await server.received(2) } else { #expect(try await first.value == "sid=a") }

        let login = Route.get("login/b")
        switch signIn {
        case .client, .duringCall: try await client.send(login)
        case .clientWith: try await client.with { $0.headers["X-A"] = "1" }.send(login)
        case .otherClient: try await Self.client(server, around: transport).send(login)
        case .otherPort:
            // Cookies know no ports (RFC 6265 section 8.5).
            let other = try Self.accounts()
            try await Self.client(other, around: transport).send(login)
        }
        isHeld.withLock { $0 = false }
        #expect(try await first.value == "sid=a")
        #expect(String(decoding: try await client.data(for: Self.route), as: UTF8.self) == "sid=b")
    }

    @Test func `A user does not get the answer of another whose token a transport adds`() async throws {
        let (server, token) = (try Self.accounts(), Locked("a"))
        let client = Self.client(server, around: SigningTransport(token: token))
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
        let client = Self.client(server, around: adding.transport)
        for _ in 1...2 { _ = try await client.data(for: Self.route) }
        let isKept = server.requests[1]["If-None-Match"] != nil
        #expect(isKept == (adding == .nothing ? row.isKept : row.isKeptByAll))
    }

    @Test func `A 304 that is no longer public ends an answer that all users shared`() async throws {
        let control = Locked("public")
        let server = try LoopbackServer { request, connection in
            let status = request["If-None-Match"] == nil ? 200 : 304
            let user = request["Authorization"] ?? ""
            let headers: KeyValuePairs = ["ETag": "\"1\"", "Cache-Control": control.withLock { $0 }]
            connection.respond(status, headers: headers, body: status == 200 ? user : "")
        }
        let token = Locked("a")
        let client = Self.client(server, around: SigningTransport(token: token))
        for (user, next, body) in [("a", "public", "a"), ("b", "public", "a"), ("b", "private", "b")] {
            control.withLock { $0 = next }
            token.withLock { $0 = user }
            #expect(String(decoding: try await client.data(for: Self.route), as: UTF8.self) == "Bearer \(body)")
        }
        #expect(server.requests.map { $0["If-None-Match"] != nil } == [false, true, true, false])
    }
}
