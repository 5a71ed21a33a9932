import CallSupport

@testable import Fingerpost
@testable import FingerpostTesting

/// The log and the problems of a scope.
@Suite(.inTurn, .concurrent) struct ScopeTests {
    enum API: Routable {
        case user(login: String)
        case other

        var path: RoutePath { "users" }
        var mock: MockName? {
            switch self {
            case .user: "user"
            case .other: "other"
            }
        }
    }

    static let octocat = #"{"login": "octocat"}"#

    /// Runs work in a scope like that of a test, and closes it at the end.
    func problems(
        _ files: [String: String] = ["user.json": octocat], _ work: (APIClient) async throws -> Void
    ) async throws -> [String] {
        let folder = try TemporaryFolder(files)
        let scope = APIScope(
            environment: try .testing(), network: .sealed,
            mocks: folder.url, clock: VirtualClock())
        try await scope.run { try await work(APIClient()) }
        return scope.close()
    }

    /// Runs work in such a scope, which must report nothing.
    func expectNoProblems(
        _ files: [String: String] = ["user.json": octocat], _ work: (APIClient) async throws -> Void
    ) async throws {
        let problems = try await problems(files, work)
        #expect(problems == [])
    }

    /// The login of the user, who is `octocat` in the folder.
    func login(_ client: APIClient, _ route: API = .user(login: "x")) async throws -> String {
        try await client.send(route, as: User.self).login
    }

    @Test func `The log has the route, the request and the outcome`() async throws {
        let problems = try await problems { client in
            _ = try await client.data(for: API.user(login: "x"))
            _ = try? await client.data(for: API.other)
            _ = try? await client.data(for: Route.get("plain"))
            #expect(Mocks.calls.map(\.name) == ["user", "other", "GET plain"])
            #expect(Mocks.calls.map(\.route) == ["API.user(login:)", "API.other", "GET plain"])
            #expect(Mocks.calls[0].status == 200)
            #expect(Mocks.calls[0].request.url?.absoluteString == "https://t.invalid/users")
            #expect(Mocks.calls[1].error?.kind == .mock && Mocks.calls.allSatisfy { $0.ended != nil })
            #expect(Mocks.calls(of: "user").map(\.description) == ["API.user(login:) → 200"])
        }
        #expect(problems.count == 2)
    }

    @Test func `A nested scope inherits unset settings, and the outer scope logs its calls`() async throws {
        try await expectNoProblems { client in
            Mocks.set("other", .json(User(login: "outer")))
            try await APIScope().run {
                Mocks.set("user", .json(User(login: "inner")))
                let logins = [try await login(client), try await login(client, .other)]
                #expect(logins == ["inner", "outer"] && Mocks.calls.count == 2)
            }
            let outside = try await login(client)
            #expect(outside == "octocat" && Mocks.calls.count == 3)
        }
    }

    // MARK: Problems that fail a test

    private struct Forgiving: Middleware {
        func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
            do { return try await next(request) } catch { return Response(status: 204, data: Data(), request: request) }
        }
    }

    @Test func `A call without a mock is reported even if the test or middleware catches the error`() async throws {
        let problems = try await problems { client in
            _ = try? await client.data(for: API.other)
            try await APIClient { $0.middleware = [Forgiving()] }.send(API.other)
        }
        #expect(problems.count == 2, "\(problems)")
        #expect(problems.allSatisfy { $0.contains("there is no mock \"other\"") && $0.contains("other.json") })
    }

    @Test func `A mock that does not decode is reported even if the test catches the error`() async throws {
        let problems = try await problems(["user.json": #"{"login": 7}"#]) { client in
            let error = try await failure { try await login(client) }
            #expect(error.mock?.lastPathComponent == "user.json" && "\(error)".contains("mock:        "))
        }
        #expect(problems.count == 1 && problems[0].contains("login (line 1)"), "\(problems)")
    }

    @Test func `Intended errors of mocks are not reported`() async throws {
        let files = ["user.json": "{}", "other.json": "{}", "other.mock.json": #"{"failure": "empty"}"#]
        try await expectNoProblems(files) { client in
            Mocks.set("user", .status(401))
            _ = try? await login(client)
            _ = try? await login(client, .other)
        }
    }

    @Test func `A call still in progress is reported, and a later one fails`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let late = Locked<Task<[Issue], any Error>?>(nil)
        let (next, goOn) = AsyncStream.makeStream(of: Void.self)
        let problems = try await problems { client in
            Mocks.set(
                "user",
                .respond { _ in
                    begin.finish()
                    for await _ in gate {}
                    return .status(204)
                })
            let task = Task {
                try await client.send(API.user(login: "x"))
                for await _ in next {}
                // The call also makes the run of tests fail, because the test that made it has ended.
                return try await recordedIssues {
                    let error = try await failure(.mock) { try await client.send(API.user(login: "x")) }
                    #expect(error.message.contains("has ended"))
                }
            }
            late.withLock { $0 = task }
            for await _ in begun {}
        }
        let expected = "API.user(login:) was still in progress when the test ended"
        #expect(problems.count == 1 && problems[0].contains(expected), "\(problems)")
        open.finish()
        goOn.finish()
        let issues = try #require(try await late.withLock { $0 }?.value)
        #expect(issues.count == 1 && issues[0].text.contains("has ended"), "\(issues)")
    }

    @Test func `A late call fails in a scope that is nested in that of the test, too`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let late = Locked<Task<[Issue], any Error>?>(nil)
        let problems = try await problems { client in
            let task = APIScope().run {
                Task {
                    for await _ in gate {}
                    return try await recordedIssues {
                        await #expect(throws: APIError.self) { try await client.send(API.user(login: "x")) }
                    }
                }
            }
            late.withLock { $0 = task }
        }
        #expect(problems.isEmpty)
        open.finish()
        let issues = try #require(try await late.withLock { $0 }?.value)
        #expect(issues.count == 1 && issues[0].text.contains("has ended"), "\(issues)")
    }

    // MARK: Calls without a scope

    @Test func `A client created in the scope uses it in detached tasks`() async throws {
        try await expectNoProblems { client in
            let name = try await Task.detached { try await login(client) }.value
            #expect(name == "octocat" && Mocks.calls.count == 1)
        }
    }

    @Test func `A call without a scope fails, with a fix that passes the scope on`() async throws {
        let client = try await Task.detached { try APIClient() }.value
        // The call also makes the run of tests fail, even if the code under test catches the error.
        let issues = try await recordedIssues {
            let error = try await failure(.mock) { try await client.data(for: API.user(login: "x")) }
            #expect(error.fix?.contains("Task.detached") == true)
            #expect(error.fix?.contains("run the work in its APIScope.current") == true)
        }
        #expect(issues.count == 1 && issues[0].text.hasPrefix("API.user(login:): the call has no scope"), "\(issues)")
        #expect(issues.first?.text.contains(". Fix: give the test or its suite the trait .mocks") == true)
        try await expectNoProblems { _ in
            let scope = APIScope.current
            let name = try await Task.detached { try await scope?.run { try await login(client) } }.value
            #expect(name == "octocat")
        }
    }

    @Test func `A live scope cannot open a sealed environment`() async throws {
        let transport = StubTransport(200)
        let client = try APIClient { $0.transport = transport }
        let scope = APIScope(
            environment: try .testing(), network: .live)
        let error = try await failure(.mock) { try await scope.run { try await client.data(for: API.other) } }
        #expect(error.fix?.contains(".environment(") == true)
        #expect(transport.requests.isEmpty)
    }
}
