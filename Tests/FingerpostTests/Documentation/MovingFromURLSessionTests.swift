import Fingerpost
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

struct ForumClient {
    let api: APIClient

    func get<Value: Decodable & Sendable>(
        _ endpoint: some ForumEndpoint, version: Int = 1
    ) async throws -> Value {
        try await api.send(route(.get, endpoint, version))
    }

    func delete(_ endpoint: some ForumEndpoint) async throws -> Int {
        let route = route(.delete, endpoint)
        return try await api.response(for: route, as: NoContent.self).status
    }

    private func route(
        _ method: HTTPMethod, _ endpoint: some ForumEndpoint,
        _ version: Int = 1
    ) -> Route {
        var route = Route(of: endpoint)
        route.method = method
        route.path = "api/v\(version)/\(route.path)"
        return route
    }
}

/// Compiles and runs the code of the article MovingFromURLSession.
@MainActor @Suite(.mocks) struct MovingFromURLSessionTests {
    nonisolated struct Topic: Codable, Sendable {
        var id: Int
    }

    let api: APIClient

    init() throws {
        api = try APIClient { $0.errorResponse = ForumProblem.self }
    }

    @MainActor @Suite(.inTurn) struct Client {
        enum Topics: ForumEndpoint {
            case list(after: String?)
            case topic(id: Int)
            case add(Topic)

            func path() -> String {
                switch self {
                case .list, .add: "topics"
                case .topic(let id): "topics/\(id)"
                }
            }
            func queryItems() -> [URLQueryItem]? {
                if case .list(let after) = self { [URLQueryItem(name: "after", value: after)] } else { nil }
            }
            var jsonValue: (any Encodable & Sendable)? {
                if case .add(let topic) = self { topic } else { nil }
            }
        }

        @Test(.mocks) func `Endpoints and calls stay as they are`() async throws {
            Mocks.set("list", .json([Topic(id: 7)]))
            Mocks.set("topic", .sequence([.json(Topic(id: 7)), .status(204)]))
            let client = ForumClient(api: try APIClient())

            let topics: [Topic] = try await client.get(Topics.list(after: "a+b"))
            let topic: Topic = try await client.get(Topics.topic(id: topics[0].id), version: 2)
            let endpoint: any ForumEndpoint = Topics.topic(id: topic.id)
            #expect(try await client.delete(endpoint) == 204)
            let calls = Mocks.calls.compactMap(\.request)
            #expect(calls.map(\.httpMethod) == ["GET", "GET", "DELETE"])
            #expect(calls.map(\.url?.path) == ["/api/v1/topics", "/api/v2/topics/7", "/api/v1/topics/7"])
            #expect(calls.first?.url?.query == "after=a%2Bb")
            let add = try Topics.add(topic).method(.post).urlRequest(relativeTo: URL(string: "https://h.invalid"))
            #expect(add.httpBody == Data(#"{"id":7}"#.utf8))
        }
    }

    enum Topics: RouteConvertible {
        case list(after: String?)
        case topic(id: Int)
        case removeTopic(id: Int)  // was topic(id:), called with delete
        case search(String)  // was called with version 2

        private static let v1: RoutePath = "api/v1"

        var route: Route {
            switch self {
            case .list(let after):
                .get("\(Self.v1)/topics").query("after", after)
            case .topic(let id): .get("\(Self.v1)/topics/\(id)")
            case .removeTopic(let id): .delete("\(Self.v1)/topics/\(id)")
            case .search(let text): .get("api/v2/search").query("q", text)
            }
        }
    }

    @Test(arguments: [
        (Topics.topic(id: 7), "GET https://h.example/api/v1/topics/7"),
        (.removeTopic(id: 7), "DELETE https://h.example/api/v1/topics/7"),
        (.search("c++"), "GET https://h.example/api/v2/search?q=c%2B%2B"),
    ])
    func `The enum says the method and the version`(topic: Topics, expected: String) throws {
        let request = try topic.urlRequest(relativeTo: URL(string: "https://h.example"))
        #expect("\(request.httpMethod ?? "") \(request.url?.absoluteString ?? "")" == expected)
    }

    nonisolated struct ForumProblem: ErrorResponse {
        var reason: String
        var message: String { reason }
    }

    @Test(arguments: [
        (MockResponse.status(404), "missing"), (.json(["reason": "It is closed."], status: 409), "It is closed."),
    ])
    func `A status outside 200 to 299 is thrown`(answer: MockResponse, expected: String) async throws {
        Mocks.set("removeTopic", answer)
        var shown = ""
        func show(_ text: String) { shown = text }
        func showMissing() { shown = "missing" }
        do {
            try await api.send(Topics.removeTopic(id: 7))
        } catch {
            // The service's own error, as configuration.errorResponse names it.
            let problem = error.response as? ForumProblem
            if error.kind == .status(404) {
                showMissing()
            } else {
                show(problem?.reason ?? "\(error)")
            }
        }
        #expect(shown == expected)
    }

    private nonisolated struct LinkHandler {
        let rawLink: String
    }

    @Test func `A handler reads the links of a response`() async throws {
        Mocks.set("list", .json([Topic(id: 7)]).header("Link", "</topics?after=7>; rel=\"next\""))
        let response = try await api.response(
            for: Topics.list(after: nil), as: [Topic].self)
        let links = response.headers[.link].map(LinkHandler.init(rawLink:))
        #expect(links?.rawLink.contains("after=7") == true && response.value.count == 1)
    }

    enum Media: RouteConvertible {
        case upload

        var route: Route { .post("api/v2/media") }
    }

    private nonisolated struct Photo: Codable, Sendable {
        var id: Int
    }

    @Test func `The call adds the bytes of an upload`() async throws {
        Mocks.set("upload", .json(Photo(id: 3)))
        let image = Data(count: 100)
        @Sendable nonisolated func show(_ fraction: Double) {}
        let form = MultipartForm().data("file", image, fileName: "photo.jpg")
        let photo = try await api.send(
            Media.upload.multipart(form), as: Photo.self
        ) { progress in
            show(progress.fractionCompleted ?? 0)
        }
        #expect(photo.id == 3 && Mocks.calls.first?.name == "upload")
    }

    enum Updates: RouteConvertible {
        case all

        var route: Route { .get("api/v1/streaming").query("stream", "user") }
    }

    @Test func `A route gives the address of a socket`() throws {
        let server = URL(string: "https://forum.example")
        var request = try Updates.all.urlRequest(relativeTo: server)
        let address = request.url?.absoluteString ?? ""
        // https becomes wss, and http becomes ws:
        request.url = URL(string: "ws" + address.dropFirst(4))
        let socket = URLSession.shared.webSocketTask(with: request)
        #expect(
            socket.originalRequest?.url?.absoluteString == "wss://forum.example/api/v1/streaming?stream=user")
        socket.cancel()
    }
}
