import CallSupport
import FingerpostTesting
import Foundation

/// Compiles and runs the code of the articles.
@Suite(.inTurn) struct ArticleTests {
    struct Traced: Middleware {
        let session: String

        func intercept(
            _ request: URLRequest, for route: Route, next: Next
        ) async throws -> Response<Data> {
            var request = request
            let trace = "\(session)/\(route.name)"
            request.setValue(trace, forHTTPHeaderField: "X-Trace")
            return try await next(request)
        }
    }

    @Test func `Middleware changes every request`() async throws {
        let transport = StubTransport(200)
        try await transport.client { $0.middleware = [Traced(session: "s")] }.send(Route.get("x"))
        #expect(transport.requests.first?.value(forHTTPHeaderField: "X-Trace") == "s/GET x")
    }

    @Test(arguments: [true, false]) func `Cookies are kept only by a session that keeps them`(isKept: Bool) async throws
    {
        let server = try LoopbackServer { request, connection in
            if request.path == "/login" {
                connection.respond(302, headers: ["Location": "/home", "Set-Cookie": "session=1; Path=/"])
            } else {
                connection.respond(
                    200, headers: ["Cache-Control": "max-age=600"], body: request["Cookie"] ?? "no cookie")
            }
        }
        var configuration = APIClient.Configuration()
        if isKept {
            configuration.transport = URLSessionTransport(configuration: { .ephemeral })
        }
        let client = APIClient(baseURL: server.baseURL, configuration)
        // Each client has a session of its own.
        let answers = try await [
            client.send(Route.post("login"), as: String.self), client.send(Route.get("home"), as: String.self),
            APIClient(baseURL: server.baseURL).send(Route.get("home"), as: String.self),
        ]
        let expected = isKept ? "session=1" : "no cookie"
        #expect(answers == [expected, expected, "no cookie"])
        #if canImport(FoundationNetworking)
            #expect(server.requestCount == 4)
        #endif
    }

    nonisolated struct Dish: Decodable { let name: String }

    actor Menu {
        private(set) var dishes = [Dish]()
        private var tag: String?

        func refresh(from client: APIClient) async throws {
            let route = Route.get("dishes").header(.ifNoneMatch, tag)
            let response = try await client.response(for: route, as: [Dish]?.self)
            guard response.status != 304 else { return }
            (dishes, tag) = (response.value ?? [], response.headers[.etag])
        }
    }

