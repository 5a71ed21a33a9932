import CallSupport
import Fingerpost
import FingerpostCallbacks
import FingerpostTesting
import Foundation
import LoopbackServer
import TestSupport
import Testing

/// An enum router with one environment file per server, called with callbacks.
@Suite(.inTurn) struct EnumRouterTests {
    enum Router: Routable {
        case login(email: String, password: String)
        case signup(name: String, email: String, password: String)
        case users(page: Int)
        case logout

        var method: HTTPMethod {
            switch self {
            case .login, .signup: .post
            case .users: .get
            case .logout: .delete
            }
        }
        var path: RoutePath {
            switch self {
            case .login: "login"
            case .signup: "signup"
            case .users: "users"
            case .logout: "session"
            }
        }
        var parameters: Parameters? {
            switch self {
            case .login(let email, let password): ["email": email, "password": password]
            case .signup(let name, let email, let password): ["name": name, "email": email, "password": password]
            case .users(let page): ["page": page]
            case .logout: nil
            }
        }
        var headers: HTTPHeaders {
            switch self {
            case .signup: ["X-Campaign": "spring"]
            default: [:]
            }
        }
        var mock: MockName? {
            switch self {
            case .login: "login"
            case .users: "users"
            case .logout: "empty"
            case .signup: nil
            }
        }
    }

    struct User: Codable, Equatable, Sendable {
        var id: Int
        var name: String
    }

    /// The result passed to a callback, and whether the callback ran on the main queue.
    enum Outcome<Value: Sendable>: Sendable {
        case success(Value, onMain: Bool)
        case failure(APIError, onMain: Bool)

        var value: Value? { if case .success(let value, _) = self { value } else { nil } }
        var error: APIError? { if case .failure(let error, _) = self { error } else { nil } }
        var onMain: Bool {
            switch self {
            case .success(_, let onMain), .failure(_, let onMain): onMain
            }
        }
    }

