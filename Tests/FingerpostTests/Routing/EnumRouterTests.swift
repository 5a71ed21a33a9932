import CallSupport
import FingerpostCallbacks
import FingerpostTesting

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

    /// Whether a callback ran on the main queue. The queue is checked instead of the thread: on Linux the main queue
    /// has no thread of its own in a process that is entirely `async`.
    private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueue) == true }

    private static let mainQueue: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    private func login() async -> Result<User, APIError> {
        await withCheckedContinuation { continuation in
            Router.login(email: "a@b.example", password: "Pass123").request(
                success: { (user: User) in
                    #expect(Self.isOnMainQueue)
                    continuation.resume(returning: .success(user))
                },
                failure: { error in
                    #expect(Self.isOnMainQueue)
                    continuation.resume(returning: .failure(error))
                })
        }
    }

    private func logout() async -> Result<Void, APIError> {
        await withCheckedContinuation { continuation in
            Router.logout.request(
                success: { continuation.resume(returning: .success(())) },
                failure: { continuation.resume(returning: .failure($0)) })
        }
    }

    @Test func `Under the testing environment routes answer from their mocks`() async throws {
        let mocks = try TemporaryFolder(["login.json": #"{ "id": 7, "name": "Ada" }"#, "empty.json": ""])
        try await APIScope(mocks: mocks.url).run {
            #expect(try await login().get() == User(id: 7, name: "Ada"))
            try await logout().get()
        }
        for (files, kind) in [([:], APIError.Kind.mock), (["login.json": "{ broken"], .decoding)] {
            let mocks = try TemporaryFolder(files)
            let result = await APIScope(mocks: mocks.url).run { await login() }
            #expect(#expect(throws: APIError.self) { try result.get() }?.kind == kind)
        }
    }

    private struct LoginFailure: Decodable, Equatable, Sendable {
        var message: String
        var attempts: Int
        var fields: [String: String]
    }

    @Test func `A failure contains the status, the server's message and its fields, and a 204 is a success`()
        async throws
    {
        let server = try LoopbackServer { request, connection in
            switch request.path {
            case "/v1/login":
                connection.respond(
                    422, headers: ["Content-Type": "application/json"],
                    body: #"{ "message": "wrong password", "attempts": 2, "fields": { "password": "wrong" } }"#)
            case "/v1/session": connection.respond(204)
            default: connection.respond(404, body: "gone")
            }
        }
        let environment = try Environment("Staging", values: ["baseURL": server.baseURL.absoluteString + "/v1"])
        try await APIScope(environment: environment).run {
            let result = await login()
            let error = try #require(throws: APIError.self) { try result.get() }
            #expect(error.kind == .status(422) && error.localizedDescription == "wrong password")
            #expect(
                try error.decodeBody(as: LoginFailure.self)
                    == LoginFailure(message: "wrong password", attempts: 2, fields: ["password": "wrong"]))
            #expect(!"\(error)".contains("Pass123"))
            try await logout().get()
            let nothing: Result<User?, APIError> = await withCheckedContinuation { continuation in
                Router.logout.request(as: User?.self) {
                    continuation.resume(returning: .success($0))
                } failure: {
                    continuation.resume(returning: .failure($0))
                }
            }
            #expect(try nothing.get() == nil)
            let plain = try await #require(throws: APIError.self) {
                try await APIClient.shared.send(Router.signup(name: "n", email: "e", password: "p"))
            }
            #expect(plain.status == 404 && plain.serverMessage == nil && plain.body == Data("gone".utf8))
        }
        #expect(server.requests.first?.text == #"{"email":"a@b.example","password":"Pass123"}"#)
    }

    @Test func `A URLRequest is sent verbatim`() async throws {
        let server = try LoopbackServer { _, connection in connection.respond(200, body: #"{ "id": 7, "name": "Ada" }"#)
        }
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

    @Test func `The error of a named call has its type, and the route's name`() async throws {
        let client = StubTransport(401, [:], #"{ "message": "no" }"#).client()
        do throws(APIError) {
            _ = try await client.send(Router.login(email: "a@b.example", password: "x"), as: User.self)
            Issue.record("it must fail")
        } catch {
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

    @Test func `An existing property list of a product loads as its environment, whatever the key of its base URL`()
        async throws
    {
        let folder = try TemporaryFolder([
            "My App-Env.plist": EnvironmentFixture.propertyList(
                "<key>apiBasePath</key><string>https://h.example/v1</string>")
        ])
        let environment = try Environment.load("My App", from: folder.url)
        #expect(!environment.isTesting && !environment.isSealed)
        let base: String = try environment.value("apiBasePath")
        #expect(base == "https://h.example/v1")
        let transport = StubTransport(200, [:], "[]")
        let client = try APIClient {
            $0.environment = environment
            $0.baseURLKey = "apiBasePath"
            $0.transport = transport
        }
        _ = try await client.send(Router.users(page: 2), as: [User].self)
        #expect(transport.requests.map { $0.url?.absoluteString } == ["https://h.example/v1/users?page=2"])
    }
}
