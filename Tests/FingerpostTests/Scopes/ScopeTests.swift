import FingerpostFiles
import Foundation
import TestSupport
import Testing

@testable import Fingerpost
@testable import FingerpostTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a scope changes, sees and reports.
@Suite struct ScopeTests {
    private struct User: Codable, Equatable, Sendable {
        var login: String
    }

    private enum API: Routable {
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

    private static let octocat = #"{"login": "octocat"}"#

    /// A scope as tests have it, closed at the end.
    private func problems(
        _ files: [String: String] = ["user.json": octocat], _ work: (APIClient) async throws -> Void
    ) async throws -> [String] {
        let folder = try TemporaryFolder(files)
        let scope = APIScope(
            environment: try Environment("Testing", values: ["baseURL": "https://t.invalid"]), network: .sealed,
            mocks: folder.url, clock: VirtualClock())
        try await scope.run { try await work(APIClient()) }
        return scope.close()
    }

    // MARK: Answers that code sets

    @Test func `Code sets what answers, and lets the folder answer again`() async throws {
        let problems = try await problems { client in
            Mocks.set("user", .json(User(login: "set")))
            let user1 = try await client.send(API.user(login: "x"), as: User.self)
            #expect(user1.login == "set")
            Mocks.reset("user")
            let user2 = try await client.send(API.user(login: "x"), as: User.self)
            #expect(user2.login == "octocat")
        }
        #expect(problems.isEmpty)
    }

