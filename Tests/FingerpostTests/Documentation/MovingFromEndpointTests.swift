import Fingerpost
import FingerpostTransfers
import Foundation
import TestSupport
import Testing

/// Compiles and runs the code about Endpoint of the article MovingFromSmallLibraries, and what its table says.
@Suite(.inTurn) struct MovingFromEndpointTests {
    struct Want: Routable {
        let username: String
        let product: Int
        let csrfToken: String

        var method: HTTPMethod { .post }
        var path: RoutePath { "users/\(username)/goods" }
        var headers: HTTPHeaders { ["Csrf-Token": csrfToken] }
        var parameters: Parameters? { ["product_id": product] }
    }

    struct Upload: Routable {
        let photo: URL

        var method: HTTPMethod { .put }
        var path: RoutePath { "photo" }
        var body: RequestBody? { .file(photo) }
    }

    private struct Session: Routable {
        let path: RoutePath = "session"
    }

    private struct Goods: Routable {
        let page: Int
        var path: RoutePath { "goods" }
        var parameters: Parameters? { ["page": page] }
    }

    private let token = "t"
    private let stagingURL = URL(string: "https://staging.example.com/api/")!

    @Test func `An endpoint becomes a request`() throws {
        let request = try Want(username: "a/b", product: 7, csrfToken: token)
            .urlRequest(relativeTo: stagingURL)
        #expect(request.httpMethod == "POST")
        #expect(request.url?.absoluteString == "https://staging.example.com/api/users/a%2Fb/goods")
        #expect(request.allHTTPHeaderFields == ["Csrf-Token": "t", "Content-Type": "application/json"])
        #expect(request.httpBody == Data(#"{"product_id":7}"#.utf8))
    }

    @Test func `A file is streamed`() throws {
        let folder = try TemporaryFolder(["photo.png": "png"])
        let request = try Upload(photo: folder["photo.png"]).urlRequest(relativeTo: stagingURL)
        #expect(request.httpBodyStream != nil)
    }

    @Test func `A client sends an endpoint`() async throws {
        // Nothing listens on this port: the test only shows that the code compiles and sends.
        let stagingURL = URL(string: "http://127.0.0.1:1")!
        func article() async throws -> Data {
            let client = APIClient(baseURL: stagingURL)
            let answer = try await client.data(
                for: Want(username: "a/b", product: 7, csrfToken: token))
            return answer
        }
        let error = await #expect(throws: APIError.self) { try await article() }
        #expect(error?.kind == .transport)
    }

    @Test func `Routes of several types fit into one array`() throws {
        let startup: [Route] = [Session().route, Goods(page: 1).route]
        let byValue = Route.get("goods").query("page", 1)
        let urls = try (startup + [byValue]).map { try $0.urlRequest(relativeTo: stagingURL).url?.absoluteString }
        #expect(
            urls == [
                "https://staging.example.com/api/session", "https://staging.example.com/api/goods?page=1",
                "https://staging.example.com/api/goods?page=1",
            ])
    }
}
