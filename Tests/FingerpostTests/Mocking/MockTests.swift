import CallSupport
import FingerpostMocks

@Suite(.inTurn) struct MockTests {
    private enum API: Routable {
        case user(name: String)
        case raw(MockName?)

        var path: RoutePath { "users" }
        var mock: MockName? {
            switch self {
            case .user: "user"
            case .raw(let name): name
            }
        }
    }

    /// A folder of mocks and a sealed client. Using the client's transport fails the test.
    private struct Sealed {
        let folder: TemporaryFolder
        let network = StubTransport { request, _ in
            Issue.record("sent \(request)")
            return (200, [:], "{}")
        }
        let client: APIClient

        init(_ files: [String: String], configure: (inout APIClient.Configuration) -> Void = { _ in }) throws {
            folder = try TemporaryFolder(files)
            let (folder, network) = (folder, network)
            client = try network.client(in: Environment("Testing", values: ["baseURL": "https://api.test.invalid"])) {
                $0.mocks = folder.url
                configure(&$0)
            }
        }

        func error(_ route: API = .user(name: "x")) async throws -> APIError {
            try await failure(.mock) { try await client.data(for: route) }
        }
    }

    @Test func `Under a sealed environment the file named by the route answers, after middleware`() async throws {
        let sealed = try Sealed(["user.json": #"{"login": "octocat"}"#]) { $0.middleware = [HeaderMiddleware()] }
        let response = try await sealed.client.response(for: API.user(name: "x"), as: User.self)
        #expect(
            (
                response.status, response.value, response.attempts, response.source, response.headers[.contentType],
                response.headers["X-Seen"]
            ) == (
                200, User(login: "octocat"), 1, .mock(sealed.folder["user.json"]), "application/json",
                "API.user(name:)"
            ))
        let request = response.request
        let seen = (request.url?.absoluteString, request.value(forHTTPHeaderField: "X-Added"))
        #expect(seen == ("https://api.test.invalid/users", "yes"))
    }

    private static let malformed: [String] = [
        "", "/etc/passwd", "../secret", "a/../b", "a//b", "a/./b", "..", ".", "a\u{0}b", "a\\b", "users/",
    ]

    @Test(arguments: malformed)
    func `A mock name that could lead outside the folder is rejected`(name: String) async throws {
        let sealed = try Sealed(["user.json": "{}"])
        let error = try await sealed.error(API.raw(MockName(rawValue: name)))
        #expect(error.message.contains("is not valid: ") && !error.description.contains("\u{0}"))
    }

    @Test func `The error for a missing mock names the folder, similar names and the fix`() async throws {
        let sealed = try Sealed(["users.json": "{}", "repos.json": "[]"])
        let error = try await sealed.error()
        #expect(
            "\(error)".replacing(FilePath.display(sealed.folder.url), with: "Mocks") == """
                mock: there is no mock "user" in Mocks; similar: "users". The environment is sealed, so nothing was sent
                  route:       API.user(name:)
                  environment: Testing
                  request:     GET https://api.test.invalid/users
                  fix:         add Mocks/user.json, or correct the route's mock
                """)
        // Without the extension of its file, in another spelling, and without a folder.
        let files = try Sealed(["film-part.mp4": "", "films/film.mp4": "", "photo.png": "", "cafe\u{301}.json": "{}"])
        let missing = try Sealed([:]) { $0.mocks = URL(fileURLWithPath: "/nowhere/Mocks") }
        for (sealed, name, words) in [
            (files, "film", "; similar: \"films/film.mp4\"."), (files, "photo", "; similar: \"photo.png\"."),
            (files, "caf\u{E9}", "which looks the same: one has letters with combining characters"),
            (missing, "user", "/nowhere/Mocks"),
        ] as [(Sealed, MockName, String)] {
            let message = try await sealed.error(.raw(name)).message
            #expect(message.contains(words), "\(message)")
        }
    }

    @Test func `The error of a mock for another route says that its path begins below the base URL`() async throws {
        let environment = try Environment("Testing", values: ["baseURL": "https://t.invalid/v1"])
        let below = try Sealed(["user.json": "{}", "user.mock.json": #"{"for": "GET /v1/users"}"#]) {
            $0.environment = environment
        }
        #expect(try await below.error().fix?.hasSuffix("whose path begins below the base URL") == true)
    }

    @Test func `The request is built for mocks too, so an invalid route fails`() async throws {
        let sealed = try Sealed(["user.json": "{}"])
        let route = Route.get("x").header("X-A", "a\nb").mock("user")
        try await failure(.invalidRoute) { try await sealed.client.data(for: route) }
    }

    @Test func `Mocks are found beside the folder of the environments`() async throws {
        let folder = try TemporaryFolder([
            "Environments/Testing-Env.json": #"{"description": "Testing", "baseURL": "https://t.invalid"}"#,
            "Mocks/user.json": #"{"login": "beside"}"#,
        ])
        let environment = try Environment.load("Testing", from: folder["Environments"])
        let client = try APIClient { $0.environment = environment }
        #expect(try await client.send(API.user(name: "x"), as: User.self).login == "beside")
    }

    @Test func `A scope can seal a client with a base URL`() async throws {
        let folder = try TemporaryFolder(["user.json": #"{"login": "scoped"}"#])
        let transport = StubTransport(200, [:], #"{"login": "live"}"#)
        let client = transport.client()
        let scope = APIScope(environment: try Environment("Testing"), mocks: folder.url)
        let mocked = try await scope.run { try await client.send(API.user(name: "x"), as: User.self) }
        let sent = transport.requests
        let live = try await client.send(API.user(name: "x"), as: User.self)
        #expect((mocked.login, sent, live.login) == ("scoped", [], "live"))
    }
}
