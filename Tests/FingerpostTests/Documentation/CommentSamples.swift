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

// The samples of the comments in Sources, which are compiled and not run. In each function, an empty line separates
// them, and the last line uses what they declare.

// MARK: What the samples take for granted

private struct Item: Codable, Sendable { var id: Int }
private struct Items: Decodable, Sendable { var next: String? }
private typealias Repository = Item
private typealias Price = Item
private typealias Order = Item
private typealias Customers = Items
private typealias Posts = Items
private struct NewRepository: Encodable, Sendable { var name: String }
private struct AppSettings: Decodable {}
private struct Refused: Error { init(_ status: String) {} }
private struct Token: Decodable, Sendable { var accessToken: String, expiresIn: Int }

private struct UserSession: Sendable {
    let accessToken = "access", refreshToken = "refresh"
    var token: String? { get async { accessToken } }
    func newToken() async throws -> String { refreshToken }
}

private enum OAuth: RouteConvertible {
    case refresh(String)
    case token
    var route: Route { .post("token") }
}

private enum Login: Routable, SampledRoutes {
    case token
    var path: RoutePath { "token" }
    static var samples: [Login] { [.token] }
}

private typealias Search = Login

private enum API {
    static let me = Route.get("me")
    static let customers = Route.get("customers"), orders = Route.get("orders"), posts = Route.get("posts")
    static let prices = Route.get("prices"), latest = Route.get("backups/latest")
    static func answer(to question: String) -> Route { .post("answers").query("q", question) }
    static func file(id: Int) -> Route { .get("films/\(id)") }
}
private typealias Shop = API
private typealias Feed = API
private typealias Ticker = API
private typealias Chat = API
private typealias Films = API
private typealias Backups = API

private struct XMLDecoder: BodyDecoder {
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { fatalError() }
}

private struct FileHandleSink: BodySink {
    let handle: FileHandle

    func begin(_ head: Response<Void>) {}
    func receive(_ bytes: Data) {}
}

private struct Log: Sendable { func error(_ text: String) {} }
private let logger = Log()
private func show(_ item: Any?) {}
private func showOfflineBanner() {}
private func showNotFound() {}
private func count(_ route: String, _ status: Int?, _ duration: Duration?) {}
private func load() {}

private final class Model {
    var text = ""
    var results: [Int] = []
    func load() async throws {}
    func login() async throws {}
    func start() async {}
}

private var model: Model { Model() }
private nonisolated(unsafe) var client = APIClient.shared
private nonisolated(unsafe) var configuration = APIClient.Configuration()
private let session = UserSession()
private let store = InMemoryCredentialStore()
private let (sort, prefix) = ("name" as String?, "api" as RoutePath)
private let (field, email, password, login, path, question) = ("", "", "", "", "", "")
private let (page, ids, data, folder, route) = (1, [1], Data(), URL(fileURLWithPath: "/"), API.me)
private func signature(of request: URLRequest) throws -> String { "" }

// MARK: Routes

private func parameters(_ filter: [String: Int]) {
    let paging: Parameters = ["page": page, "per_page": 100, "sort": sort]  // a nil sort is left out
    let nested: Parameters = ["sort": ["by": field, "top": 5] as Parameters]  // without `as`, a dictionary
    let fields = Parameters(filter)  // the fields of an Encodable

    let search = Route.get("search/repositories").query("q", "swift http").header(.accept, "application/json")

    let login = Route {
        $0.method = .post
        $0.path = "login"
        $0.parameters = ["email": email, "password": password]
    }

    var headers: HTTPHeaders = [.accept: "application/json", "X-Trace": "7"]
    headers[.accept] = "text/plain"  // replaces
    headers.add(.cookie, "a=1")  // adds another value

    _ = (paging, nested, fields, search, login, headers)
}

