import Fingerpost
import FingerpostCallbacks
import FingerpostCatalog
import FingerpostStreams
import FingerpostSwitching
import FingerpostTesting
import FingerpostTransfers
import Foundation
import TestSupport
import Testing

#if canImport(XCTest)
    import XCTest
#endif

// The samples of the comments in Sources, which are compiled and not run.

private nonisolated struct Item: Codable, Sendable {
    var id: Int
}

private nonisolated struct Items: Decodable, Sendable {
    var next: String?
}

private nonisolated struct UserSession: Sendable {
    var accessToken: String
    var refreshToken: String

    func newToken() async throws -> String { refreshToken }
    var token: String? { get async { accessToken } }
}

private nonisolated struct Token: Decodable, Sendable {
    var accessToken: String
    var expiresIn: Int
}

private nonisolated enum OAuth: RouteConvertible {
    case refresh(String)
    case token

    var route: Route { .post("token") }
}

private nonisolated func show(_ item: Any?) {}

private nonisolated final class Model {
    var text = ""
    var results: [Int] = []

    func load() async throws {}
    func login() async throws {}
    func start() async {}
}

private nonisolated var model: Model { Model() }

@Suite(.disabled("compiled alone")) struct ClientSamples {
    private typealias Repository = Item

    func sample1() async throws {
        let client = try APIClient()  // reads Environments/
        let user = try await client.send(GitHub.user(login: "octocat"), as: User.self)
        _ = user
    }

    func sample2(_ client: inout APIClient) async throws {
        client = client.with(environment: try APIEnvironment.load("Staging"))  // in a debug menu
    }

    func sample3() async throws {
        let client = APIClient.shared.with(scope: APIScope(network: .sealed, variants: ["repos": "empty"]))
        _ = client
    }

    func sample4() async throws {
        let search = Route.post("search").json(["text": "swift", "labels": [], "owner": .null])
        Mocks.set("search", .json(["total_count": 0, "items": []]))
        _ = search
    }

    func sample5(_ data: Data) async throws {
        let body = try JSONDecoder().decode(JSONValue.self, from: data)
        let name = body["items"]?[0]?["name"]?.string
        _ = name
    }

    func sample6(page: Int, sort: String?, field: String, filter: [String: Int]) async throws {
        let paging: Parameters = ["page": page, "per_page": 100, "sort": sort]  // a nil sort is left out
        let nested: Parameters = ["sort": ["by": field, "top": 5] as Parameters]  // alone, it would be a dictionary
        let fields = Parameters(filter)  // the fields of an Encodable
        _ = (paging, nested, fields)
    }

    func sample7() async throws {
        let hairColor = QueryItem.named("haircolor")
        let route = Route.get("people").query([hairColor("red"), QueryItem("page", 2)])
        _ = route
    }

    func sample8() async throws {
        let scope = APIScope(environment: try APIEnvironment.current.setting("limits.retries", to: 0))
        _ = scope
    }

    func sample9() async throws {
        struct AppSettings: Decodable {}
        let environment = try APIEnvironment.current
        let retries = try environment.value("retries", as: Int.self)
        let host = try environment.value("analytics.host", as: URL.self)  // nested keys by dotted path
        let settings = try environment.decode(AppSettings.self)  // or everything at once
        _ = (retries, host, settings)
    }

    func sample10(_ environment: APIEnvironment, _ request: inout URLRequest) async throws {
        let key = try environment.value("analytics.key", as: Secret<String>.self)
        print(key)  // <secret analytics.key>
        request.setValue(key.reveal(), forHTTPHeaderField: "X-Api-Key")
    }

    #if canImport(Security)
        func sample11() async throws {
            try APIEnvironment.bootstrap(secrets: KeychainSecrets(service: "org.example.app"))
        }
    #endif

    func sample12(_ client: APIClient, login: String) async {
        struct Log {
            func error(_ text: String) {}
        }
        let logger = Log()
        var user: User?
        func showOfflineBanner() {}
        func showNotFound() {}
        do {
            user = try await client.send(GitHub.user(login: login), as: User.self)
        } catch {
            switch error.kind {
            case .offline: showOfflineBanner()
            case .status(404): showNotFound()
            default: logger.error("\(error)")
            }
        }
        _ = user
    }

    func sample13() async throws {
        var headers: HTTPHeaders = [.accept: "application/json", "X-Trace": "7"]
        headers[.accept] = "text/plain"  // replaces
        headers.add(.cookie, "a=1")  // adds another value
        _ = headers
    }

    func sample14(_ configuration: inout APIClient.Configuration) async throws {
        configuration.retry = .standard  // three attempts
        let status = Route.get("status").retry(.standard)  // for one route
        _ = status
    }

    func sample15(_ configuration: inout APIClient.Configuration) async throws {
        configuration.retry?.rateLimit = .rateLimit(
            status: 403, remaining: "X-RateLimit-Remaining", reset: "X-RateLimit-Reset")
    }

    func sample16(_ configuration: inout APIClient.Configuration) async throws {
        struct Log {
            func error(_ text: String) {}
        }
        let logger = Log()
        configuration.observers.append(CallLogger(.failures) { logger.error("\($0)") })
    }

    func sample17(_ configuration: inout APIClient.Configuration) async throws {
        @Sendable func count(_ route: String, _ status: Int?, _ duration: Duration?) {}
        struct Metrics: CallObserver {
            func finished(_ call: LoggedCall) { count(call.route, call.status, call.duration) }
        }

        configuration.observers.append(Metrics())
    }

    func sample18(_ client: APIClient) async throws {
        struct NewRepository: Encodable, Sendable {
            var name: String
        }
        struct CreateRepository: Endpoint {
            typealias Response = Repository
            let body: NewRepository

            var method: HTTPMethod { .post }
            var path: RoutePath { "user/repos" }
        }

        let repository = try await client.send(CreateRepository(body: NewRepository(name: "hello")))
        _ = repository
    }

    func sample19(_ client: APIClient, tag: String) async throws {
        let user = try await client.send(GitHub.user(login: "octocat").header(.ifNoneMatch, tag), as: User.self)
        _ = user
    }

    func sample20(login: String, path: String, prefix: RoutePath) async throws {
        let repos: RoutePath = "users/\(login)/repos"  // login "a/b c" gives users/a%2Fb%20c/repos
        let file: RoutePath = "files/\(raw: path)"  // inserted as written, including slashes
        let users: RoutePath = "\(prefix)/users"  // so is a RoutePath: static let prefix: RoutePath = "api/v1"
        let status: RoutePath = "https://status.example.com"  // absolute: the base URL is ignored
        _ = (repos, file, users, status)
    }

    func sample21(_ ids: [Int]) async throws {
        let route = Route { route in
            for id in ids { route.query.append("id", id) }
        }
        _ = route
    }

    func sample22(email: String, password: String) async throws {
        let search = Route.get("search/repositories").query("q", "swift http").header(.accept, "application/json")

        let login = Route {
            $0.method = .post
            $0.path = "login"
            $0.parameters = ["email": email, "password": password]
        }
        _ = (search, login)
    }

    func sample23() async throws {
        var route = Route(of: GitHub.user(login: "octocat"))
        route.headers[.accept] = nil
        _ = route
    }

    func sample24(_ client: APIClient) async throws {
        let scope = APIScope(environment: try APIEnvironment.load("Staging"))
        let user = try await scope.run {
            try await client.send(GitHub.user(login: "octocat"), as: User.self)  // calls the staging server
        }
        _ = user
    }

    func sample25(_ queue: DispatchQueue) async throws {
        @Sendable func load() {}
        let scope = APIScope.current
        queue.async { scope?.run { load() } }
    }

    func sample26() async throws {
        try await APIScope.clock.sleep(for: .milliseconds(300))  // before a search as one types
    }

    private func sample27(
        _ configuration: inout APIClient.Configuration, _ token: String, _ session: UserSession,
        _ store: InMemoryCredentialStore
    ) async throws {
        configuration.authorization = .bearer(token)
        configuration.authorization = .dynamic { await session.token.map { .bearer($0) } }
        configuration.authorization = .refreshing(store) { expired in try await session.newToken() }
    }

    #if canImport(Security)
        private func sample28(_ configuration: inout APIClient.Configuration, _ session: UserSession) async throws {
            configuration.authorization = .perEnvironment { environment in
                let store = KeychainStore(service: "org.example.\(environment.name)")
                return .refreshing(store) { expired in try await session.newToken() }
            }
        }
    #endif
    private func sample29(_ configuration: inout APIClient.Configuration, _ client: APIClient, _ session: UserSession)
        async throws
    {
        let store = InMemoryCredentialStore(session.accessToken)
        configuration.authorization = .refreshing(store) { expired in
            try await client.send(OAuth.refresh(session.refreshToken), as: Token.self).accessToken
        }
    }

    private func sample30(
        _ configuration: inout APIClient.Configuration, _ client: APIClient, _ session: UserSession,
        _ store: InMemoryCredentialStore
    ) async throws {
        configuration.authorization = .refreshing(store) { expired in
            let token = try await client.send(OAuth.refresh(session.refreshToken), as: Token.self)
            return ExpiringToken(token.accessToken, expiresIn: .seconds(token.expiresIn))
        }
    }

    private func sample31(
        _ configuration: inout APIClient.Configuration, _ client: APIClient, _ session: UserSession,
        _ store: InMemoryCredentialStore
    ) async throws {
        configuration.authorization = .clientCredentials {
            let token = try await client.send(OAuth.token, as: Token.self)
            return ExpiringToken(token.accessToken, expiresIn: .seconds(token.expiresIn))
        }
    }

    func sample32(_ configuration: inout APIClient.Configuration) async throws {
        struct XMLDecoder: BodyDecoder {
            func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { fatalError() }
        }
        configuration.decoders["application/xml"] = XMLDecoder()  // any type with this one method
    }

    private func sample33(_ new: Token, _ jwt: (text: String, expiry: Date)) async throws {
        let token = ExpiringToken(new.accessToken, expiresIn: .seconds(new.expiresIn))  // RFC 6749 section 5.1
        let webToken = ExpiringToken(jwt.text, expires: jwt.expiry)  // the `exp` of a JSON Web Token
        _ = (token, webToken)
    }

    func sample34(_ configuration: inout APIClient.Configuration, _ client: APIClient) async throws {
        enum API {
            static let me = Route.get("me")
        }
        struct Refused: Error {
            init(_ status: String) {}
        }
        struct Head: Decodable { var status: String }

        configuration.wrapper = ResponseWrapper(valueKey: "data", head: Head.self) { head in
            guard head.status == "ok" else { throw Refused(head.status) }
        }
        let user = try await client.send(API.me, as: User.self)  // the value of "data"
        _ = user
    }

    func sample35(_ configuration: inout APIClient.Configuration, _ error: APIError) async throws {
        struct Problem: ErrorResponse {
            var message: String
            var code: Int
        }
        configuration.errorResponse = Problem.self
        // In a catch:
        if let problem = error.response as? Problem { show(problem.code) }
    }

    func sample36(_ client: APIClient) throws {
        let user = try client.blocking.send(GitHub.user(login: "octocat"), as: User.self)
        _ = user
    }

    func sample37(_ client: APIClient) async throws {
        let catalog = try EndpointCatalog(named: "github")
        let repos = try await client.send(catalog.route("repos", ["owner": "apple", "page": 2]), as: [Repository].self)
        _ = repos
    }

}

