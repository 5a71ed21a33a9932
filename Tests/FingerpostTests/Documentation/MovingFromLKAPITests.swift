import CallSupport
import Fingerpost
import FingerpostCallbacks
import FingerpostMocks
import Foundation
import TestSupport
import Testing

/// Compiles and runs the code about LKAPI of the article MovingFromSmallLibraries, and what its table says.
@Suite(.inTurn) struct MovingFromLKAPITests {
    enum Router: Routable {
        case login(email: String, password: String)

        var method: HTTPMethod {
            switch self {
            case .login: .post
            }
        }
        var path: RoutePath {
            switch self {
            case .login: "login"
            }
        }
        var parameters: Parameters? {
            switch self {
            case .login(let email, let password):
                ["email": email, "password": password]
            }
        }
        var mock: MockName? {
            switch self {
            case .login: "login"
            }
        }
    }

    enum Reports: Routable {
        case monthly(Int)

        var path: RoutePath {
            switch self {
            case .monthly(let month): "reports/\(month)"
            }
        }
        var route: Route {
            Route(properties: self)
                .configure { $0.cachePolicy = .reloadIgnoringLocalCacheData }
        }
    }

    private let email = "a@b.example"
    private let password = "Pass123"

    @Test(arguments: [#"{ "login": "octocat" }"#, "{}"])
    func `A route calls the success or the failure closure`(mock: String) async throws {
        let mocks = try TemporaryFolder(["login.json": mock])
        let said = await APIScope(mocks: mocks.url).run {
            await withCheckedContinuation { continuation in
                let welcome: @Sendable (User) -> Void = { continuation.resume(returning: "hello \($0.login)") }
                let show: @Sendable (String) -> Void = { continuation.resume(returning: $0) }
                Router.login(email: email, password: password).request(
                    success: { (user: User) in
                        welcome(user)
                    },
                    failure: { error in
                        show(error.serverMessage ?? error.message)
                    })
            }
        }
        #expect(mock == "{}" ? said.hasPrefix("the body does not decode as User") : said == "hello octocat")
    }

    @Test(arguments: [(200, #"{ "login": "octocat" }"#, "octocat"), (401, #"{ "message": "no" }"#, "no")])
    func `A method of an extension sends a route`(status: Int, body: String, expected: String) async throws {
        let client = StubTransport(status, [:], body).client()
        var said = ""
        func welcome(_ user: User) { said = user.login }
        func show(_ message: String) { said = message }
        do throws(APIError) {
            welcome(try await client.login(email: email, password: password))
        } catch {
            show(error.serverMessage ?? error.message)
        }
        #expect(said == expected)
    }

    @Test func `The base URL keeps its key, and a property reads it`() throws {
        let environment = try APIEnvironment("X", values: ["apiBasePath": "https://h.example"])
        let scope = APIScope(environment: environment)
        try scope.run {
            let client = try APIClient { $0.baseURLKey = "apiBasePath" }
            #expect(client.configuration.baseURLKey == "apiBasePath")
        }
        #expect(try scope.run { try APIEnvironment.apiBasePath } == "https://h.example")
    }

    @Test func `A router configures its requests`() throws {
        let request = try Reports.monthly(5).urlRequest(relativeTo: URL(string: "https://h.example"))
        #expect(request.url?.absoluteString == "https://h.example/reports/5")
        #expect(request.cachePolicy == .reloadIgnoringLocalCacheData)
    }
}

private typealias Router = MovingFromLKAPITests.Router

extension APIClient {
    func login(
        email: String, password: String
    ) async throws(APIError) -> User {
        try await send(Router.login(email: email, password: password))
    }
}

extension APIEnvironment {
    static var apiBasePath: String {
        get throws { try current.value("apiBasePath") }
    }
}