private func paths(_ tag: String) async throws {
    let repos: RoutePath = "users/\(login)/repos"  // login "a/b c" gives users/a%2Fb%20c/repos
    let file: RoutePath = "files/\(raw: path)"  // inserted as written, including slashes
    let users: RoutePath = "\(prefix)/users"  // also as written: static let prefix: RoutePath = "api/v1"
    let status: RoutePath = "https://status.example.com"  // absolute: the base URL is ignored

    let route = Route { route in
        for id in ids { route.query.append("id", id) }
    }

    let user = try await client.send(GitHub.user(login: "octocat").header(.ifNoneMatch, tag), as: User.self)

    _ = (repos, file, users, status, route, user)
}

private func routers() async throws {
    var route = Route(of: GitHub.user(login: "octocat"))
    route.headers[.accept] = nil

    struct CreateRepository: Endpoint {
        typealias Response = Repository
        let body: NewRepository

        var method: HTTPMethod { .post }
        var path: RoutePath { "user/repos" }
    }

    let repository = try await client.send(CreateRepository(body: NewRepository(name: "hello")))

    let scope = APIScope(environment: try APIEnvironment.load("Staging"))
    let user = try await scope.run {
        try await client.send(GitHub.user(login: "octocat"), as: User.self)  // calls the staging server
    }

    let catalog = try EndpointCatalog(named: "github")
    let repos = try await client.send(catalog.route("repos", ["owner": "apple", "page": 2]), as: [Repository].self)

    _ = (route, repository, user, repos)
}

private enum OneSwitch {
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

private struct Named: Routable {
    var path: RoutePath { "users" }
    var mock: MockName? { "users/show" }  // Mocks/users/show.json
    var route: Route { Route(properties: self).query("v", 2).dialect(.rails) }
}

private enum Changing {
    struct Traced: Middleware {
        let session: String

        func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
            var request = request
            request.setValue("\(session)/\(route.name)", forHTTPHeaderField: "X-Trace")
            return try await next(request)
        }
    }
}

// MARK: Environments

extension APIEnvironment {
    static var apiBasePath: String { get throws { try current.value("apiBasePath") } }
}

private func environments(_ request: inout URLRequest) throws {
    client = client.with(environment: try APIEnvironment.load("Staging"))  // in a debug menu

    let environment = try APIEnvironment.current
    let retries = try environment.value("retries", as: Int.self)
    let host = try environment.value("analytics.host", as: URL.self)  // nested keys by dotted path
    let settings = try environment.decode(AppSettings.self)  // or everything at once

    let key = try environment.value("analytics.key", as: Secret<String>.self)
    print(key)  // <secret analytics.key>
    request.setValue(key.reveal(), forHTTPHeaderField: "X-Api-Key")

    let scope = APIScope(environment: try APIEnvironment.current.setting("limits.retries", to: 0))

    let user = try client.blocking.send(GitHub.user(login: "octocat"), as: User.self)

    _ = (retries, host, settings, scope, user)
}

// MARK: Clients

private func clients() async throws {
    let client = try APIClient()  // reads Environments/
    let user = try await client.send(GitHub.user(login: "octocat"), as: User.self)
    _ = user
}

private func scopes(_ queue: DispatchQueue) async throws {
    let client = APIClient.shared.with(scope: APIScope(network: .sealed, variants: ["repos": "empty"]))

    let scope = APIScope.current
    queue.async { scope?.run { load() } }

    try await APIScope.clock.sleep(for: .milliseconds(300))  // waits until typing pauses

    _ = client
}

private func errors() async -> User? {
    var user: User?
    do {
        user = try await client.send(GitHub.user(login: login), as: User.self)
    } catch {
        switch error.kind {
        case .offline: showOfflineBanner()
        case .status(404): showNotFound()
        default: logger.error("\(error)")
        }
    }
    return user
}