@Suite(.disabled("compiled alone")) struct RouterSamples {
    enum OneSwitch {
        enum GitHub: RouteConvertible {
            case user(login: String)
            case createRepo(name: String)

            var route: Route {
                switch self {
                case .user(let login): .get("users/\(login)")
                case .createRepo(let name): .post("user/repos").parameters(["name": name]).mock("repo-created")
                }
            }
        }
    }

    struct Named: Fingerpost.Routable {
        var path: RoutePath { "users" }
        var mock: MockName? { "users/show" }  // Mocks/users/show.json
        var route: Route { Route(properties: self).query("v", 2).dialect(.rails) }
    }

    enum Changing {
        struct Traced: Middleware {
            let session: String

            func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
                var request = request
                request.setValue("\(session)/\(route.name)", forHTTPHeaderField: "X-Trace")
                return try await next(request)
            }
        }
    }

}

extension APIEnvironment {
    static var apiBasePath: String { get throws { try current.value("apiBasePath") } }
}

@Suite(.disabled("compiled alone")) struct MockSamples {
    private enum Login: Routable, SampledRoutes {
        case token

        var path: RoutePath { "token" }
        static var samples: [Login] { [.token] }
    }

    private enum Search: Routable, SampledRoutes {
        case all

        var path: RoutePath { "search" }
        static var samples: [Search] { [.all] }
    }

    func sample38() async throws {
        Mocks.set("login", .status(401))
        Mocks.set("user", .json(User(login: "octocat")).delayed(by: .seconds(2)))
        Mocks.set("user", .sequence([.failure(.timedOut), .file]))
    }

    func sample39() async throws {
        Mocks.set("login", .status(401).times(2))
    }

    @Test(.mocks, arguments: MockScenario.all) func starts(_ scenario: MockScenario) async throws {
        try Mocks.use(scenario)
        await model.start()
    }
    @Test(.mocks) func loadsAgainAfterAnError() async throws {
        Mocks.set("user", .sequence([.status(503), .file]))  // then the mock's own file
        await #expect(throws: APIError.self) { try await model.load() }
        try await model.load()
        #expect(Mocks.calls(of: "user").map(\.status) == [503, 200])
    }
    func sample40() async throws {
        #expect(Mocks.calls.map(\.line) == ["POST login 401", "POST login 200", "GET users/octocat 200"])
    }

    func sample41() async throws {
        model.text = "swift"  // searches after a pause
        try await Mocks.next("search")
        #expect(model.results.count == 3)
    }

    @Test func `Mocks fit the routes`() throws {
        try MockAudit.run(GitHub.self)
    }
    func sample42() async throws {
        try MockAudit.run(GitHub.self, options: .init(skipping: [.unreadKeys]))
    }

    func sample43(_ api: APIClient, _ login: APIClient) async throws {
        try MockAudit.run([.init(GitHub.self, client: api), .init(Login.self, client: login)])
    }

    func sample44(_ client: APIClient) async throws {
        try MockAudit.run(GitHub.self, Search.self, client: client)
    }

    @Test func `Mocks look like the server's answers`() async throws {
        try await MockDrift.run(GitHub.self)
    }
    func sample45(_ client: APIClient) async throws {
        try await MockDrift.run(GitHub.self, Search.self, client: client)
    }

    func sample46(_ configuration: inout APIClient.Configuration) async throws {
        let staging = try APIEnvironment.load("Staging")
        configuration.environment = staging
        configuration.middleware.append(try RecordingMiddleware(environment: staging))
    }

    @Suite(.mocks) struct LoginTests {
        @Test(.mocks(["login": "locked"])) func locked() async throws { await model.start() }  // login.locked.json

        @Test(arguments: [401, 500]) func errors(status: Int) async throws {
            Mocks.set("login", .status(status))  // for this test case
            await #expect(throws: APIError.self) { try await model.login() }
        }
    }
}

