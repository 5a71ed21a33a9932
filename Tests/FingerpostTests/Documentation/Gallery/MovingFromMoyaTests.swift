import Fingerpost
import FingerpostTesting
import FingerpostTransfers
import Foundation
import TestSupport
import Testing

enum Gallery {
    case photos(album: Int, page: Int)
    case rename(id: Int, title: String)
}

nonisolated extension Gallery: Routable {
    var path: RoutePath {
        switch self {
        case .photos(let album, _): "albums/\(album)/photos"
        case .rename(let id, _): "photos/\(id)"
        }
    }
    var method: HTTPMethod {
        switch self {
        case .photos: .get
        case .rename: .patch
        }
    }
    var parameters: Parameters? {
        switch self {
        case .photos(_, let page): ["page": page]
        case .rename(_, let title): ["title": title]
        }
    }
}

/// Compiles and runs the code of the articles MovingFromMoya, MovingFromAlamofire and MovingFromGet.
@MainActor @Suite(.mocks) struct MovingFromMoyaTests {
    nonisolated struct Photo: Codable, Sendable {
        var id: Int
        var title: String
    }

    actor Session {
        func token() -> String? { "t" }

        func newToken(after expired: String) async throws -> String { expired + "2" }
    }

    struct ClientVersion: Middleware {
        let version: String

        func intercept(
            _ request: URLRequest, for route: Route, next: Next
        ) async throws -> Response<Data> {
            var request = request
            request.setValue(version, forHTTPHeaderField: "X-Client-Version")
            return try await next(request)
        }
    }

    struct Counter: CallObserver {
        let count: @Sendable (String, Int?) -> Void

        func finished(_ call: LoggedCall) { count(call.route, call.status) }
    }

    let client: APIClient

    init() throws {
        client = try APIClient()
    }

    @Test func `A target is a router`() async throws {
        let session = Session()
        let client = try APIClient { configuration in
            configuration.headers["X-App"] = "Gallery"
            // true as 1, and lists as a[]=1, as Alamofire writes them:
            configuration.dialect = QueryDialect(
                arrays: .brackets, booleans: .numbers)
            configuration.authorization = .dynamic {
                await session.token().map { .bearer($0) }
            }
            configuration.observers = [CallLogger()]
        }
        Mocks.set(
            "rename",
            .respond { request in
                let field = request.value(forHTTPHeaderField:)
                return .json(Photo(id: 2, title: "\(field("X-App") ?? "") \(field("Authorization") ?? "")"))
            })
        let photo = try await client.send(Gallery.rename(id: 2, title: "Lake"), as: Photo.self)
        #expect(photo.title == "Gallery Bearer t")
        let request = try #require(Mocks.calls.first?.request)
        #expect(request.httpMethod == "PATCH" && request.httpBody == Data(#"{"title":"Lake"}"#.utf8))
    }

    @Test func `A plugin is a middleware or an observer`() async throws {
        let client = try APIClient { configuration in
            configuration.middleware = [ClientVersion(version: "3.1")]
            configuration.observers = [
                Counter { route, status in #expect(route.hasPrefix("Gallery") && status == 200) }
            ]
        }
        try await client.send(Gallery.photos(album: 7, page: 1))
        #expect(Mocks.calls.first?.request?.value(forHTTPHeaderField: "X-Client-Version") == "3.1")
    }

    @Suite(.inTurn) struct Stubs {
        let client: APIClient

        init() throws { client = try APIClient() }

        @Test(.mocks(["photos": "empty"])) func noPhotos() async throws {
            let route = Gallery.photos(album: 7, page: 1)
            let photos = try await client.send(route, as: [Photo].self)
            #expect(photos.isEmpty)  // Mocks/photos.empty.json
        }

        @Test(.mocks) func serverIsOffline() async throws {
            Mocks.set("photos", .failure(.notConnectedToInternet))
            let error = await #expect(throws: APIError.self) {
                try await client.send(Gallery.photos(album: 7, page: 1))
            }
            #expect(error?.kind == .offline)
        }
    }

    enum GalleryRouter: RouteConvertible {
        case photos(album: Int, page: Int)
        case rename(id: Int, title: String)

        var route: Route {
            switch self {
            case .photos(let album, let page):
                .get("albums/\(album)/photos").query("page", page)
            case .rename(let id, let title):
                .patch("photos/\(id)").parameters(["title": title])
            }
        }
    }

    @Test func `A router is one switch`() async throws {
        let photos = try await client.send(
            GalleryRouter.photos(album: 7, page: 1), as: [Photo].self)
        #expect(photos.count == 1)
        let url = URL(string: "https://gallery.example/v1")
        let request = try GalleryRouter.photos(album: 7, page: 1).urlRequest(relativeTo: url)
        #expect(request.url?.absoluteString == "https://gallery.example/v1/albums/7/photos?page=1")
    }

    @Test func `An interceptor is two settings`() async throws {
        let (savedToken, session) = ("t", Session())
        let store = InMemoryCredentialStore(savedToken)
        let client = try APIClient { configuration in
            configuration.retry = .standard
            configuration.authorization = .refreshing(store) { expired in
                try await session.newToken(after: expired)
            }
        }
        Mocks.set("photos", .sequence([.status(401), .status(503), .json([Photo]())]))
        let response = try await client.response(for: GalleryRouter.photos(album: 7, page: 1), as: [Photo].self)
        #expect(response.history.map(\.status) == [401, 503, 200] && store.token() == "t2")
    }

    @Test func `A form has a file and a progress`() async throws {
        Mocks.set("photo", .json(Photo(id: 3, title: "Holiday")))
        let image = Data(count: 100)
        let shown = Shown()
        @Sendable nonisolated func show(_ fraction: Double) { shown.add(fraction) }
        let form = MultipartForm()
            .field("title", "Holiday")
            .data("image", image, fileName: "image.png")
        let photo = try await client.send(
            Route.post("photos").multipart(form).mock("photo"), as: Photo.self
        ) { progress in
            show(progress.fractionCompleted ?? 0)
        }
        #expect(photo.id == 3 && shown.last == 1)
    }

    private nonisolated final class Shown: @unchecked Sendable {
        private let lock = NSLock()
        private var fraction: Double?

        func add(_ fraction: Double) { lock.withLock { self.fraction = fraction } }

        var last: Double? { lock.withLock { fraction } }
    }

    @Test func `Lists and flags are written as Alamofire does`() throws {
        var configuration = APIClient.Configuration()
        configuration.dialect = QueryDialect(
            arrays: .brackets, booleans: .numbers)
        let request = try Route.get("x").query("a", [1, 2]).query("b", true).dialect(configuration.dialect)
            .urlRequest(relativeTo: URL(string: "https://h.invalid"))
        #expect(request.url?.query == "a%5B%5D=1&a%5B%5D=2&b=1")
    }

    @Test func `A request of Get is a function that returns a route`() async throws {
        Mocks.set("photo", .json(Photo(id: 1, title: "Sea")))
        enum Paths {
            static func photo(_ id: Int) -> Route {
                .get("photos/\(id)").mock("photo")
            }
        }
        let photo = try await client.send(Paths.photo(1), as: Photo.self)
        #expect(photo.title == "Sea")
    }
}