private func settings(_ error: APIError) async throws {
    configuration.retry = .standard  // three attempts
    let status = Route.get("status").retry(.standard)  // for one route

    configuration.retry?.rateLimit = .rateLimit(
        status: 403, remaining: "X-RateLimit-Remaining", reset: "X-RateLimit-Reset")

    configuration.observers.append(CallLogger(.failures) { logger.error("\($0)") })

    struct Metrics: CallObserver {
        func finished(_ call: LoggedCall) { count(call.route, call.status, call.duration) }
    }

    configuration.observers.append(Metrics())

    configuration.decoders["application/xml"] = XMLDecoder()  // any type with this one method

    struct Head: Decodable { var status: String }

    configuration.wrapper = ResponseWrapper(valueKey: "data", head: Head.self) { head in
        guard head.status == "ok" else { throw Refused(head.status) }
    }
    let user = try await client.send(API.me, as: User.self)  // the value of "data"

    struct Problem: ErrorResponse {
        var message: String
        var code: Int
    }
    configuration.errorResponse = Problem.self
    // In a catch:
    if let problem = error.response as? Problem { show(problem.code) }

    _ = (status, user)
}

private func credentials(_ token: String) {
    let store = InMemoryCredentialStore(session.accessToken)
    configuration.authorization = .refreshing(store) { expired in
        try await client.send(OAuth.refresh(session.refreshToken), as: Token.self).accessToken
    }

    configuration.authorization = .bearer(token)
    configuration.authorization = .dynamic { await session.token.map { .bearer($0) } }
    configuration.authorization = .refreshing(store) { expired in try await session.newToken() }

    configuration.authorization = .signing { request in
        ["X-Signature": try signature(of: request)]
    }

    configuration.authorization = .refreshing(store) { expired in
        let token = try await client.send(OAuth.refresh(session.refreshToken), as: Token.self)
        return ExpiringToken(token.accessToken, expiresIn: .seconds(token.expiresIn))
    }

    configuration.authorization = .clientCredentials {
        let token = try await client.send(OAuth.token, as: Token.self)
        return ExpiringToken(token.accessToken, expiresIn: .seconds(token.expiresIn))
    }
}

private func tokens(_ new: Token, _ jwt: (text: String, expiry: Date)) {
    let token = ExpiringToken(new.accessToken, expiresIn: .seconds(new.expiresIn))  // RFC 6749 section 5.1
    let webToken = ExpiringToken(jwt.text, expires: jwt.expiry)  // the `exp` of a JSON Web Token
    _ = (token, webToken)
}

#if canImport(Security)
    private func keychain() throws {
        try APIEnvironment.bootstrap(secrets: KeychainSecrets(service: "org.example.app"))

        configuration.authorization = .perEnvironment { environment in
            let store = KeychainStore(service: "org.example.\(environment.name)")
            return .refreshing(store) { expired in try await session.newToken() }
        }
    }
#endif

// MARK: Streams and transfers

private enum Paged {
    enum GitHub {
        static func repos(owner: String) -> Route { .get("users/\(owner)/repos") }
    }

    static func lists(_ link: URL) async throws {
        for try await event in client.events(Ticker.prices) { show(event.data) }

        for try await price in client.events(Ticker.prices).json(as: Price.self) { show(price) }

        var text = ""
        let stream = try await client.stream(Chat.answer(to: question))
        for try await event in stream.events { text += event.data }

        var repositories: [Repository] = []
        for try await page in client.pages(GitHub.repos(owner: "apple"), as: [Repository].self) {
            repositories += page.value
        }

        let changes = client.pages(from: link, of: Shop.customers, as: Customers.self, by: .url { $0.next })

        let customers = client.pages(Shop.customers, as: Customers.self, by: .url { $0.next })

        let posts = client.pages(Feed.posts, as: Posts.self, by: .cursor("after") { $0.next })

        let orders = client.pages(Shop.orders, as: [Order].self, by: .number("page") { $0.isEmpty })
        let more = client.pages(
            Shop.orders, as: [Order].self, by: .number("offset", from: 0, step: 50) { $0.count < 50 })

        _ = (text, repositories, changes, customers, posts, orders, more)
    }