/// Such as the plugin generates it.
extension APIEnvironment {
    fileprivate var ciToken: Secret<String> {
        get throws { try value("ciToken") }
    }
}

@Suite(.disabled("compiled alone")) struct DriftSamples {
    @Suite(.mocks, .drift { environment in .bearer(try environment.ciToken.reveal()) }) struct ProfileTests {}
}

#if canImport(XCTest)
    nonisolated final class LoginTests: XCTestCase {
        override func invokeTest() {
            APIScope.test(self) { super.invokeTest() }
        }
    }
#endif

nonisolated extension GitHub: SampledRoutes {
    public static var samples: [GitHub] { [.user(login: "octocat"), .repos(owner: "apple", page: 1)] }
}

@Suite(.disabled("compiled alone")) struct TransferSamples {
    private typealias Repository = Item
    private typealias Price = Item
    private typealias Order = Item
    private typealias Customers = Items
    private typealias Posts = Items

    enum Shop {
        static let customers = Route.get("customers")
        static let orders = Route.get("orders")
    }
    enum Feed {
        static let posts = Route.get("posts")
    }
    enum Ticker {
        static let prices = Route.get("prices")
    }
    enum Chat {
        static func answer(to question: String) -> Route { .post("answers").query("q", question) }
    }
    enum GitHub {
        static func repos(owner: String) -> Route { .get("users/\(owner)/repos") }
    }
    enum Films {
        static func file(id: Int) -> Route { .get("films/\(id)") }
    }
    enum Backups {
        static let latest = Route.get("backups/latest")
    }
    struct FileHandleSink: BodySink {
        let handle: FileHandle

        func begin(_ head: Response<Void>) {}
        func receive(_ bytes: Data) {}
    }

    func sample47(_ client: APIClient) async throws {
        for try await event in client.events(Ticker.prices) { show(event.data) }
    }

    func sample48(_ client: APIClient) async throws {
        var repositories: [Repository] = []
        for try await page in client.pages(GitHub.repos(owner: "apple"), as: [Repository].self) {
            repositories += page.value
        }
        _ = repositories
    }

    func sample49(_ client: APIClient, _ link: URL) async throws {
        let changes = client.pages(from: link, of: Shop.customers, as: Customers.self, by: .url { $0.next })
        _ = changes
    }

    func sample50(_ client: APIClient) async throws {
        let customers = client.pages(Shop.customers, as: Customers.self, by: .url { $0.next })
        _ = customers
    }

    func sample51(_ client: APIClient) async throws {
        let posts = client.pages(Feed.posts, as: Posts.self, by: .cursor("after") { $0.next })
        _ = posts
    }

    func sample52(_ client: APIClient) async throws {
        let orders = client.pages(Shop.orders, as: [Order].self, by: .number("page") { $0.isEmpty })
        let more = client.pages(
            Shop.orders, as: [Order].self, by: .number("offset", from: 0, step: 50) { $0.count < 50 })
        _ = (orders, more)
    }

    func sample53(_ client: APIClient) async throws {
        for try await price in client.events(Ticker.prices).json(as: Price.self) { show(price) }
    }

    func sample54(_ client: APIClient, question: String) async throws {
        var text = ""
        let stream = try await client.stream(Chat.answer(to: question))
        for try await event in stream.events { text += event.data }
        _ = text
    }

    func sample55(_ configuration: inout APIClient.Configuration, _ client: APIClient, _ folder: URL) async throws {
        configuration.timeout = .seconds(3600)  // covers the whole call; a route can set its own
        let film = try await client.download(Films.file(id: 7), to: folder.appendingPathComponent("film.mp4"))
        print(film.headers[.contentType] ?? "", film.value)
    }

    func sample56(_ client: APIClient) async throws {
        let head = try await client.send(Backups.latest, into: FileHandleSink(handle: .standardOutput))
        _ = head
    }

    func sample57(_ client: APIClient, _ photoURL: URL, _ png: Data) async throws {
        let form = MultipartForm()
            .field("title", "Holiday")
            .file("photo", photoURL)
            .data("thumbnail", png, fileName: "small.png")
        try await client.send(Route.post("photos").multipart(form))
    }

    func sample58(_ configuration: inout APIClient.Configuration) async throws {
        configuration.transport = RevalidatingTransport(
            around: URLSessionTransport(), maximumSize: 16 << 20)
    }

    func sample59(_ client: APIClient, _ route: Route, to file: URL) async throws {
        try await client.download(route, to: file) { progress in
            print(progress.completedBytes, progress.totalBytes ?? "of an unknown size", progress.remaining ?? "")
        }
    }

}

#if canImport(SwiftUI)
    import SwiftUI

    private struct ProfileView: View {
        let client: APIClient

        var body: some View { Text("") }
    }

    private struct LoginView: View {
        let client: APIClient

        var body: some View { Text("") }
    }

    #Preview("Locked out") { LoginView(client: .mocked(scenario: "locked out")) }
    #Preview("Not found") { ProfileView(client: .mocked(variants: ["user": "404"])) }
#endif
