import CallSupport
import Fingerpost
import FingerpostCatalog
import FingerpostTesting
import FingerpostTransfers
import Foundation
import TestSupport
import Testing

/// Compiles and runs the code of README.md.
@Suite(.inTurn) struct ReadmeTests {
    enum GitHub: Routable {
        case user(login: String)
        case repos(owner: String)
        var path: RoutePath {
            switch self {
            case .user(let login): "users/\(login)"
            case .repos(let owner): "users/\(owner)/repos"
            }
        }
    }

    @Test(.mocks) func `The first example runs`() async throws {
        let client = try APIClient()
        let user = try await client.send(GitHub.user(login: "octocat"), as: User.self)
        #expect(user.login == "octocat")
    }

    enum Tasks: RouteConvertible {
        case all(done: Bool?)
        case add(title: String, due: Date?)
        case remove(id: Int)

        var route: Route {
            switch self {
            case .all(let done):
                .get("tasks").query("done", done).mock("tasks")
            case .add(let title, let due):
                .post("tasks").parameters(["title": title, "due": due])
                    .mock("task")
            case .remove(let id):
                .delete("tasks/\(id)").mock("empty")
            }
        }
    }

    @Test func `A router with one switch builds its requests`() throws {
        let base = URL(string: "https://h.example")
        #expect(try Tasks.all(done: nil).urlRequest(relativeTo: base).url?.absoluteString == "https://h.example/tasks")
        #expect(try Tasks.all(done: true).urlRequest(relativeTo: base).url?.query == "done=true")
        let add = try Tasks.add(title: "t", due: nil).urlRequest(relativeTo: base)
        #expect(add.httpBody == Data(#"{"title":"t"}"#.utf8))
        #expect(try Tasks.remove(id: 7).urlRequest(relativeTo: base).url?.path == "/tasks/7")
    }

    struct Login: Endpoint {
        struct Token: Decodable, Sendable { var token: String }
        typealias Response = Token
        let body: [String: String]

        var method: HTTPMethod { .post }
        var path: RoutePath { "session" }
    }

    @Test func `An endpoint declares its body and its response`() async throws {
        let client = StubTransport(200, [:], #"{"token": "t"}"#).client()
        let password = "p"
        let token = try await client.send(
            Login(body: ["user": "octocat", "password": password])
        ).token
        #expect(token == "t")
    }

    @Test func `Endpoints are read from a file`() throws {
        let folder = try TemporaryFolder([
            "github.json": """
            {
              "host": "api.github.com",
              "headers": { "Accept": "application/vnd.github+json" },
              "repos": { "path": "users/{owner}/repos", "queries": [{ "page": "{page}" }], "mock": "repos" }
            }
            """
        ])
        let file = folder["github.json"]
        let catalog = try EndpointCatalog(contentsOf: file)
        let repos = try catalog.route("repos", ["owner": "apple", "page": 2])
        #expect(
            try repos.urlRequest().url?.absoluteString == "https://api.github.com/users/apple/repos?page=2")
    }

    @Test func `A route is built without a router`() async throws {
        let folder = try TemporaryFolder(["photo.png": "png"])
        let (photo, file) = (folder["photo.png"], folder["downloaded.jpg"])
        let transport = StubTransport(200)
        let client = transport.client()
        let form = MultipartForm().field("title", "Holiday").file("photo", photo)
        try await client.send(
            Route.post("photos").multipart(form).timeout(.seconds(120)))
        try await client.download(Route.get("photos/7"), to: file)
        #expect(FileManager.default.fileExists(atPath: file.path))
        #expect(transport.requests[0].httpBody?.count ?? 0 > 100)
    }

    private actor Session {
        var token: String? = "t"
    }

    private struct Problem: ErrorResponse {
        var message: String
    }

    @Test(.mocks) func `The configuration applies to all endpoints of a service`() async throws {
        Mocks.set("ids", .sequence([.status(503), .json(["data": [1]])]))
        let session = Session()
        var configuration = APIClient.Configuration()
        configuration.authorization = .dynamic {
            await session.token.map { .bearer($0) }
        }
        configuration.wrapper = ResponseWrapper(valueKey: "data")  // {"data": …}
        configuration.errorResponse = Problem.self  // error.response as? Problem
        configuration.dialect = .rails  // ids[]=1&ids[]=2
        configuration.retry = .standard  // off unless you set it
        let client = try APIClient(configuration)
        let route = Route.get("ids").query("ids", [1, 2]).mock("ids")
        #expect(try await client.send(route, as: [Int].self) == [1])
        let request = try #require(Mocks.calls.first?.request)
        #expect(request.url?.query == "ids%5B%5D=1&ids%5B%5D=2")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer t")
    }

