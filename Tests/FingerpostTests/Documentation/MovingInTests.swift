import CallSupport
import FingerpostCallbacks
import FingerpostTesting
import FingerpostTransfers
import Foundation

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

/// Compiles and runs the code of the article MovingIn and of FingerpostCallbacks.
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

    @Test(.mocks) func `The enums of a client that was written by hand stay as they are`() async throws {
        Mocks.set("list", .json([Photo]()))
        let client = try APIClient()
        _ = try await client.send(Topics.list(after: "a+b"), as: [Photo].self)
        let add = try Topics.add(Photo(id: 7)).method(.post).urlRequest(relativeTo: URL(string: "https://h.example"))
        #expect(Mocks.calls.map(\.line) == ["GET api/v1/topics?after=a%2Bb 200"])
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
        #expect((response.history.map(\.status), store.token()) == ([401, 503, 200], "t2"))
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

    @Test func `The callback gets the token, and the blocking call returns it`() async throws {
        let (client, password) = (StubTransport(200, [:], #"{"token": "t"}"#).client(), "p")
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
}
