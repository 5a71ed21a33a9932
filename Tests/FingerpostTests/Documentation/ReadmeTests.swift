import CallSupport
import FingerpostTesting
import Foundation

/// Compiles and runs the code of README.md.
@Suite(.inTurn) struct ReadmeTests {
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

    struct Login: Endpoint {
        struct Token: Decodable, Sendable { var token: String }
        typealias Response = Token
        let body: [String: String]

        var method: HTTPMethod { .post }
        var path: RoutePath { "session" }
    }

    @Test(.mocks) func `A method sends a route, and the mock of a new repository has the status of GitHub`()
        async throws
    {
        let client = try APIClient()
        #expect(try await client.user("octocat").login == "octocat")
        let route = Route.post("user/repos").mock("createRepo")
        #expect(try await client.response(for: route, as: Data.self).status == 201)
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

    @Test func `The pages quote the current error messages`() async throws {
        let missing = try await failure {
            try await APIScope().run { try await APIClient().send(GitHubTypo.user(login: "octocat")) }
        }
        let fix = try #require(missing.fix)
        for page in [".github/demo.svg", "README.md", "Sources/Fingerpost/Fingerpost.docc/Fingerpost.md"] {
            let text = try RepositoryFiles.text(page)
            #expect(text.contains("\(missing.message)") && text.contains(fix), "\(page): \(missing)")
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
        let wrong = try #require(throws: EnvironmentError.self) {
            try environment.value("analytics.sampleRate", as: Double.self)
        }
        let article = try RepositoryFiles.text("Sources/Fingerpost/Fingerpost.docc/EnvironmentFiles.md")
        #expect(article.contains(wrong.problems[0].message), "\(wrong)")
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