    @Test(.mocks) func `A method of an extension sends a route`() async throws {
        #expect(try await APIClient().user("octocat").login == "octocat")
    }

    @Test func `A property of an extension reads a key`() throws {
        let environment = try APIEnvironment("X", values: ["analytics": ["host": "https://stats.example.com"]])
        try APIScope(environment: environment).run {
            let host = try APIEnvironment.analyticsHost
            #expect(host.host == "stats.example.com")
        }
    }

    @Test func `Code switches over the kind of an error`() async throws {
        let client = StubTransport(409, [:], #"{"message": "twice"}"#).client()
        var shown = ""
        func print(_ text: Any) { shown = "\(text)" }
        do {
            try await client.send(Tasks.add(title: "Water the plants", due: nil))
        } catch {
            switch error.kind {
            case .status(409):
                print("The task exists already: \(error.serverMessage ?? "")")
            case .offline, .timedOut: print("Try again later.")
            default: print(error)
            }
        }
        #expect(shown == "The task exists already: twice")
    }

    @Test(.mocks) func `The mock of a new repository has the status of GitHub`() async throws {
        let route = Route.post("user/repos").mock("createRepo")
        #expect(try await APIClient().response(for: route, as: Data.self).status == 201)
    }

    @Test(.mocks) func octocatHasName() async throws {
        let user = try await APIClient().send(GitHub.user(login: "octocat"), as: User.self)
        #expect(user.name == "The Octocat")
    }

    @Test(.mocks) func `A scope changes the environment for the work inside it`() async throws {
        let transport = StubTransport(200)
        let client = try APIClient { $0.transport = transport }
        let scope = APIScope(
            environment: try APIEnvironment("Local", values: ["baseURL": "http://127.0.0.1:8080"]), network: .live)
        try await scope.run {
            try await client.send(GitHub.user(login: "octocat"))
        }
        #expect(transport.requests.first?.url?.absoluteString == "http://127.0.0.1:8080/users/octocat")
    }

    private static func text(of page: String) throws -> String {
        try String(
            contentsOf: URL(fileURLWithPath: #filePath)
                .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent(page), encoding: .utf8)
    }

    @Test func `The page is read in five minutes`() throws {
        #expect(try Self.text(of: "README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 121)
    }

    @Test func `The pages quote the current error messages`() async throws {
        let missing = await #expect(throws: APIError.self) {
            try await APIScope().run { try await APIClient().send(GitHubTypo.user(login: "octocat")) }
        }
        for page in [".github/demo.svg", "README.md", "Sources/Fingerpost/Fingerpost.docc/Fingerpost.md"] {
            let text = try Self.text(of: page)
            #expect(missing.map { text.contains("\($0.message)") } == true, "\(String(describing: missing))")
            #expect(missing?.fix.map { text.contains($0) } == true)
        }
        let folder = try TemporaryFolder([
            "Environments/Staging-Env.json": """
            {
              "description": "Staging",
              "analytics": { "sampleRate": "0.1" }
            }
            """
        ])
        let environment = try APIEnvironment.load("Staging", from: folder["Environments"])
        let wrong = #expect(throws: EnvironmentError.self) {
            try environment.value("analytics.sampleRate", as: Double.self)
        }
        let article = try Self.text(of: "Sources/Fingerpost/Fingerpost.docc/EnvironmentFiles.md")
        #expect(wrong.map { article.contains($0.problems[0].message) } == true, "\(String(describing: wrong))")
    }

    private enum GitHubTypo: RouteConvertible {
        case user(login: String)
        var route: Route { .get("users/octocat").mock("usr") }
    }
}

nonisolated struct User: Decodable, Sendable {
    var login: String
    var name: String?
}

extension User: Encodable, Equatable {}

extension APIClient {
    func user(_ login: String) async throws(APIError) -> User {
        try await send(GitHub.user(login: login))
    }
}

extension APIEnvironment {
    static var analyticsHost: URL {
        get throws { try current.value("analytics.host") }
    }
}
