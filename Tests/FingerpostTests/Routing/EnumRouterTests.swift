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
            let plain = try await failure {
                try await APIClient.shared.send(Router.signup(name: "n", email: "e", password: "p"))
            }
            #expect(plain.status == 404 && plain.serverMessage == nil && plain.body == Data("gone".utf8))
        }
        #expect(server.requests.first?.text == #"{"email":"a@b.example","password":"Pass123"}"#)
    }
}
