@testable import FingerpostTesting

@Suite(.inTurn) struct DriftTestTests {
    private struct User: Decodable, Sendable {
        var id: Int
        var plan: String?
    }

    private enum API: Routable {
        case me
        case user(id: String)
        case list(page: Int)
        case save, gone
        case other(URL)

        var method: HTTPMethod { if case .save = self { .post } else { .get } }
        var path: RoutePath {
            switch self {
            case .me: "me"
            case .user(let id): "users/\(id)"
            case .list: "list"
            case .save: "me"
            case .gone: "v1/gone"
            case .other(let url): "\(url)"
            }
        }
        var query: Parameters { if case .list(let page) = self { ["page": page] } else { [:] } }
    }

    private static let mocks = [
        "me": #"{"id": 1, "plan": "free"}"#, "user": #"{"id": 1}"#, "list": #"[{"id": 1}]"#, "save": "{}", "gone": "{}",
        "other": "{}",
    ]

    /// A test whose mocks are compared with a server.
    private final class Setup: Sendable {
        let run = DriftRun()
        let server: LoopbackServer
        let folder: TemporaryFolder
        let live: Environment

        init(_ handler: @escaping LoopbackServer.Handler) throws {
            server = try LoopbackServer(handler: handler)
            folder = try TemporaryFolder(
                Dictionary(uniqueKeysWithValues: mocks.map { ("Mocks/\($0).json", $1) }).merging([
                    "Mocks/me.locked.json": "{}", "Mocks/_scenarios.json": #"{"slow": {"*": {"delay": 1}}}"#,
                ]) { $1 })
            live = try Environment(
                "Live", values: ["baseURL": "\(server.baseURL)", "$secrets": ["key"], "key": "live-key-1234567890"])
        }

        var requests: [String] { server.requests.map { "\($0.method) \($0.target)" } }

        /// Runs a test with calls of these routes, which does not fail.
        func read(
            _ routes: any RouteConvertible..., access: DriftAccess? = nil, live: Environment? = nil,
            in run: DriftRun? = nil, within limit: Duration = DriftRun.limit,
            change: (inout APIClient.Configuration) -> Void = { _ in }
        ) async throws {
            let issues = try await test(access, live: live, in: run, within: limit, change) { client in
                for route in routes { _ = try await client.data(for: route) }
            }
            #expect(issues == [])
        }

        /// Runs a test, and returns what fails it.
        func test(
            _ access: DriftAccess? = nil, live: Environment? = nil, in run: DriftRun? = nil,
            within limit: Duration = DriftRun.limit,
            _ change: (inout APIClient.Configuration) -> Void = { _ in },
            _ body: (APIClient) async throws -> Void
        ) async throws -> [String] {
            let test = DriftTest(live ?? self.live, access, in: run ?? self.run)
            let environment = try Environment("Testing", values: ["baseURL": "https://t.invalid", "key": "made-up"])
            let scope = APIScope(
                environment: environment, network: .sealed, mocks: folder["Mocks"], clock: VirtualClock(),
                seedOfTest: 1, witness: test)
            var configuration = APIClient.Configuration()
            change(&configuration)
            let client = try APIClient { $0 = configuration }
            try await scope.run { try await body(client) }
            // The calls beside a test are not in its log.
            let calls = scope.calls.count
            let issues = await test.issues(within: limit)
            #expect(scope.calls.count == calls)
            #expect(scope.close() == [])
            return issues.map { $0.components(separatedBy: "error: ").last ?? $0 }
        }
    }

    private static func json(_ body: String) -> LoopbackServer.Handler {
        { _, connection in connection.respond(200, headers: ["Content-Type": "application/json"], body: body) }
    }