    static func header(_ response: Response<Data>) {
        let posts = client.pages(Feed.posts, as: Posts.self, by: .response("page") { $0.headers["opc-next-page"] })

        let name = response.headers.fileName ?? "download"

        _ = (posts, name)
    }
}

private func transfers(_ photoURL: URL, _ png: Data, to file: URL) async throws {
    configuration.timeout = .seconds(3600)  // covers the whole call; a route can set its own
    let film = try await client.download(Films.file(id: 7), to: folder.appendingPathComponent("film.mp4"))
    print(film.headers[.contentType] ?? "", film.value)

    try await client.download(route, to: file) { progress in
        print(progress.completedBytes, progress.totalBytes ?? "of an unknown size", progress.remaining ?? "")
    }

    let head = try await client.send(Backups.latest, into: FileHandleSink(handle: .standardOutput))

    let form = MultipartForm()
        .field("title", "Holiday")
        .file("photo", photoURL)
        .data("thumbnail", png, fileName: "small.png")
    try await client.send(Route.post("photos").multipart(form))

    _ = head
}

// MARK: Mocks and tests

private func mocks() async throws {
    let search = Route.post("search").json(["text": "swift", "labels": [], "owner": .null] as JSONValue)
    Mocks.set("search", .json(["total_count": 0, "items": []]))

    let body = try JSONDecoder().decode(JSONValue.self, from: data)
    let name = body["items"]?[0]?["name"]?.string

    Mocks.set("login", .status(401))
    Mocks.set("user", .json(User(login: "octocat")).delayed(by: .seconds(2)))
    Mocks.set("user", .sequence([.failure(.timedOut), .file]))

    Mocks.set("login", .status(401).times(2))

    #expect(Mocks.calls.map(\.line) == ["POST login 401", "POST login 200", "GET users/octocat 200"])

    model.text = "swift"  // searches after a pause
    try await Mocks.next("search")
    #expect(model.results.count == 3)

    _ = (search, name)
}

private func audits(_ api: APIClient, _ login: APIClient) async throws {
    try MockAudit.run(GitHub.self, options: .init(skipping: [.unreadKeys]))

    try MockAudit.run([.init(GitHub.self, client: api), .init(Login.self, client: login)])

    try MockAudit.run(GitHub.self, Search.self, client: client)

    try await MockDrift.run(GitHub.self, Search.self, client: client)

    let staging = try APIEnvironment.load("Staging")
    configuration.environment = staging
    configuration.middleware.append(try RecordingMiddleware(environment: staging))
}

@Suite(.disabled("compiled alone")) struct CommentSamples {
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

    @Test func `Mocks fit the routes`() throws {
        try MockAudit.run(GitHub.self)
    }

    @Test func `Mocks look like the server's answers`() async throws {
        try await MockDrift.run(GitHub.self)
    }

    @Suite(.mocks) struct LoginTests {
        @Test(.mocks(["login": "locked"])) func locked() async throws { await model.start() }  // login.locked.json

        @Test(arguments: [401, 500]) func errors(status: Int) async throws {
            Mocks.set("login", .status(status))  // for this test case
            await #expect(throws: APIError.self) { try await model.login() }
        }
    }

    @Suite(.recording) struct RecordingTests {
        let client = APIClient.shared

        @Test func profile() async throws { _ = try await client.data(for: GitHub.user(login: "octocat")) }
    }
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

#if canImport(SwiftUI)
    import SwiftUI

    private struct ProfileView: View {
        let client: APIClient
        var body: some View { Text("") }
    }
    private typealias LoginView = ProfileView

    #Preview("Locked out") { LoginView(client: .mocked(scenario: "locked out")) }
    #Preview("Not found") { ProfileView(client: .mocked(variants: ["user": "404"])) }
#endif
