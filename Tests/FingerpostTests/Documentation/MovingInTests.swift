import CallSupport
import Fingerpost
import FingerpostCallbacks
import FingerpostCatalog
import FingerpostTesting
import FingerpostTransfers
import Foundation
import TestSupport
import Testing

nonisolated protocol ForumEndpoint: RouteConvertible {
    func path() -> String
    func queryItems() -> [URLQueryItem]?
    var jsonValue: (any Encodable & Sendable)? { get }
}

nonisolated extension ForumEndpoint {
    var route: Route {
        Route {
            $0.path = RoutePath(raw: path())
            for item in queryItems() ?? [] {
                $0.query.append(item.name, item.value)
            }
            $0.body = jsonValue.map { .json($0) }
        }
    }
}

/// Compiles and runs the code of the article MovingIn and of FingerpostCallbacks, and what the tables of the article
/// say.
@MainActor @Suite(.inTurn) struct MovingInTests {
    nonisolated struct Photo: Codable, Sendable {
        var id: Int
        var title = ""
    }

    actor Session {
        func newToken(after expired: String) async throws -> String { expired + "2" }
    }

    enum Topics: ForumEndpoint {
        case list(after: String?)
        case add(Photo)

        func path() -> String { "api/v1/topics" }
        func queryItems() -> [URLQueryItem]? {
            if case .list(let after) = self { [URLQueryItem(name: "after", value: after)] } else { nil }
        }
        var jsonValue: (any Encodable & Sendable)? {
            if case .add(let topic) = self { topic } else { nil }
        }
    }

    private static let base = URL(string: "https://h.example/v1/")

    @Test(.mocks) func `The enums of a client that was written by hand stay as they are`() async throws {
        Mocks.set("list", .json([Photo]()))
        let client = try APIClient()
        _ = try await client.send(Topics.list(after: "a+b"), as: [Photo].self)
        #expect(Mocks.calls.first?.request?.url?.query == "after=a%2Bb")
        let add = try Topics.add(Photo(id: 7)).method(.post).urlRequest(relativeTo: Self.base)
        #expect(add.httpBody == Data(#"{"id":7,"title":""}"#.utf8))
    }

    @Test(.mocks) func `An interceptor is two settings`() async throws {
        let (savedToken, session) = ("t", Session())
        let store = InMemoryCredentialStore(savedToken)
        let client = try APIClient { configuration in
            configuration.retry = .standard
            configuration.authorization = .refreshing(store) { expired in
                try await session.newToken(after: expired)
            }
        }
        Mocks.set("photos", .sequence([.status(401), .status(503), .json([Photo]())]))
        let response = try await client.response(for: Route.get("photos").mock("photos"), as: [Photo].self)
        #expect(response.history.map(\.status) == [401, 503, 200] && store.token() == "t2")
    }

    @Test func `Lists and flags are written as Alamofire does`() throws {
        let route = Route.get("x").query("a", [1, 2]).query("b", true)
            .dialect(QueryDialect(arrays: .brackets, booleans: .numbers))
        #expect(try route.urlRequest(relativeTo: Self.base).url?.query == "a%5B%5D=1&a%5B%5D=2&b=1")
    }

    @Test(.mocks) func `A request of Get is a function that returns a route`() async throws {
        Mocks.set("photo", .json(Photo(id: 1, title: "Sea")))
        let client = try APIClient()
        enum Paths {
            static func photo(_ id: Int) -> Route {
                .get("photos/\(id)").mock("photo")
            }
        }
        let photo = try await client.send(Paths.photo(1), as: Photo.self)
        #expect(photo.title == "Sea")
    }

    @Test func `An endpoint of a BuildIt file is sent`() async throws {
        let file = """
            {
              "host": "api.github.com", "path": "user/repos",
              "headers": { "User-Agent": "Some-User-Agent" },
              "ReposGET": { "queries": [{ "page": "2" }, { "per_page": "100" }] },
              "ReposPOST": { "httpMethod": "POST", "headers": { "Time-Zone": "Europe/Berlin" } }
            }
            """
        let request = try EndpointCatalog(data: Data(file.utf8)).route("ReposPOST").urlRequest()
        #expect(request.httpMethod == "POST" && request.url?.absoluteString == "https://api.github.com/user/repos")
        #expect(request.allHTTPHeaderFields == ["User-Agent": "Some-User-Agent", "Time-Zone": "Europe/Berlin"])
    }

    @Test func `Routes are derived from others, with a query that has a name`() throws {
        let base = Route {
            $0.scheme = "https"
            $0.host = "somewebservice.com"
            $0.path = "api/v1"
        }
        let route = base.appending("people", "7").query([QueryItem.named("page")(2)])
        #expect(try route.urlRequest().url?.absoluteString == "https://somewebservice.com/api/v1/people/7?page=2")
    }

    @Test func `A body with the status 200 can be an error`() async throws {
        struct Closed: Error {}
        let client = StubTransport(200, [:], #"{"success": false}"#).client {
            $0.validate = { response, _ in
                if response.data.count < 20 { throw Closed() }
            }
        }
        let error = await #expect(throws: APIError.self) { try await client.send(Route.get("x")) }
        #expect(error?.underlying is Closed)
    }

    // MARK: FingerpostCallbacks

    struct Login: Endpoint {
        struct Body: Encodable, Sendable {
            let username: String
            let password: String
        }
        struct Response: Decodable, Sendable {
            let token: String
        }
        let body: Body

        var method: HTTPMethod { .post }
        var path: RoutePath { "login" }
    }

    private let password = "p"
    private let transport = StubTransport(200, [:], #"{"token": "t"}"#)

    @Test func `The callback gets the token`() async {
        let client = transport.client()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            @Sendable func print(_ item: Any) {
                #expect(item as? String == "t")
                continuation.resume()
            }
            let task = client.request(
                Login(body: .init(username: "ali", password: password))
            ) { result in
                switch result {
                case .success(let response): print(response.token)
                case .failure(let error): print(error)
                }
            }
            withExtendedLifetime(task) {}
        }
    }

    @Test func `The blocking call returns the token`() async throws {
        let client = transport.client()
        let password = password
        let token = await withCheckedContinuation { continuation in
            let thread = Thread {
                func script() throws -> String {
                    let token = try client.blocking.send(
                        Login(body: .init(username: "ali", password: password))
                    ).token
                    return token
                }
                continuation.resume(returning: Result { try script() })
            }
            thread.start()
        }
        #expect(try token.get() == "t")
    }

    @Test func `A router calls the success or the failure closure`() async throws {
        enum Router: Routable {
            case login(email: String)
            var path: RoutePath { "login" }
        }
        let mocks = try TemporaryFolder(["login.json": #"{ "login": "octocat" }"#])
        let said = await APIScope(mocks: mocks.url).run {
            await withCheckedContinuation { continuation in
                Router.login(email: "a@b.example").request(
                    success: { (user: User) in continuation.resume(returning: user.login) },
                    failure: { error in continuation.resume(returning: error.message) })
            }
        }
        #expect(said == "octocat")
    }
}