    @Test func `A status has the body of its file where there is one`() async throws {
        let files = ["user.json": Self.octocat, "user.401.json": #"{"message": "log in"}"#]
        let problems = try await problems(files) { client in
            for (status, message) in [(401, "log in"), (500, nil)] as [(Int, String?)] {
                Mocks.set("user", .status(status))
                let error = await #expect(throws: APIError.self) { try await client.data(for: API.user(login: "x")) }
                #expect(error?.kind == .status(status))
                #expect(error?.serverMessage == message)
            }
        }
        #expect(problems.isEmpty)
    }

    @Test func `An answer depends on the request, takes its time and has headers`() async throws {
        let problems = try await problems([:]) { client in
            Mocks.set(
                "user",
                .respond { request in
                    .data(Data((request.url?.absoluteString ?? "").utf8), contentType: "text/plain", status: 203)
                        .header("X-Seen", "yes").delayed(by: .seconds(9))
                })
            let response = try await client.response(for: API.user(login: "x"), as: String.self)
            #expect(response.value == "https://t.invalid/users")
            #expect(response.status == 203)
            #expect(response.headers["X-Seen"] == "yes")
            #expect(response.headers[.contentType] == "text/plain")
            #expect(response.source == .mock(nil))
            let call = try #require(Mocks.calls.first)
            #expect(call.ended.map { $0 - call.started } == .seconds(9))
        }
        #expect(problems.isEmpty)
    }

    @Test(arguments: [("user", "user.json"), ("user.json", "user")])
    func `A mock has one name, with and without the extension of JSON`(set: String, asked: String) async throws {
        let problems = try await problems { client in
            Mocks.set(MockName(rawValue: set), .status(204))
            try await client.send(Route.get("users").mock(MockName(rawValue: asked)))
            #expect(Mocks.calls(of: MockName(rawValue: set)).count == 1)
        }
        #expect(problems.isEmpty, "\(problems)")
    }

    @Test func `Names are told apart byte for byte`() async throws {
        let composed: MockName = "caf\u{E9}"
        let decomposed: MockName = "cafe\u{301}"
        #expect(composed != decomposed)
        let problems = try await problems(["caf\u{E9}.json": #""folder""#]) { client in
            Mocks.set(decomposed, .json("code"))
            let folder = try await client.send(Route.get("").mock(composed), as: String.self)
            let code = try await client.send(Route.get("").mock(decomposed), as: String.self)
            #expect(folder == #""folder""#)
            #expect(code == #""code""#)
        }
        #expect(problems.isEmpty, "\(problems)")
    }

    @Test func `A value that cannot be written is an error of the mock`() async throws {
        let problems = try await problems { client in
            Mocks.set("user", .json(Double.nan))
            let error = await #expect(throws: APIError.self) { try await client.data(for: API.user(login: "x")) }
            #expect(error?.kind == .mock)
            #expect(error?.message.contains(#"set for the mock "user" cannot be encoded as JSON"#) == true)
        }
        #expect(problems.count == 1)
    }

    @Test func `The date that is filled in goes by the scope's clock`() async throws {
        let files = [
            "user.json": #"{"at": 0}"#, "user.mock.json": #"{"fill": {"/at": "now"}, "delay": 86400}"#,
        ]
        let problems = try await problems(files) { client in
            let route = Route.get("users").mock("user").timeout(.seconds(100_000))
            let first = try #require(try await client.send(route, as: [String: Int].self)["at"])
            let second = try #require(try await client.send(route, as: [String: Int].self)["at"])
            #expect(86_400...86_401 ~= second - first)
        }
        #expect(problems.isEmpty, "\(problems)")
    }

    @Test func `A sequence that code sets is claimed once, and its rest is told`() async throws {
        let problems = try await problems { client in
            Mocks.set("user", .sequence([.failure(.timedOut), .variant("none"), .json(User(login: "third"))]))
            for kind in [APIError.Kind.timedOut, .mock] {
                let error = await #expect(throws: APIError.self) { try await client.data(for: API.user(login: "x")) }
                #expect(error?.kind == kind)
            }
            #expect(Mocks.takeProblems().count == 2)
            Mocks.set("user", .sequence([.status(204), .status(204)]))
            try await client.send(API.user(login: "x"))
        }
        #expect(problems.count == 1)
        #expect(problems.first?.contains("has 2 answers, but calls used only 1") == true, "\(problems)")
    }

    @Test func `Code that does not answer runs out of time`() async throws {
        let problems = try await problems { client in
            Mocks.set(
                "user",
                .respond { _ in
                    try await Task.sleep(for: .seconds(3600))
                    return .status(204)
                })
            let error = await #expect(throws: APIError.self) {
                try await client.send(Route.get("users").mock("user").timeout(.milliseconds(50)))
            }
            #expect(error?.kind == .timedOut)
        }
        #expect(problems.isEmpty)
    }

    @Test func `Nobody waits for code that heeds neither the time nor the cancellation`() async throws {
        let gate = Gate()
        let problems = try await problems { client in
            Mocks.set(
                "user",
                .respond { _ in
                    await gate.wait()
                    return .status(204)
                })
            let late = await #expect(throws: APIError.self) {
                try await client.send(Route.get("users").mock("user").timeout(.milliseconds(50)))
            }
            #expect(late?.kind == .timedOut)
            let task = Task { try await client.send(Route.get("users").mock("user")) }
            while await gate.count < 2 { await Task.yield() }
            task.cancel()
            let cancelled = await #expect(throws: APIError.self) { try await task.value }
            #expect(cancelled?.kind == .cancelled)
        }
        await gate.open()
        #expect(problems.isEmpty, "\(problems)")
    }

    /// Holds tasks up, cancelled or not.
    private actor Gate {
        private var waiting: [CheckedContinuation<Void, Never>] = []
        var count: Int { waiting.count }

        func wait() async { await withCheckedContinuation { waiting.append($0) } }

        func open() { for continuation in waiting { continuation.resume() } }
    }

    private struct Trying: Middleware {
        func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
            for _ in 0..<2 { _ = try await next(request) }
            return try await next(request)
        }
    }