    private static let mainQueue: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Checks the queue instead of the thread: on Linux the main queue has no thread of its own in a process that is
    /// entirely `async`.
    private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueue) == true }

    private func login() async -> Outcome<User> {
        await withCheckedContinuation { continuation in
            Router.login(email: "a@b.example", password: "Pass123").request(
                success: { (user: User) in
                    continuation.resume(returning: .success(user, onMain: Self.isOnMainQueue))
                },
                failure: { error in continuation.resume(returning: .failure(error, onMain: Self.isOnMainQueue)) })
        }
    }

    private func logout() async -> Outcome<Bool> {
        await withCheckedContinuation { continuation in
            Router.logout.request(
                success: { continuation.resume(returning: .success(true, onMain: Self.isOnMainQueue)) },
                failure: { error in continuation.resume(returning: .failure(error, onMain: Self.isOnMainQueue)) })
        }
    }

    private static func mocks() throws -> TemporaryFolder {
        try TemporaryFolder([
            "login.json": #"{ "id": 7, "name": "Ada" }"#, "users.json": #"[{ "id": 7, "name": "Ada" }]"#,
            "empty.json": "",
        ])
    }

    // MARK: Callbacks from mocks

    @Test func `Under the testing environment a route answers from its mock`() async throws {
        let mocks = try Self.mocks()
        let outcome = await APIScope(mocks: mocks.url).run { await login() }
        #expect(outcome.value == User(id: 7, name: "Ada"))
        #expect(outcome.onMain)
    }

    @Test func `A response without a body is a success`() async throws {
        let mocks = try Self.mocks()
        let outcome = await APIScope(mocks: mocks.url).run { await logout() }
        #expect(outcome.value == true)
        #expect(outcome.onMain)
    }

    @Test func `Under the testing environment a route without a mock fails, and nothing is sent`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200, body: "{}") }
        defer { server.stop() }
        let environment = try Environment(
            "X", values: ["description": "Testing", "baseURL": server.baseURL.absoluteString])
        let mocks = try Self.mocks()
        let error = await APIScope(environment: environment, mocks: mocks.url).run {
            await #expect(throws: APIError.self) {
                try await APIClient.shared.send(Router.signup(name: "n", email: "e", password: "p"))
            }
        }
        #expect(error?.kind == .mock)
        #expect(server.requestCount == 0)
    }

    @Test func `A missing or invalid mock fails the call and never reaches a server`() async throws {
        for files in [[:], ["login.json": "{ broken"]] {
            let mocks = try TemporaryFolder(files)
            let error = await APIScope(mocks: mocks.url).run { await login() }.error
            #expect(error?.kind == (files.isEmpty ? .mock : .decoding))
        }
    }

    // MARK: Callbacks from a server

    private struct LoginFailure: Decodable, Equatable, Sendable {
        var message: String
        var attempts: Int
        var fields: [String: String]
    }

    private static func server() throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            switch request.path {
            case "/v1/login":
                connection.respond(
                    422, headers: ["Content-Type": "application/json"],
                    body: #"{ "message": "wrong password", "attempts": 2, "fields": { "password": "wrong" } }"#)
            case "/v1/session": connection.respond(204)
            case "/v1/users":
                connection.respond(
                    200, headers: ["Content-Type": "application/json"], body: #"[{ "id": 7, "name": "Ada" }]"#)
            default: connection.respond(404, body: "gone")
            }
        }
    }

    private static func scope(_ server: LoopbackServer) throws -> APIScope {
        APIScope(
            environment: try Environment("Staging", values: ["baseURL": server.baseURL.absoluteString + "/v1"]))
    }

    @Test func `A failure contains the status, the server's message and its fields`() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let outcome = try await Self.scope(server).run { await login() }
        let error = try #require(outcome.error)
        #expect(outcome.onMain)
        #expect(error.status == 422)
        #expect(error.kind == .status(422))
        #expect(error.serverMessage == "wrong password")
        #expect(error.localizedDescription == "wrong password")
        #expect(
            try error.decodeBody(as: LoginFailure.self)
                == LoginFailure(message: "wrong password", attempts: 2, fields: ["password": "wrong"]))
        #expect(!"\(error)".contains("Pass123"))
        #expect(server.requests.map(\.target) == ["/v1/login"])
        #expect(
            server.requests.first?.text
                == #"{"email":"a@b.example","password":"Pass123"}"#)
    }

    @Test func `A 204 is a success, and nil for an optional value`() async throws {
        let server = try Self.server()
        defer { server.stop() }
        try await Self.scope(server).run {
            #expect(await logout().value == true)
            let nothing: Outcome<User?> = await withCheckedContinuation { continuation in
                Router.logout.request(as: User?.self) {
                    continuation.resume(returning: .success($0, onMain: true))
                } failure: {
                    continuation.resume(returning: .failure($0, onMain: true))
                }
            }
            #expect(nothing.error == nil)
            #expect(nothing.value == .some(nil))
        }
    }

    @Test func `A failure whose body is not JSON keeps the body`() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let error = try await Self.scope(server).run {
            await #expect(throws: APIError.self) {
                try await APIClient.shared.send(Router.signup(name: "n", email: "e", password: "p"))
            }
        }
        #expect(error?.status == 404)
        #expect(error?.serverMessage == nil)
        #expect(error?.body == Data("gone".utf8))
    }

    @Test func `A callback runs once, on the given queue`() async throws {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "callbacks")
        queue.setSpecific(key: key, value: true)
        let client = StubTransport(200, [:], #"[{ "id": 7, "name": "Ada" }]"#).client()
        let onQueue = await withCheckedContinuation { continuation in
            client.request(Router.users(page: 1), as: [User].self, on: queue) { result in
                let count = try? result.get().count
                continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true && count == 1)
            }
        }
        #expect(onQueue)
    }

    @Test func `A call that was started with callbacks is cancelled by its task`() async throws {
        let client = StubTransport.silent.client()
        let error = await withCheckedContinuation { continuation in
            let task = client.request(Router.users(page: 1), as: [User].self) { result in
                if case .failure(let error) = result { continuation.resume(returning: error) }
            }
            task.cancel()
        }
        #expect(error.kind == .cancelled)
    }

    @Test func `An endpoint calls back with its own response type`() async throws {
        struct CurrentUser: Endpoint {
            typealias Response = User
            var path: RoutePath { "me" }
            var mock: MockName? { "login" }
        }
        let mocks = try Self.mocks()
        let name = await APIScope(mocks: mocks.url).run {
            await withCheckedContinuation { continuation in
                CurrentUser().request(
                    success: { continuation.resume(returning: $0.name) },
                    failure: { continuation.resume(returning: "\($0)") })
            }
        }
        #expect(name == "Ada")
    }

    // MARK: Requests from Foundation

    @Test func `A URLRequest is sent verbatim`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200, body: #"{ "id": 7, "name": "Ada" }"#)
        }
        defer { server.stop() }
        var request = URLRequest(url: server.baseURL.appendingPathComponent("x"))
        request.httpMethod = "PUT"
        request.setValue("1", forHTTPHeaderField: "X-Own")
        request.httpBody = Data("body".utf8)
        let response = try await APIClient(baseURL: server.baseURL).response(for: request)
        #expect(try JSONDecoder().decode(User.self, from: response.value) == User(id: 7, name: "Ada"))
        let sent = try #require(server.requests.first)
        #expect(sent.method == "PUT")
        #expect(sent.target == "/x")
        #expect(sent.text == "body")
        #expect(sent.headers.contains { $0.name == "X-Own" && $0.value == "1" })
        #expect(!sent.headers.contains { $0.name == "Accept" && $0.value == "application/json" })
    }

    @Test(.mocks) func `A URLRequest has no mock, so it fails under the testing environment`() async throws {
        let url = try #require(URL(string: "https://api.example.com/x"))
        let error = await #expect(throws: APIError.self) { try await APIClient().response(for: URLRequest(url: url)) }
        #expect(error?.message == "the route has no mock. The environment is sealed, so nothing was sent")
        #expect(Mocks.takeProblems().count == 1)
    }

    // MARK: Named calls

    @Test func `A named call checks its input, sends and decodes`() async throws {
        let client = StubTransport(200, [:], #"{ "id": 7, "name": "Ada" }"#).client()
        #expect(try await client.logIn(email: "a@b.example", password: "Pass123") == User(id: 7, name: "Ada"))
        do throws(APIError) {
            _ = try await StubTransport(401, [:], #"{ "message": "no" }"#).client()
                .logIn(email: "a@b.example", password: "x")
            Issue.record("it must fail")
        } catch {
            // The error's type is known statically.
            #expect(error.status == 401)
            #expect(error.route == "Router.login(email:password:)")
        }
    }

    @Test func `Each case has its own headers and parameters`() throws {
        let base = URL(string: "https://h.example")
        let signup = try Router.signup(name: "n", email: "e", password: "p").urlRequest(relativeTo: base)
        #expect(signup.value(forHTTPHeaderField: "X-Campaign") == "spring")
        #expect(signup.httpBody == Data(#"{"name":"n","email":"e","password":"p"}"#.utf8))
        let users = try Router.users(page: 2).urlRequest(relativeTo: base)
        #expect(users.url?.absoluteString == "https://h.example/users?page=2")
        #expect(users.allHTTPHeaderFields ?? [:] == [:])
    }

    // MARK: Environments

    private static func propertyList(_ values: [String: String]) -> String {
        EnvironmentFixture.propertyList(
            values.map { "<key>\($0.key)</key>\n<string>\($0.value)</string>" }.sorted().joined(separator: "\n"))
    }

    @Test func `An existing property list of a product loads as its environment`() throws {
        let folder = try TemporaryFolder([
            "My App-Env.plist": Self.propertyList(["apiBasePath": "https://api.example.com/v1"]),
            "My App Tests-Env.plist": Self.propertyList([
                "description": "Testing", "apiBasePath": "https://api.example.invalid",
            ]),
        ])
        let app = try Environment.load("My App", from: folder.url)
        #expect(!app.isTesting)
        #expect(!app.isSealed)
        let tests = try Environment.load("My App Tests", from: folder.url)
        #expect(tests.isTesting)
        #expect(tests.isSealed)
        for (environment, path) in [(app, "https://api.example.com/v1"), (tests, "https://api.example.invalid")] {
            let scope = APIScope(environment: environment)
            #expect(try scope.run { try Environment.current.name } == environment.name)
            #expect(try scope.run { try Environment.serverPath } == path)
        }
    }

    @Test func `A missing key of an environment is an error, never empty text`() throws {
        let folder = try TemporaryFolder(["X-Env.plist": Self.propertyList(["apiBasPath": "https://h.example"])])
        let error = try APIScope(environment: Environment.load("X", from: folder.url)).run {
            #expect(throws: EnvironmentError.self) { try Environment.serverPath }
        }
        #expect(error?.kind == .missingKey)
        #expect(error?.description.contains("did you mean \"apiBasPath\"?") == true)
        let none = #expect(throws: EnvironmentError.self) { try Environment.load("Y", from: folder.url) }
        #expect(none?.kind == .notFound)
    }

    @Test func `A base URL can be stored under any key`() async throws {
        let folder = try TemporaryFolder(["X-Env.plist": Self.propertyList(["apiBasePath": "https://h.example/v1"])])
        let transport = StubTransport(200, [:], "[]")
        let environment = try Environment.load("X", from: folder.url)
        let client = try APIClient {
            $0.environment = environment
            $0.baseURLKey = "apiBasePath"
            $0.transport = transport
        }
        _ = try await client.send(Router.users(page: 2), as: [User].self)
        #expect(transport.requests.map { $0.url?.absoluteString } == ["https://h.example/v1/users?page=2"])
    }
}

extension APIClient {
    fileprivate func logIn(email: String, password: String) async throws(APIError) -> EnumRouterTests.User {
        try await send(EnumRouterTests.Router.login(email: email, password: password))
    }
}

extension Environment {
    fileprivate static var serverPath: String { get throws { try current.value("apiBasePath") } }
}