    @Test func `A body is loaded only if it has changed`() async throws {
        let tag = Locked("\"1\"")
        let server = try LoopbackServer { request, connection in
            let current = tag.withLock { $0 }
            let isSame = request["If-None-Match"] == current
            connection.respond(
                isSame ? 304 : 200, headers: ["ETag": current], body: isSame ? "" : #"[{"name": \#(current)}]"#)
        }
        let (client, menu) = (APIClient(baseURL: server.baseURL), Menu())
        var dishes: [[String]] = []
        for current in ["\"1\"", "\"1\"", "\"2\""] {
            tag.withLock { $0 = current }
            try await menu.refresh(from: client)
            dishes.append(await menu.dishes.map(\.name))
        }
        #expect(dishes == [["1"], ["1"], ["2"]])
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"1\"", "\"1\""])
    }

    struct AppSettings: Decodable {
        struct Analytics: Decodable {
            var host: URL
            var sampleRate: Double
        }
        var baseURL: URL
        var analytics: Analytics
    }

    @Test func `The files of the article EnvironmentFiles give its values and its explanation`() throws {
        let fixture = try EnvironmentFixture([
            "Base-Env.json": "{\n\n\"analytics\": { \"sampleRate\": 0.5 } }",
            "Staging-Env.json": """
            {
              "description": "Staging",
              "baseURL": "https://staging.example.com/v2",
              "analytics": { "host": "https://stats.example.com", "sampleRate": 0.1 }
            }
            """,
            "QA-Env.json": """
            {
              "description": "QA",
              "$extends": "Staging",
              "analytics": { "sampleRate": 1 }
            }
            """,
        ])
        try APIScope(environment: fixture.environment("Staging")).run {
            let environment = try APIEnvironment.current
            let host = try environment.value("analytics.host", as: URL.self)

            let settings = try APIEnvironment.current.decode(AppSettings.self)
            #expect((host.host, settings.analytics.sampleRate) == ("stats.example.com", 0.1))

            let scope = APIScope(
                environment: try APIEnvironment.current
                    .setting("analytics.sampleRate", to: 0))
            #expect(try scope.environment?.value("analytics.sampleRate", as: Double.self) == 0)
        }
        try APIScope(environment: fixture.environment("QA")).run {
            let page = try RepositoryFiles.text("Sources/Fingerpost/Fingerpost.docc/EnvironmentFiles.md")
            let text = fixture.withoutPath(try APIEnvironment.explain("analytics.sampleRate"))
            let shown = ["from ", "over "].reduce(text) { $0.replacing($1, with: "\($1)Environments/") }
            #expect(page.contains("\n\(shown)\n"), "\(shown)")
        }
    }

    @Test func `The plugin generates a property for a key, and a client is switched to another environment`() throws {
        let staging = try APIEnvironment.load("Staging")
        print(staging.timeout, try APIEnvironment.timeout)
        #expect(try staging.timeout == staging.value("timeout", as: Double.self))
        var client = try APIClient()
        client = client.with(environment: try APIEnvironment.load("Staging"))
        #expect(client.configuration.environment?.name == "Staging")
    }

    // MARK: Handling secrets

    @Test func `A key is sent on every call, and with a refresh too`() async throws {
        let environment = try EnvironmentFixture([
            "X-Env.json": """
            { "$network": "sealed", "baseURL": "https://h.invalid", "analytics": { "key": "s3cret-key" } }
            """
        ]).environment()
        var configuration = APIClient.Configuration()
        configuration.headers.add("X-Api-Key", environment: "analytics.key")
        let client = try APIClient(configuration)
        let scope = APIScope(environment: environment)
        try await scope.run {
            Mocks.set("stats", .sequence([.status(401), .status(204)]))
            Mocks.set("token", .json("new"))
            let store = InMemoryCredentialStore("old")
            let signedIn = client.with { configuration in
                configuration.authorization = .refreshing(store) { _ in
                    try await client.send(Route.post("token").mock("token"), as: String.self)
                }
            }
            try await signedIn.send(Route.get("stats").mock("stats"))
        }
        #expect(scope.calls.map { $0.request.value(forHTTPHeaderField: "X-Api-Key") } == ["s3cret-key", "s3cret-key"])
    }

    @Test func `A bearer key is that of the environment of each call`() async throws {
        let transport = StubTransport(204)
        var configuration = APIClient.Configuration()
        configuration.transport = transport
        configuration.authorization = .perEnvironment { environment in
            .bearer(
                try environment.value("api.key", as: Secret<String>.self)
                    .reveal())
        }
        let environments = try ["One", "Two"].map { name in
            try APIEnvironment(
                name,
                values: [
                    "baseURL": "https://\(name).example", "$secrets": ["api.key"] as [String],
                    "api": ["key": "key-of-\(name)"] as Parameters,
                ])
        }
        configuration.environment = environments[0]
        let client = try APIClient(configuration)
        for environment in environments { try await client.with(environment: environment).send(Route.get("x")) }
        #expect(transport.sent("Authorization") == ["Bearer key-of-One", "Bearer key-of-Two"])
    }

    struct Analytics: Decodable {
        var host: URL
        var key: Secret<String>
    }

    @Test func `The secret of HandlingSecrets prints as its key`() throws {
        let environment = try EnvironmentFixture([
            "X-Env.json": """
            {
              "$secrets": ["analytics.key"],
              "analytics": { "host": "https://stats.example.com", "key": null }
            }
            """
        ]).environment(variables: ["ENV__ANALYTICS__KEY": "s3cret"])
        let key = try environment.value("analytics.key", as: Secret<String>.self)
        print(key)  // <secret analytics.key>
        let route = Route.get("stats").header("X-Api-Key", key.reveal())
        let sameKey = try environment.value("analytics", as: Analytics.self).key
        #expect(
            ["\(key)", route.headers["X-Api-Key"], sameKey.reveal()] == ["<secret analytics.key>", "s3cret", "s3cret"])
    }
}