    @Test func `The time of a call counts by the scope's clock, however often middleware sends it`() async throws {
        let folder = try TemporaryFolder(["user.json": Self.octocat, "user.mock.json": #"{"delay": 25}"#])
        let environment = try Environment("Testing", values: ["baseURL": "https://t.invalid"])
        let scope = APIScope(environment: environment, network: .sealed, mocks: folder.url, clock: VirtualClock())
        try await scope.run {
            let client = try APIClient { $0.middleware = [Trying()] }
            let error = await #expect(throws: APIError.self) { try await client.data(for: API.user(login: "x")) }
            #expect(error?.kind == .timedOut)
            _ = try await client.data(for: Route.get("users").mock("user").timeout(.seconds(90)))
        }
    }

    @Test func `A sequence inside of a sequence is given answer by answer`() async throws {
        let problems = try await problems { client in
            let inner = MockAnswer.sequence([.status(201), .status(202).header("X-Seen", "own")])
            Mocks.set("user", .sequence([inner.header("X-Seen", "outer"), .status(203)]))
            var seen: [String] = []
            for _ in 0..<3 {
                let response = try await client.response(for: API.user(login: "x"), as: Data.self)
                seen.append("\(response.status) \(response.headers["X-Seen"] ?? "-")")
            }
            #expect(seen == ["201 outer", "202 outer", "203 -"])
        }
        #expect(problems.isEmpty, "\(problems)")
    }

    @Test func `What is polled gives its last answer as often as it is asked`() async throws {
        func statuses(of answer: MockAnswer, calls: Int) async throws -> (seen: [Int], problems: [String]) {
            var seen: [Int] = []
            let problems = try await problems { client in
                Mocks.set("user", answer)
                for _ in 0..<calls {
                    seen.append(try await client.response(for: API.user(login: "x"), as: Data.self).status)
                }
            }
            return (seen, problems)
        }
        let polled = MockAnswer.sequence([.status(202), .status(202)], thenRepeating: .status(200))
        let enough = try await statuses(of: polled, calls: 5)
        #expect(enough.seen == [202, 202, 200, 200, 200])
        #expect(enough.problems.isEmpty)
        let few = try await statuses(of: polled, calls: 2)
        #expect(few.problems.count == 1)
        let always = try await statuses(of: .sequence([], thenRepeating: .status(204)), calls: 2)
        #expect(always.seen == [204, 204])
        let empty = try await problems { client in
            Mocks.set("user", .sequence([]))
            await #expect(throws: APIError.self) { try await client.data(for: API.user(login: "x")) }
        }
        #expect(empty.count == 1)
    }

    @Test(arguments: ["usr", "User"]) func `A name that is set by a slip is told with the one that is meant`(
        name: String
    ) async throws {
        let problems = try await problems { _ in Mocks.set(MockName(rawValue: name), .status(204)) }
        #expect(problems.count == 1 && problems[0].contains(#"did you mean "user"?"#), "\(problems)")
    }

    @Test func `An answer that no call of this test takes is none, where there is no file either`() async throws {
        let problems = try await problems { _ in Mocks.set("session", .status(204)) }
        #expect(problems.isEmpty)
    }

    @Test func `An error names the file of the mock`() async throws {
        let problems = try await problems(["user.json": #"{"logn": 1}"#]) { client in
            let error = await #expect(throws: APIError.self) {
                try await client.send(API.user(login: "x"), as: User.self)
            }
            #expect(error?.mock?.lastPathComponent == "user.json")
            #expect("\(error as Any)".contains("mock:        "))
        }
        #expect(problems.count == 1)
    }

    @Test func `A scope without its environment fails calls, until it has one`() async throws {
        let folder = try TemporaryFolder(["user.json": Self.octocat])
        let failure = try #require(throws: EnvironmentError.self) {
            try Environment.load("Nowhere", from: folder.url)
        }
        let scope = APIScope(network: .sealed, mocks: folder.url).with(failure: failure)
        try await scope.run {
            let client = APIClient.shared
            let error = await #expect(throws: APIError.self) { try await client.data(for: API.user(login: "x")) }
            #expect(error?.kind == .environment)
            let environment = try Environment("Testing", values: ["baseURL": "https://t.invalid"])
            _ = try await scope.with(environment: environment).run {
                try await client.data(for: API.user(login: "x"))
            }
        }
    }

    @Test func `A sequence that nobody asks for is told, and taking problems does not begin it anew`() async throws {
        let problems = try await problems { client in
            Mocks.set("other", .sequence([.status(204)]))
            Mocks.set("user", .sequence([.status(204), .json(User(login: "second")), .json(User(login: "third"))]))
            try await client.send(API.user(login: "x"))
            _ = try? await client.data(for: Route.get("nothing"))
            #expect(Mocks.takeProblems().count == 3)
            let user = try await client.send(API.user(login: "x"), as: User.self)
            #expect(user.login == "second")
            let third = try await APIScope().run { try await client.send(API.user(login: "x"), as: User.self) }
            #expect(third.login == "third")
        }
        #expect(problems.isEmpty, "\(problems)")
    }

    private struct Forgiving: Middleware {
        func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
            do { return try await next(request) } catch { return Response(status: 204, data: Data(), request: request) }
        }
    }

