import CallSupport

/// Clients that are made from others.
@Suite(.inTurn) struct SharedClientTests {
    @Test func `A changed copy shares connections and limits`() async throws {
        let server = try LoopbackServer { request, connection in
            if request.path == "/slow" { connection.waitUntilPeerCloses() } else { connection.respond(200, body: "1") }
        }
        let client = APIClient(baseURL: server.baseURL) { $0.maximumCallsPerHost = 1 }
        let admin = client.with {
            $0.authorization = .bearer("admin")
            #expect($0.transport == nil)
        }
        _ = try await client.data(for: Route.get("a"))
        _ = try await admin.data(for: Route.get("b"))
        #expect(server.requests.map { $0["Authorization"] } == [nil, "Bearer admin"])

        let slow = Task { try await client.data(for: Route.get("slow")) }
        await poll { server.requests.count == 3 }
        var error: APIError?
        // On a busy machine, a short timeout may end the call before it waits.
        for timeout in [0.2, 2, 20] where error?.message.contains("one of 1 connections") != true {
            error = try await failure(.timedOut) {
                try await admin.data(for: Route.get("c").timeout(.seconds(timeout)))
            }
        }
        let free = try await client.with { $0.maximumCallsPerHost = 2 }.data(for: Route.get("d"))
        let seen = (error?.message.contains("one of 1 connections"), error?.attempts, free)
        #expect(seen == (true, 0, Data("1".utf8)))
        slow.cancel()
        _ = await slow.result
    }

    @Test func `Coders that one client changes are not those of another`() {
        let (changed, other) = (APIClient.Configuration(), APIClient.Configuration())
        changed.decoder.keyDecodingStrategy = .convertFromSnakeCase
        changed.encoder.keyEncodingStrategy = .convertToSnakeCase
        for configuration in [other, APIClient.Configuration()] {
            if case .useDefaultKeys = configuration.decoder.keyDecodingStrategy {} else { Issue.record("decoder") }
            if case .useDefaultKeys = configuration.encoder.keyEncodingStrategy {} else { Issue.record("encoder") }
        }
        #expect(changed.decoder !== other.decoder && changed.encoder !== other.encoder)
    }

    @Test func `A copy with another transport shares nothing`() async throws {
        let (first, second) = (StubTransport(200, [:], "1"), StubTransport(200, [:], "2"))
        let client = first.client()
        let other = client.with { $0.transport = second }
        let texts = try await (
            other.send(Route.get("x"), as: String.self),
            client.with { $0.timeout = .seconds(5) }.send(Route.get("x"), as: String.self)
        )
        #expect((texts.0, texts.1, first.requests.count) == ("2", "1", 1))
        #expect(other.configuration.transport is StubTransport)
    }
}
