import Fingerpost
import Foundation
import Testing

/// The code of README.md, block by block.
@Suite struct ReadmeTests {
    enum GitHub: Routable {
        case user(login: String)
        case repos(owner: String, page: Int)

        var path: RoutePath {
            switch self {
            case .user(let login): "users/\(login)"
            case .repos(let owner, _): "users/\(owner)/repos"
            }
        }
        var parameters: Parameters? {
            switch self {
            case .user: nil
            case .repos(_, let page): ["page": page, "per_page": 100]
            }
        }
        var mock: MockName? {
            switch self {
            case .user: "user"
            case .repos: "repos"
            }
        }
    }

    @Test func `The first example runs`() async throws {
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
            case .all(let done): .get("tasks").query("done", done).mock("tasks")
            case .add(let title, let due): .post("tasks").parameters(["title": title, "due": due]).mock("task")
            case .remove(let id): .delete("tasks/\(id)").mock("empty")
            }
        }
    }

    @Test func `The router with one switch gives these requests`() throws {
        let base = URL(string: "https://h.example")
        #expect(try Tasks.all(done: nil).urlRequest(relativeTo: base).url?.absoluteString == "https://h.example/tasks")
        #expect(try Tasks.all(done: true).urlRequest(relativeTo: base).url?.query == "done=true")
        let add = try Tasks.add(title: "t", due: nil).urlRequest(relativeTo: base)
        #expect(add.httpBody == Data(#"{"title":"t"}"#.utf8))
        #expect(try Tasks.remove(id: 7).urlRequest(relativeTo: base).url?.path == "/tasks/7")
    }

    @Test func `Calls have names of their own`() async throws {
        #expect(try await APIClient().user("octocat").login == "octocat")
    }

    @Test func `Keys have names of their own`() throws {
        let environment = try Environment("X", values: ["analytics": ["host": "https://stats.example.com"]])
        try APIScope(environment: environment).run {
            let host = try Environment.analyticsHost
            #expect(host.host == "stats.example.com")
        }
    }

    @Test func `The kinds of an error are there to switch over`() async throws {
        let client = StubTransport(409, [:], #"{"message": "twice"}"#).client()
        do {
            try await client.send(Tasks.add(title: "Water the plants", due: nil))
        } catch {
            switch error.kind {
            case .status(409): print("It is there already: \(error.serverMessage ?? "")")
            case .offline, .timedOut: print("Try again later.")
            default: print(error)
            }
        }
    }

    @Test func `The octocat has a name`() async throws {
        let client = try APIClient()
        let user = try await client.send(GitHub.user(login: "octocat"), as: User.self)
        #expect(user.name == "The Octocat")
    }

    @Test func `A scope changes the environment for one test`() throws {
        let scope = APIScope(environment: try Environment("Local", values: ["baseURL": "http://127.0.0.1:8080"]))
        let client = try scope.run { try APIClient() }
        #expect(client.configuration.baseURL == nil)
    }

    @Test func `The messages are those of the page`() async throws {
        let text = try String(
            contentsOf: URL(fileURLWithPath: #filePath)
                .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("README.md"), encoding: .utf8)
        let missing = await #expect(throws: APIError.self) {
            try await APIClient().send(GitHubSlip.user(login: "octocat"))
        }
        #expect(missing.map { text.contains("\($0.message)") } == true, "\(String(describing: missing))")
        #expect(missing?.fix.map { text.contains($0) } == true)
        let folder = try TemporaryFolder([
            "Environments/Staging-Env.json": """
            {
              "description": "Staging",
              "analytics": { "sampleRate": "0.1" }
            }
            """
        ])
        let environment = try Environment.load("Staging", from: folder["Environments"])
        let wrong = #expect(throws: EnvironmentError.self) {
            try environment.value("analytics.sampleRate", as: Double.self)
        }
        #expect(wrong.map { text.contains($0.problems[0].message) } == true, "\(String(describing: wrong))")
    }

    private enum GitHubSlip: RouteConvertible {
        case user(login: String)
        var route: Route { .get("users/octocat").mock("usr") }
    }
}

struct User: Decodable, Sendable {
    var login: String
    var name: String?
}

extension APIClient {
    func user(_ login: String) async throws(APIError) -> User {
        try await send(GitHub.user(login: login))
    }
}

private typealias GitHub = ReadmeTests.GitHub

extension Environment {
    static var analyticsHost: URL { get throws { try current.value("analytics.host") } }
}