    @Test func `A refused call is told although middleware went on without it`() async throws {
        let problems = try await problems { client in
            var configuration = APIClient.Configuration()
            configuration.middleware = [Forgiving()]
            try await APIClient(configuration).send(API.other)
        }
        #expect(problems.count == 1)
        #expect(problems.first?.contains("there is no mock \"other\"") == true)
    }

    @Test func `A header that code repeats is there as often`() async throws {
        let problems = try await problems { client in
            Mocks.set("user", .status(204).header("X-A", "1").header("X-A", "2"))
            let response = try await client.response(for: API.user(login: "x"), as: Data.self)
            #expect(response.headers.count { $0.name == "X-A" } == 2)
        }
        #expect(problems.isEmpty)
    }

    // MARK: The log

    @Test func `The log says which route, what was sent and what answered`() async throws {
        let problems = try await problems { client in
            _ = try await client.data(for: API.user(login: "x"))
            _ = try? await client.data(for: API.other)
            _ = try? await client.data(for: Route.get("plain"))
            #expect(Mocks.calls.map(\.name) == ["user", "other", "GET plain"])
            #expect(Mocks.calls.map(\.route) == ["API.user(login:)", "API.other", "GET plain"])
            #expect(Mocks.calls[0].status == 200)
            #expect(Mocks.calls[0].request?.url?.absoluteString == "https://t.invalid/users")
            #expect(Mocks.calls[1].error?.kind == .mock)
            #expect(Mocks.calls.allSatisfy { $0.ended != nil })
            #expect(Mocks.calls(of: "user").map(\.description) == ["API.user(login:) → 200"])
        }
        #expect(problems.count == 2)
    }

    @Test func `A scope inside inherits what it does not say, and is logged outside too`() async throws {
        let problems = try await problems { client in
            Mocks.set("other", .json(User(login: "outer")))
            try await APIScope().run {
                Mocks.set("user", .json(User(login: "inner")))
                let user3 = try await client.send(API.user(login: "x"), as: User.self)
                #expect(user3.login == "inner")
                let user4 = try await client.send(API.other, as: User.self)
                #expect(user4.login == "outer")
                #expect(Mocks.calls.count == 2)
            }
            let user5 = try await client.send(API.user(login: "x"), as: User.self)
            #expect(user5.login == "octocat")
            #expect(Mocks.calls.count == 3)
        }
        #expect(problems.isEmpty)
    }

    // MARK: What a test should fail for

    @Test func `A refused call is told although its error was caught`() async throws {
        let problems = try await problems { client in _ = try? await client.data(for: API.other) }
        #expect(problems.count == 1)
        #expect(problems.first?.contains("there is no mock \"other\"") == true)
        #expect(problems.first?.contains("other.json") == true)
    }