    @Test func `The mock answers, and a difference is an issue of the first test with the request`() async throws {
        let setup = try Setup(Self.json(#"{"id": 2, "tier": "free"}"#))
        let issues = try await setup.test { client in
            let user: User = try await client.send(API.me)
            #expect(user.plan == "free")
        }
        #expect(
            issues == [
                #"GET /me: "plan" is gone. Fix: record it again with MOCKS=record:Live, and correct the model"#
            ])
        #expect(try await setup.test { _ = try await $0.send(API.me, as: User.self) } == [])
        #expect(setup.requests == ["GET /me"])
        #expect(
            setup.run.report.text
                == #"Drift from Live: 1 read of 2 tests compared, 1 route differs: GET /me: "plan" is gone"#)
    }

    @Test func `Nothing is sent but what the folder answers and only reads`() async throws {
        let setup = try Setup(Self.json("[]"))
        let elsewhere = try LoopbackServer(handler: Self.json("{}"))
        let own = APIClient(baseURL: elsewhere.baseURL)
        let issues = try await setup.test { client in
            Mocks.set("user", .json("{}"))
            _ = try await client.data(for: API.user(id: "7"))
            _ = try await client.data(for: API.save)
            _ = try await client.data(for: API.other(elsewhere.baseURL))
            _ = try await own.data(for: API.me)
            _ = try await client.data(for: API.list(page: 2).route.header("If-None-Match", "1"))
            var page = API.list(page: 3).route
            page.pageItems = ["page"]
            _ = try await client.data(for: page)
            page.query["after"] = "opaque"
            page.pageItems = ["page", "after"]
            _ = try await client.data(for: page)
            try await APIScope(variants: ["me": "locked"]).run { _ = try await client.data(for: API.me) }
        }
        #expect(issues == [])
        #expect(setup.requests.sorted() == ["GET /list?page=2", "GET /list?page=3"])
        #expect(setup.server.requests.allSatisfy { $0["If-None-Match"] == nil })
        #expect(elsewhere.requests.isEmpty)
        #expect(
            setup.run.report.notCompared
                == ["chosen answers": 2, "writes": 1, "other hosts": 2, "pages at a recorded cursor": 1])
        #expect(setup.run.report.reads == 2)
    }

    @Test func `The request that is sent decides, after configure, middleware and redirects`() async throws {
        let elsewhere = try LoopbackServer(handler: Self.json("{}"))
        let setup = try Setup { request, connection in
            let isAway = request.path == "/users/away"
            connection.respond(
                isAway ? 302 : 200, headers: isAway ? ["Location": "\(elsewhere.baseURL)"] : [:], body: "{}")
        }
        let writing = ClosureMiddleware { request, route, next in
            guard route.path.text == "list" else { return try await next(request) }
            var request = request
            request.httpMethod = "DELETE"
            // What the call leads to does not matter.
            return (try? await next(request)) ?? Response(status: 200, data: Data("[]".utf8), request: request)
        }
        try await setup.read(API.me, API.list(page: 1), API.user(id: "away")) {
            $0.middleware = [writing]
            $0.configure = { request, route in if route.path.text == "me" { request.url = elsewhere.baseURL } }
        }
        #expect(setup.requests == ["GET /users/away"])
        #expect(elsewhere.requests.isEmpty)
        #expect(setup.run.report.notCompared == ["writes": 1, "other hosts": 2])
    }

