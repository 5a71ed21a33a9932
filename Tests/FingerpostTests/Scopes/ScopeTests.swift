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
    ///
    /// - Returns: the value of the work, and the problems of the scope.
    func outcome<Value>(
        _ files: [String: String] = ["user.json": octocat], of work: (APIClient) async throws -> Value
    ) async throws -> (value: Value, problems: [String]) {
        let folder = try TemporaryFolder(files)
        let scope = APIScope(
            environment: try .testing(), network: .sealed,
            mocks: folder.url, clock: VirtualClock())
        return (try await scope.run { try await work(APIClient()) }, scope.close())
    }

    /// The login of the user, who is `octocat` in the folder.
    func login(_ client: APIClient, _ route: API = .user(login: "x")) async throws -> String {
        try await client.send(route, as: User.self).login
    }

    @Test func `The log has the route, the request and the outcome`() async throws {
        let (calls, problems) = try await outcome { client in
            _ = try await client.data(for: API.user(login: "x"))
            _ = try? await client.data(for: API.other)
            _ = try? await client.data(for: Route.get("plain"))
            #expect(Mocks.calls(of: "user").map(\.description) == ["API.user(login:) → 200"])
            return Mocks.calls
        }
        let seen = calls.map {
            "\($0.name), \($0.route): \($0.line) \($0.request.url?.absoluteString ?? "") \($0.ended == nil)"
        }
        #expect(
            seen == [
                "user, API.user(login:): GET users 200 https://t.invalid/users false",
                "other, API.other: GET users mock https://t.invalid/users false",
                "GET plain, GET plain: GET plain mock https://t.invalid/plain false",
            ])
        #expect(problems.count == 2, "\(problems)")
    }

    @Test func `A nested scope inherits unset settings, and the outer scope logs its calls`() async throws {
        let outcome = try await outcome { client in
            Mocks.set("other", .json(User(login: "outer")))
            let (inside, count) = try await APIScope().run {
                Mocks.set("user", .json(User(login: "inner")))
                return ([try await login(client), try await login(client, .other)], Mocks.calls.count)
            }
            return (inside + [try await login(client)], [count, Mocks.calls.count])
        }
        #expect(outcome.value == (["inner", "outer", "octocat"], [2, 3]))
        #expect(outcome.problems == [])
    }

    // MARK: Problems that fail a test

    private struct Forgiving: Middleware {
        func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
            do { return try await next(request) } catch { return Response(status: 204, data: Data(), request: request) }
        }
    }

    @Test func `A call without a mock is reported even if the test or middleware catches the error`() async throws {
        let problems = try await outcome { client in
            _ = try? await client.data(for: API.other)
            try await APIClient { $0.middleware = [Forgiving()] }.send(API.other)
        }.problems
        let areNamed = problems.map { $0.contains("there is no mock \"other\"") && $0.contains("other.json") }
        #expect(areNamed == [true, true], "\(problems)")
    }

    @Test func `A mock that does not decode is reported even if the test catches the error`() async throws {
        let (error, problems) = try await outcome(["user.json": #"{"login": 7}"#]) { client in
            try await failure { try await login(client) }
        }
        #expect((error.mock?.lastPathComponent, "\(error)".contains("mock:        ")) == ("user.json", true))
        #expect(problems.count == 1 && problems[0].contains("login (line 1)"), "\(problems)")
    }

    @Test func `A call still in progress is reported, and a later one fails`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (next, goOn) = AsyncStream.makeStream(of: Void.self)
        let (late, problems) = try await outcome { client in
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
            for await _ in begun {}
            return task
        }
        let expected = "API.user(login:) was still in progress when the test ended"
        #expect(problems.count == 1 && problems[0].contains(expected), "\(problems)")
        open.finish()
        goOn.finish()
        let issues = try await late.value
        #expect(issues.count == 1 && issues[0].text.contains("has ended"), "\(issues)")
    }

    @Test func `A late call fails in a scope that is nested in that of the test, too`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (late, problems) = try await outcome { client in
            APIScope().run {
                Task {
                    for await _ in gate {}
                    return try await recordedIssues {
                        await #expect(throws: APIError.self) { try await client.send(API.user(login: "x")) }
                    }
                }
            }
        }
        open.finish()
        let issues = try await late.value
        #expect((problems, issues.map { $0.text.contains("has ended") }) == ([], [true]), "\(issues)")
    }

    // MARK: Calls without a scope

    @Test func `A call without a scope fails, with a fix that passes the scope on`() async throws {
        let client = try await Task.detached { try APIClient() }.value
        // The call also makes the run of tests fail, even if the code under test catches the error.
        let issues = try await recordedIssues {
            let fix = try await failure(.mock) { try await client.data(for: API.user(login: "x")) }.fix ?? ""
            #expect(fix.contains("Task.detached") && fix.contains("run the work in its APIScope.current"), "\(fix)")
        }
        let text = issues.map(\.text).joined(separator: "\n")
        let isNamed = text.contains(". Fix: give the test or its suite the trait .mocks")
        #expect(issues.count == 1 && text.hasPrefix("API.user(login:): the call has no scope") && isNamed, "\(text)")
        let outcome = try await outcome { _ in
            let scope = APIScope.current
            return try await Task.detached { try await scope?.run { try await login(client) } }.value
        }
        #expect(outcome == ("octocat", []))
    }

    @Test func `A live scope cannot open a sealed environment`() async throws {
        let transport = StubTransport(200)
        let client = try APIClient { $0.transport = transport }
        let scope = APIScope(
            environment: try .testing(), network: .live)
        let error = try await failure(.mock) { try await scope.run { try await client.data(for: API.other) } }
        #expect((error.fix?.contains(".environment("), transport.requests) == (true, []))
    }
}