    @Test func `A mock that does not decode is told although its error was caught`() async throws {
        let problems = try await problems(["user.json": #"{"login": 7}"#]) { client in
            _ = try? await client.send(API.user(login: "x"), as: User.self)
        }
        #expect(problems.count == 1)
        #expect(problems.first?.contains("login (line 1)") == true)
    }

    @Test func `Errors that a mock is there to give are none`() async throws {
        let files = ["user.json": "{}", "other.json": "{}", "other.mock.json": #"{"failure": "empty"}"#]
        let problems = try await problems(files) { client in
            Mocks.set("user", .status(401))
            _ = try? await client.data(for: API.user(login: "x"))
            _ = try? await client.send(API.other, as: User.self)
            Mocks.set("user", .data(Data("no JSON".utf8)))
            _ = try? await client.send(API.user(login: "x"), as: User.self)
        }
        #expect(problems.isEmpty)
    }

    @Test func `A call that is still under way is told, and one that comes later is refused`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let late = Locked<Task<APIError?, Never>?>(nil)
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
                do {
                    try await client.send(API.user(login: "x"))
                    return nil as APIError?
                } catch { return error as? APIError }
            }
            late.withLock { $0 = Task { (try? await task.value) ?? nil } }
            for await _ in begun {}
        }
        #expect(problems.count == 1)
        #expect(problems.first?.contains("API.user(login:) was still in progress when the test ended") == true, "\(problems)")
        open.finish()
        goOn.finish()
        let error = await late.withLock { $0 }?.value
        #expect(error?.kind == .mock)
        #expect(error?.message.contains("has ended") == true)
    }

    // MARK: Reach

    @Test func `A client that was made inside knows the scope where tasks do not`() async throws {
        let problems = try await problems { client in
            let user = try await Task.detached { try await client.send(API.user(login: "x"), as: User.self) }.value
            #expect(user.login == "octocat")
            #expect(Mocks.calls.count == 1)
        }
        #expect(problems.isEmpty)
    }

    @Test func `A call from nowhere is refused, with the way to pass the scope`() async throws {
        let client = try await Task.detached { try APIClient() }.value
        let error = await Task.detached {
            await #expect(throws: APIError.self) { try await client.data(for: API.user(login: "x")) }
        }.value
        #expect(error?.kind == .mock)
        #expect(error?.message.contains("Task.detached") == true)
        #expect(error?.fix?.contains("scope?.run") == true)
        let problems = try await problems { _ in
            let scope = APIScope.current
            let user = try await Task.detached {
                try await scope?.run { try await client.send(API.user(login: "x"), as: User.self) }
            }.value
            #expect(user?.login == "octocat")
        }
        #expect(problems.isEmpty)
    }

    @Test(arguments: ["https://api.example.com", "http://10.0.0.1", "http://127.0.0.1.example.com", "http://127.1"])
    func `Without a scope no test reaches another machine`(url: String) async throws {
        let base = try #require(URL(string: url))
        let error = await Task.detached {
            await #expect(throws: APIError.self) { try await APIClient(baseURL: base).data(for: API.other) }
        }.value
        #expect(error?.kind == .mock)
        #expect(error?.message.contains("not sent") == true)
    }

    private static let proxies: [([String: String], String, String?)] = [
        ([:], "127.0.0.1", nil), (["http_proxy": "http://p:1"], "127.0.0.1", "http_proxy"),
        (["http_proxy": ""], "127.0.0.1", nil), (["HTTP_PROXY": "http://p:1"], "127.0.0.1", nil),
        (["ALL_PROXY": "http://p:1"], "localhost", "ALL_PROXY"),
        (["all_proxy": "http://p:1", "no_proxy": "*"], "localhost", nil),
        (["all_proxy": "http://p:1", "no_proxy": "example.com, localhost"], "localhost", nil),
        (["all_proxy": "http://p:1", "NO_PROXY": ".localhost"], "api.localhost", nil),
        (["all_proxy": "http://p:1", "no_proxy": "::1"], "[::1]", nil),
        (["all_proxy": "http://p:1", "no_proxy": "ocalhost"], "localhost", "all_proxy"),
    ]

    @Test(arguments: proxies) func `A proxy is noticed, unless the host goes past it`(
        variables: [String: String], host: String, name: String?
    ) {
        #expect(ProxyVariables(variables).name(for: host, scheme: "http") == name)
    }

    @Test func `A sealed environment stays sealed when a scope asks for the network`() async throws {
        let transport = StubTransport(200)
        let client = try APIClient { $0.transport = transport }
        let scope = APIScope(
            environment: try Environment("Testing", values: ["baseURL": "https://t.invalid"]), network: .live)
        let error = await #expect(throws: APIError.self) {
            try await scope.run { try await client.data(for: API.other) }
        }
        #expect(error?.kind == .mock)
        #expect(error?.fix?.contains(".environment(") == true)
        #expect(transport.requests.isEmpty)
    }
}