    @Test func `A route that is gone is a difference, and an object that does not exist is none`() async throws {
        let setup = try Setup { request, connection in
            connection.respond(request.path == "/users/octocat" ? 200 : 404, body: #"{"id": 3}"#)
        }
        let issues = try await setup.test {
            _ = try await $0.data(for: API.user(id: "ada"))
            _ = try await $0.data(for: Route.get("things/7").mock("user"))
            _ = try await $0.data(for: API.gone)
        }
        #expect(issues.count == 1)
        #expect(issues.first?.hasPrefix("GET /v1/gone: the status is 404, not 200.") == true)
        #expect(setup.run.report.notCompared == ["no such object": 2])
        let access = DriftAccess(paths: ["users/ada": "users/octocat"])
        try await setup.read(API.user(id: "ada"), access: access)
        #expect(setup.requests.last == "GET /users/octocat")
    }

    @Test func `A server that limits calls is asked again`() async throws {
        let statuses = Locked([200, 429])
        let setup = try Setup { _, connection in
            connection.respond(statuses.withLock { $0.removeLast() }, body: Self.mocks["me"] ?? "")
        }
        try await setup.read(API.me)
        #expect(setup.requests == ["GET /me", "GET /me"])
        #expect(setup.run.report.reads == 1)
    }

    @Test func `At most four reads are sent at once`() async throws {
        let busy = Locked((now: 0, most: 0))
        let setup = try Setup { _, connection in
            busy.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            busy.withLock { $0.now -= 1 }
            connection.respond(200, body: #"{"id": 1}"#)
        }
        let issues = try await setup.test { client in
            try await withThrowingTaskGroup { group in
                for id in 1...40 { group.addTask { _ = try await client.data(for: API.user(id: "\(id)")) } }
                try await group.waitForAll()
            }
        }
        #expect(issues == [])
        #expect(setup.requests.count == 40)
        #expect(busy.withLock(\.most) <= 4)
    }

    @Test func `The client's token and keys are those of the environment, and no test gets them`() async throws {
        let setup = try Setup { request, connection in
            let isKnown =
                request["Authorization"] == "Bearer token-of-live" && request["X-Key"] == "live-key-1234567890"
            let isToken = request.method == "POST"
            connection.respond(
                isKnown || isToken ? 200 : 401, headers: ["Content-Type": "application/json"],
                body: isToken ? #""token-of-live""# : Self.mocks["me"] ?? "")
        }
        try setup.folder.write(Data(#""token-of-mock""#.utf8), to: "Mocks/token.json")
        let store = InMemoryCredentialStore()
        try await setup.read(API.me, API.me) {
            $0.headers.add("X-Key", environment: "key")
            $0.authorization = .clientCredentials(store) {
                let client = try APIClient()
                return ExpiringToken(
                    try await client.send(Route.post("token").mock("token"), as: String.self), expiresIn: .seconds(60))
            }
        }
        #expect(store.token() == "token-of-mock")
        #expect(setup.requests == ["POST /token", "GET /me"])
        #expect(setup.run.report.reads == 1)
    }

    @Test func `A token that a test has stored is not sent, and drift gives another one once`() async throws {
        let setup = try Setup { request, connection in
            let isKnown = request["Authorization"] == "Bearer live"
            connection.respond(isKnown ? 200 : 401, body: Self.mocks["me"] ?? "")
        }
        let store = InMemoryCredentialStore("of-test")
        let refreshes = Locked(0)
        func change(_ configuration: inout APIClient.Configuration) {
            configuration.authorization = .refreshing(store) { _ in
                refreshes.withLock { $0 += 1 }
                return "new"
            }
        }
        try await setup.read(API.me, change: change)
        #expect(setup.run.report.notCompared == ["without credentials": 1])
        #expect(setup.run.report.isFailure)
        #expect(setup.server.requests.map { $0["Authorization"] } == [nil])
        let asked = Locked([String]())
        let access = DriftAccess(account: "1") { environment in
            asked.withLock { names in names.append(environment.name) }
            return Authorization.bearer("live")
        }
        for id in ["1", "2"] { try await setup.read(API.user(id: id), access: access, change: change) }
        #expect(asked.withLock(\.self) == ["Live"])
        #expect(setup.run.report.reads == 2)
        #expect((store.token(), refreshes.withLock(\.self)) == ("of-test", 0))
    }

    @Test func `A synchronous test waits for its comparisons`() throws {
        let setup = try Setup(Self.json("{}"))
        let test = DriftTest(setup.live, nil, in: setup.run)
        let request = URLRequest(url: setup.server.baseURL)
        let response = Response(status: 200, headers: [:], data: Data(#"{"id": 1}"#.utf8), request: request)
        test.compare(
            DriftRead.Mocked(
                route: API.me.route, configuration: .init(), mock: "me", response: response, recorded: nil))
        #expect(TestScope.waitForIssues(of: test).count == 1)
    }

    // MARK: What a comparison must not do

    @Test func `The test's middleware and configure run once, and what they add is repeated without credentials`()
        async throws
    {
        let setup = try Setup { request, connection in
            let isComplete = request["X-App-Version"] == "3" && request["X-Configured-Build"] == "yes"
            connection.respond(isComplete ? 401 : 400, body: "{}")
        }
        let store = InMemoryCredentialStore("token-of-test")
        let runs = Locked([String]())
        @Sendable func run(_ code: String) { runs.withLock { $0.append(code) } }
        // As apps write it, with a token and a refresh.
        let signingIn = ClosureMiddleware { request, _, next in
            run("middleware")
            var request = request
            request.setValue("Bearer \(store.token() ?? "")", forHTTPHeaderField: "Authorization")
            request.setValue("3", forHTTPHeaderField: "X-App-Version")
            let response = try await next(request)
            if response.status == 401 { store.save("live") }
            return response
        }
        try await setup.read(API.me) {
            $0.middleware = [signingIn]
            $0.configure = { request, _ in
                run("configure")
                request.setValue("yes", forHTTPHeaderField: "X-Configured-Build")
                for name in ["X-Auth-Token", "X-Device-Id"] {
                    request.setValue("token-of-test", forHTTPHeaderField: name)
                }
            }
        }
        #expect(setup.run.report.notCompared == ["without credentials": 1])
        #expect(!setup.server.requests.contains { "\($0)".contains("token-of-test") })
        #expect(store.token() == "token-of-test")
        #expect(runs.withLock { $0.sorted() } == ["configure", "middleware"])
    }

    private typealias Change = @Sendable (inout APIClient.Configuration) -> Void

    private static let credentials: [Change] = [
        { $0.authorization = .bearer("token-of-test") },
        { $0.authorization = .basic(user: "me", password: "token-of-test") },
        { $0.authorization = .custom(header: "X-Foo", value: "token-of-test") },
        { $0.authorization = .dynamic { .bearer("token-of-test") } },
        {
            let refreshing = Authorization.refreshing(InMemoryCredentialStore("token-of-test")) { _ in "x" }
            $0.authorization = .combined(refreshing, .custom(header: "X-Foo", value: "token-of-test"))
        },
        { $0.headers[.authorization] = "token-of-test" }, { $0.headers["X-Api-Key"] = "token-of-test" },
        { $0.headers["Cookie"] = "session=token-of-test" },
    ]

    @Test(arguments: credentials.indices, [false, true])
    func `No credential of a test is sent`(index: Int, hasMiddleware: Bool) async throws {
        let setup = try Setup(Self.json(#"{"id": 1, "plan": "free"}"#))
        let change: Change = {
            Self.credentials[index](&$0)
            if hasMiddleware { $0.middleware = [ClosureMiddleware.passing] }
        }
        for route in [API.me.route, API.me.route.header("Authorization", "token-of-test")] {
            try await setup.read(route, change: change)
        }
        let access = DriftAccess(account: "1") { _ in .bearer("of-live") }
        try await setup.read(API.me, access: access, change: change)
        let requests = setup.server.requests
        #expect(requests.last?["Authorization"] == "Bearer of-live")
        for request in requests {
            #expect(!"\(request)".contains("token-of-test"))
            #expect(request["Authorization"]?.hasPrefix("Basic ") != true)
        }
    }

    @Test func `Known credentials of a test are not sent under other names`() async throws {
        let setup = try Setup(Self.json("{}"))
        try await setup.read(
            API.me, Route.get("bot-token-of-test/me").mock("me"), Route.get("me?q=token-of-test").mock("me"),
            // In Base64, escaped twice, and in Base64 with something before it.
            Route.get("me?q=dG9rZW4tb2YtdGVzdA").mock("me"), Route.get("me?q=token%252Dof%252dtest").mock("me"),
            Route.get("me?q=YW5uOnRva2VuLW9mLXRlc3Q=").mock("me")
        ) {
            $0.authorization = .bearer("token-of-test")
            $0.configure = { request, _ in
                request.setValue("App/1 (token-of-test)", forHTTPHeaderField: "User-Agent")
            }
        }
        #expect(setup.requests == [])
        #expect(setup.run.report.notCompared == ["without credentials": 6])
    }

    @Test func `What a cookie writes in escapes is no secret where it is written without`() async throws {
        let setup = try Setup(Self.json(#"{"id": 1, "plan": "free"}"#))
        try await setup.read(API.me, Route.get("me?tz=Europe/Rome").mock("me")) {
            $0.headers["Cookie"] = "tz=Europe%2FRome; langs=en-US%2Cen"
            $0.headers["Accept-Language"] = "en-US,en;q=0.9"
        }
        #expect(setup.requests.count == 2)
        #expect(setup.run.report.notCompared == [:])
    }

    @Test(arguments: ["Testing", "Live"])
    func `A key that the test's environment and the server share is sent`(name: String) async throws {
        let setup = try Setup(Self.json(#"{"id": 1, "plan": "free"}"#))
        let shared: Parameters = [
            "baseURL": "\(setup.server.baseURL)", "$secrets": ["key"], "key": "live-key-1234567890",
        ]
        let issues = try await setup.test(nil, live: Environment("Live", values: shared)) {
            $0.headers.add("X-Key", environment: "key")
        } _: { client in
            var values = shared
            values["baseURL"] = "https://t.invalid"
            try await APIScope(environment: Environment(name, values: values), network: .sealed).run {
                _ = try await client.data(for: API.me)
            }
        }
        #expect(issues == [])
        #expect(setup.server.requests.map { $0["X-Key"] } == ["live-key-1234567890"])
    }

    @Test func `A client keeps its scope after its authorization has run beside the test`() async throws {
        let setup = try Setup { request, connection in connection.respond(200, body: #""token-of-live""#) }
        try setup.folder.write(Data(#""token-of-mock""#.utf8), to: "Mocks/token.json")
        let test = DriftTest(setup.live, nil, in: setup.run)
        let scope = APIScope(
            environment: try Environment("Testing", values: ["baseURL": "https://t.invalid"]), network: .sealed,
            mocks: setup.folder["Mocks"], clock: VirtualClock(), seedOfTest: 1, witness: test)
        try await scope.run {
            let other = try APIClient()
            let client = try APIClient {
                $0.authorization = .clientCredentials {
                    let token = try await other.send(Route.post("token").mock("token"), as: String.self)
                    return ExpiringToken(token, expiresIn: .seconds(60))
                }
            }
            _ = try await client.data(for: API.me)
            _ = await test.issues()
            #expect(setup.requests == ["POST /token", "GET /me"])
            let detached = Task.detached { try await other.data(for: API.gone) }
            #expect(try await detached.value == Data("{}".utf8))
        }
        #expect(scope.close() == [])
    }

    @Test func `A closure that reads the test's stores does not run`() async throws {
        let setup = try Setup(Self.json("{}"))
        let runs = Locked([String]())
        _ = try await setup.test {
            $0.authorization = .dynamic {
                runs.withLock { $0.append("authorization") }
                return .bearer("token-of-test")
            }
            $0.validate = { _, _ in runs.withLock { $0.append("validate") } }
        } _: {
            _ = try await $0.data(for: API.me)
        }
        #expect(setup.requests == ["GET /me"])
        #expect(runs.withLock(\.self) == ["authorization", "validate"])
    }

    @Test func `What middleware adds to the address is no read to compare, and headers that it replaces are sent`()
        async throws
    {
        let changing = ClosureMiddleware { request, route, next in
            var request = request
            request.setValue("application/vnd.acme+json", forHTTPHeaderField: "Accept")
            if route.path.text == "list", let url = request.url { request.url = url.appendingPathComponent("x") }
            return try await next(request)
        }
        let setup = try Setup(Self.json(#"{"id": 1, "plan": "free"}"#))
        try await setup.read(API.me.route.query(["ids": [1, 2]]), API.list(page: 1)) {
            $0.middleware = [changing]
        }
        #expect(setup.server.requests.map { $0["Accept"] } == ["application/vnd.acme+json"])
        #expect(setup.run.report.notCompared == ["requests that code has changed": 1])
    }

    @Test func `A run that a silent server ends fails, and a refusal for the number of calls ends none`() async throws {
        let setup = try Setup { request, connection in
            if request.path.hasPrefix("/users/silent") { return connection.close() }
            connection.respond(429, headers: ["Retry-After": "3600"])
        }
        for name in ["limited", "silent"] {
            for id in 1...6 { _ = try await setup.test { _ = try await $0.data(for: API.user(id: "\(name)\(id)")) } }
            #expect((setup.run.report.notCompared["after the server stopped answering"] != nil) == (name == "silent"))
        }
        #expect(setup.run.report.notCompared["refused for their number"] == 6)
        #expect(setup.run.report.text.hasSuffix(". Nothing could be compared"))
        var report = setup.run.report
        report.reads = 1
        #expect(report.isFailure && report.text.hasSuffix(". The server stopped answering"))
    }

    @Test func `Calls of an authorization reach the environment's servers alone`() async throws {
        let elsewhere = try LoopbackServer(handler: Self.json(#""t""#))
        let setup = try Setup { request, connection in
            let isToken = request.path == "/token"
            connection.respond(
                isToken ? 307 : 401, headers: isToken ? ["Location": "\(elsewhere.baseURL)"] : [:], body: "{}")
        }
        let (other, production) = (elsewhere.baseURL, try Environment("P", values: ["baseURL": "\(elsewhere.baseURL)"]))
        let issues = try await setup.test(nil) {
            $0.authorization = .clientCredentials {
                _ = try? await APIClient().data(for: Route.post("token").mock("token"))
                _ = try? await APIScope(environment: production).run {
                    try await APIClient().data(for: Route.post("token").mock("token"))
                }
                let client = try APIClient { $0.baseURL = other }
                return ExpiringToken(
                    try await client.send(Route.post("token").mock("token"), as: String.self),
                    expiresIn: .seconds(60))
            }
        } _: { client in
            Mocks.set("token", .json("t"))
            _ = try await client.data(for: API.me)
        }
        #expect(issues == [])
        #expect(elsewhere.requests.isEmpty)
        #expect(setup.run.report.notCompared["without credentials"] == 1)
    }

    @Test func `Neither a method override nor a path outside the base URL is sent`() async throws {
        let setup = try Setup { _, connection in connection.respond(200, body: "{}") }
        let live = try Environment("Live", values: ["baseURL": "\(setup.server.baseURL)/v1/staging"])
        let run = DriftRun()
        let issues = try await setup.test(nil, live: live, in: run) { client in
            for header: HTTPHeaders.Name in ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"] {
                _ = try await client.data(for: API.me.route.header(header, "delete"))
            }
            _ = try await client.data(for: Route.get("me?_method=DELETE").mock("me"))
            _ = try await client.data(for: Route.get("../production/users").mock("user"))
            _ = try await client.data(for: Route.get("me?access_token=of-test").mock("me"))
        }
        #expect(issues == [])
        #expect(setup.requests == [])
        #expect(run.report.notCompared == ["writes": 4, "other hosts": 1, "without credentials": 1])
    }

    @Test func `The same request is sent once, and compared for each type that reads it`() async throws {
        struct Tier: Decodable { let plan: String }
        let setup = try Setup(Self.json(#"{"id": 1}"#))
        let issues = try await setup.test { client in
            _ = try await client.send(API.me, as: JSONValue.self)
            _ = try await client.send(API.me, as: Tier.self)
        }
        #expect(setup.requests == ["GET /me"])
        #expect(setup.run.report.reads == 1)
        #expect(issues.count == 1)
    }

    @Test func `A report names no value of a path or of a dictionary`() async throws {
        struct Member: Decodable {
            enum Plan: String, Decodable { case free }
            let plan: Plan
        }
        let setup = try Setup(Self.json(#"{"bob@secret.example": {"plan": "gold"}}"#))
        try setup.folder.write(Data(#"{"ann": {"plan": "free"}}"#.utf8), to: "Mocks/members.json")
        let issues = try await setup.test { client in
            for path in ["members/bob@secret.example/all", "members/eyJhbGciOiJIUzI1NiJ9.bob@secret.example"] {
                _ = try await client.send(Route.get(RoutePath(raw: path)).mock("members"), as: [String: Member].self)
            }
        }
        #expect(issues.count == 2)
        #expect(!"\(issues) \(setup.run.report.text)".contains("bob"))
        #expect(setup.run.report.routes.map(\.route).sorted() == ["GET /members/…", "GET /members/…/all"])
    }

    @Test func `A test waits for a silent server no longer than its limit`() async throws {
        let setup = try Setup { _, _ in }
        let issues = try await setup.test(nil, within: .milliseconds(50)) { client in
            for id in 1...9 { _ = try await client.data(for: API.user(id: "\(id)")) }
        }
        #expect(issues == [])
        #expect(setup.run.report.notCompared == ["without an answer": 9])
        #expect(setup.run.report.isFailure)
    }

    @Test func `An inner trait adds paths to an outer authorization`() {
        let outer = DriftAccess(account: "1", paths: ["a": "b", "c": "d"]) { _ in nil }
        let access = DriftAccess(paths: ["a": "x"]).inheriting(outer)
        #expect((access.account, access.paths) == ("1", ["a": "x", "c": "d"]))
        #expect(access.authorize != nil)
        let inner = DriftAccess(account: "2") { _ in nil }
        #expect(inner.inheriting(outer).account == "2")
    }
}
