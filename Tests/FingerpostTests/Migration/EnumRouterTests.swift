import FingerpostFiles
import Foundation
import Testing

@testable import Fingerpost

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Enum routers with environments, as users of LKAPI have them.
@Suite struct EnumRouterTests {
    enum Router: Routable {
        case login(email: String, password: String)
        case profile

        var method: HTTPMethod {
            switch self {
            case .login: .post
            case .profile: .get
            }
        }
        var path: RoutePath {
            switch self {
            case .login: "login"
            case .profile: "profile"
            }
        }
        var parameters: Parameters? {
            switch self {
            case .login(let email, let password): ["email": email, "password": password]
            case .profile: nil
            }
        }
        var mock: MockName? {
            switch self {
            case .login: "user"
            case .profile: nil
            }
        }
    }

    struct Account: Decodable, Sendable, Equatable {
        var login: String
    }

    struct Refusal: Decodable, Equatable {
        var message: String
        var attempts: Int
    }

    @Test func `A case sends itself and calls back with the value`() async throws {
        let login = await withCheckedContinuation { continuation in
            Router.login(email: "a@b.example", password: "p").request(as: Account.self) { account in
                continuation.resume(returning: Result<Account, APIError>.success(account))
            } failure: { error in
                continuation.resume(returning: .failure(error))
            }
        }
        // In a test process the shared client's environment is Testing, so Mocks/user.json answers.
        #expect(try login.get() == Account(login: "octocat"))
    }

    @Test func `A case sends itself and calls back with the error`() async {
        let error = await withCheckedContinuation { continuation in
            Router.profile.request(as: Account.self) { _ in
                continuation.resume(returning: APIError?.none)
            } failure: { error in
                continuation.resume(returning: error)
            }
        }
        #expect(error?.kind == .mock)
        #expect(error?.route == "Router.profile")
    }

    @Test func `The failure has the status, the message and the fields of the body`() async {
        let client = StubTransport(401, [:], #"{"message": "wrong password", "attempts": 2}"#).client()
        let result = await withCheckedContinuation { continuation in
            client.request(Router.login(email: "e", password: "p"), as: Account.self, on: .global()) {
                continuation.resume(returning: $0)
            }
        }
        guard case .failure(let error) = result else {
            Issue.record("a 401 is no success")
            return
        }
        #expect(error.kind == .status(401))
        #expect(error.status == 401)
        #expect(error.serverMessage == "wrong password")
        #expect(throws: Never.self) {
            let refusal = try error.decodeBody(as: Refusal.self)
            #expect(refusal == Refusal(message: "wrong password", attempts: 2))
        }
    }

    @Test func `A plain request is sent unchanged`() async throws {
        let transport = StubTransport(200, ["ETag": "1"], "body")
        var request = URLRequest(url: try #require(URL(string: "https://other.example/x?y=1")))
        request.httpMethod = "PUT"
        request.httpBody = Data("b".utf8)
        request.setValue("1", forHTTPHeaderField: "X-A")
        let response = try await transport.client().request(request)
        #expect(response.value == Data("body".utf8))
        #expect(response.headers[.etag] == "1")
        let sent = try #require(transport.requests.first)
        #expect(sent.url == request.url)
        #expect(sent.httpMethod == "PUT")
        #expect(sent.httpBody == request.httpBody)
        #expect(sent.allHTTPHeaderFields == request.allHTTPHeaderFields)
    }

    @Test func `A plain request is not sent from a sealed environment`() async throws {
        let transport = StubTransport(200)
        let client = transport.client()
        let request = URLRequest(url: try #require(URL(string: "https://other.example/x")))
        let folder = try TemporaryFolder(["x.json": "{}"])
        let scope = APIScope(environment: try Environment("Testing"), mocks: folder.url)
        let error = await #expect(throws: APIError.self) { try await scope.run { try await client.request(request) } }
        #expect(error?.kind == .mock)
        #expect(transport.requests.isEmpty)
    }

    @Test func `A route has the last word on its request, and then the client`() async throws {
        let transport = StubTransport(200)
        let client = transport.client {
            $0.configure = { request, route in
                request.setValue(route.name, forHTTPHeaderField: "X-Route")
                request.setValue("client", forHTTPHeaderField: "X-Last")
            }
        }
        let route = Route.get("x").named("mine").configure { $0.setValue("route", forHTTPHeaderField: "X-Last") }
            .configure { $0.cachePolicy = .reloadIgnoringLocalCacheData }
        try await client.send(route)
        let sent = try #require(transport.requests.first)
        #expect(sent.value(forHTTPHeaderField: "X-Route") == "mine")
        #expect(sent.value(forHTTPHeaderField: "X-Last") == "client")
        #expect(sent.cachePolicy == .reloadIgnoringLocalCacheData)
    }

    @Test func `What configuring sets is checked too`() {
        let route = Route.get("x").configure { $0.allHTTPHeaderFields = ["X": "a\r\nb"] }
        let error = #expect(throws: APIError.self) {
            try route.urlRequest(relativeTo: URL(string: "https://h.example"))
        }
        #expect(error?.kind == .invalidRoute)
    }

    @Test func `The environment's keys are static properties, the base URL's name among them`() async throws {
        let transport = StubTransport(200)
        let folder = try TemporaryFolder(["App-Env.json": #"{"apiBasePath": "https://app.example/api/"}"#])
        let scope = APIScope(environment: try Environment.load("App", from: folder.url))
        try await scope.run {
            let path = try Environment.appBasePath
            #expect(path == "https://app.example/api/")
            let client = try APIClient {
                $0.baseURLKey = "apiBasePath"
                $0.transport = transport
            }
            try await client.send(Router.profile)
        }
        #expect(transport.requests.first?.url?.absoluteString == "https://app.example/api/profile")
    }

    @Test func `Calls of the app are methods of the client`() async throws {
        let account = try await StubTransport(200, [:], #"{"login": "l"}"#).client().signIn(email: "e", password: "p")
        #expect(account == Account(login: "l"))
    }
}

extension Environment {
    fileprivate static var appBasePath: String { get throws { try current.value("apiBasePath") } }
}

extension APIClient {
    fileprivate func signIn(email: String, password: String) async throws(APIError) -> EnumRouterTests.Account {
        try await send(EnumRouterTests.Router.login(email: email, password: password))
    }
}
