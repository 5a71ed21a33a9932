import CallSupport
import FingerpostCallbacks

/// An enum router, called with callbacks.
@Suite(.inTurn) struct EnumRouterTests {
    enum Router: RouteConvertible {
        case login(email: String, password: String)
        case logout

        var route: Route {
            switch self {
            case .login(let email, let password):
                .post("login").parameters(["email": email, "password": password])
            case .logout: .delete("session")
            }
        }
    }

    struct User: Decodable, Sendable {
        var id: Int
        var name: String
    }

    private func login() async -> Result<User, APIError> {
        await withCheckedContinuation { continuation in
            Router.login(email: "a@b.example", password: "Pass123").request(
                success: { (user: User) in continuation.resume(returning: .success(user)) },
                failure: { continuation.resume(returning: .failure($0)) })
        }
    }

    private func logout() async -> Result<Void, APIError> {
        await withCheckedContinuation { continuation in
            Router.logout.request(
                success: { continuation.resume(returning: .success(())) },
                failure: { continuation.resume(returning: .failure($0)) })
        }
    }

    @Test func `A failure has the status and the server's message, and a 204 is a success`() async throws {
        let server = try LoopbackServer { request, connection in
            let isLogin = request.path == "/v1/login"
            connection.respond(isLogin ? 422 : 204, body: isLogin ? #"{ "message": "wrong password" }"# : "")
        }
        let environment = try Environment("Staging", values: ["baseURL": server.baseURL.absoluteString + "/v1"])
        try await APIScope(environment: environment).run {
            let result = await login()
            let error = try await failure(.status(422)) { try result.get() }
            #expect(error.localizedDescription == "wrong password" && !"\(error)".contains("Pass123"))
            try await logout().get()
            let nothing: Result<User?, APIError> = await withCheckedContinuation { continuation in
                Router.logout.request(
                    as: User?.self, success: { continuation.resume(returning: .success($0)) },
                    failure: { continuation.resume(returning: .failure($0)) })
            }
            #expect(try nothing.get() == nil)
        }
        #expect(
            server.requests.map { "\($0.method) \($0.path) \($0.text)" } == [
                #"POST /v1/login {"email":"a@b.example","password":"Pass123"}"#, "DELETE /v1/session ",
                "DELETE /v1/session ",
            ])
    }
}
