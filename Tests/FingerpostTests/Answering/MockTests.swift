import Fingerpost
import Foundation
import TestSupport
import Testing

@Suite struct MockTests {
    private struct User: Codable, Equatable, Sendable {
        var login: String
    }

    private enum API: Routable {
        case user(name: String)
        case raw(MockName?)
        case create(name: String)

        var method: HTTPMethod {
            if case .create = self { .post } else { .get }
        }
        var path: RoutePath { "users" }
        var parameters: Parameters? {
            if case .create(let name) = self { ["name": name] } else { nil }
        }
        var mock: MockName? {
            switch self {
            case .user: "user"
            case .raw(let name): name
            case .create: "created"
            }
        }
    }

    /// A folder of mocks and a sealed client on it. The transport would fail the test if it were ever asked.
    private struct Sealed {
        let folder: TemporaryFolder
        let network = StubTransport { request, _ in
            Issue.record("sent \(request)")
            return (200, [:], "{}")
        }
        let client: APIClient

        init(_ files: [String: String], configure: (inout APIClient.Configuration) -> Void = { _ in }) throws {
            folder = try TemporaryFolder(files)
            var configuration = APIClient.Configuration()
            configuration.environment = try Environment("Testing", values: ["baseURL": "https://api.test.invalid"])
            configuration.mocks = folder.url
            configuration.transport = network
            configure(&configuration)
            client = try APIClient(configuration)
        }
    }

    @Test func `A sealed environment is answered from the file that the route names`() async throws {
        let sealed = try Sealed(["user.json": #"{"login": "octocat"}"#])
        let user = try await sealed.client.send(API.user(name: "x"), as: User.self)
        #expect(user == User(login: "octocat"))
        let response = try await sealed.client.response(for: API.user(name: "x"), as: User.self)
        #expect(response.status == 200)
        #expect(response.source == .mock(sealed.folder["user.json"]))
        #expect(response.headers[.contentType] == "application/json")
        #expect(response.attempts == 1)
        #expect(response.request.url?.absoluteString == "https://api.test.invalid/users")
        #expect(sealed.network.requests.isEmpty)
    }

    private static let names: [(MockName, String, String?)] = [
        ("users/show", "users/show.json", "application/json"),
        ("a/b/c", "a/b/c.json", "application/json"),
        ("avatar.png", "avatar.png", "image/png"),
        ("note.txt", "note.txt", "text/plain"),
        ("user.json", "user.json", "application/json"),
        ("größe", "größe.json", "application/json"),
        ("data", "data", nil),
        ("v1.2", "v1.2.json", "application/json"),
    ]

    @Test(arguments: names)
    func `Names are paths below the folder`(name: MockName, file: String, type: String?) async throws {
        let sealed = try Sealed([file: "body of \(file)"])
        let response = try await sealed.client.response(for: API.raw(name), as: Data.self)
        #expect(String(decoding: response.data, as: UTF8.self) == "body of \(file)")
        #expect(response.headers[.contentType] == type)
    }

    private static let malformed: [String] = [
        "", "/etc/passwd", "../secret", "a/../b", "a//b", "a/./b", "..", ".", "a\u{0}b", "a\\b", "users/",
    ]

    @Test(arguments: malformed) func `A name that could lead outside is refused`(name: String) async throws {
        let sealed = try Sealed(["user.json": "{}"])
        let error = await #expect(throws: APIError.self) {
            try await sealed.client.data(for: API.raw(MockName(rawValue: name)))
        }
        #expect(error?.kind == .mock)
        #expect(error?.message.contains("is not valid: ") == true)
        #expect(error?.description.contains("\u{0}") == false)
    }

    @Test func `A missing mock says where it looked, what is near and what to do`() async throws {
        let sealed = try Sealed(["users.json": "{}", "repos.json": "[]"])
        let error = await #expect(throws: APIError.self) { try await sealed.client.data(for: API.user(name: "x")) }
        #expect(error?.kind == .mock)
        #expect(error?.message.contains("similar: \"users\"") == true)
        #expect(error?.message.contains("nothing was sent") == true)
        #expect(error?.fix?.contains("user.json") == true)
        #expect(error?.route == "API.user(name:)")
        #expect(error?.environment == "Testing")
        #expect(error?.request == "GET https://api.test.invalid/users")
    }

    @Test func `A slip in letter case is missing on every disk`() async throws {
        let sealed = try Sealed(["User.json": "{}"])
        let error = await #expect(throws: APIError.self) { try await sealed.client.data(for: API.user(name: "x")) }
        #expect(error?.message.contains("similar: \"User\"") == true)
    }

    @Test func `A route without a mock is an error, never a live call`() async throws {
        let sealed = try Sealed(["user.json": "{}"])
        let error = await #expect(throws: APIError.self) { try await sealed.client.data(for: API.raw(nil)) }
        #expect(error?.kind == .mock)
        #expect(error?.message.contains("has no mock") == true)
        #expect(sealed.network.requests.isEmpty)
    }

    @Test func `A file that cannot be read is an error of its own`() async throws {
        let sealed = try Sealed([:])
        try FileManager.default.createDirectory(at: sealed.folder["dir.json"], withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: sealed.folder["link.json"], withDestinationURL: sealed.folder["gone"])
        for (name, reason) in [("dir", "a folder, not a file"), ("link", "link to a file that does not exist")] {
            let error = await #expect(throws: APIError.self) {
                try await sealed.client.data(for: API.raw(MockName(rawValue: name)))
            }
            #expect(error?.kind == .mock)
            #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
        }
    }

    @Test func `A folder that is not there is an error`() async throws {
        let sealed = try Sealed([:]) { $0.mocks = URL(fileURLWithPath: "/nowhere/Mocks") }
        let error = await #expect(throws: APIError.self) { try await sealed.client.data(for: API.user(name: "x")) }
        #expect(error?.kind == .mock)
        #expect(error?.message.contains("/nowhere/Mocks") == true)
    }

    @Test func `The request is really built, so a bad route fails as it would live`() async throws {
        let sealed = try Sealed(["user.json": "{}"])
        let error = await #expect(throws: APIError.self) {
            try await sealed.client.data(for: Route.get("x").header("X-A", "a\nb").mock("user"))
        }
        #expect(error?.kind == .invalidRoute)
    }

    @Test func `Middleware runs for mocks as for the network`() async throws {
        let sealed = try Sealed(["user.json": #"{"login": "octocat"}"#]) { $0.middleware = [HeaderMiddleware()] }
        let response = try await sealed.client.response(for: API.user(name: "x"), as: User.self)
        #expect(response.request.value(forHTTPHeaderField: "X-Added") == "yes")
        #expect(response.headers["X-Seen"] == "API.user(name:)")
    }

    @Test func `Mocks stand beside the folder of the environments`() async throws {
        let folder = try TemporaryFolder([
            "Environments/Testing-Env.json": #"{"description": "Testing", "baseURL": "https://t.invalid"}"#,
            "Mocks/user.json": #"{"login": "beside"}"#,
        ])
        let client = try APIClient {
            $0.environment = try? Environment.load("Testing", from: folder["Environments"])
        }
        #expect(try await client.send(API.user(name: "x"), as: User.self).login == "beside")
    }

    @Test func `A scope seals a client that was made for the network`() async throws {
        let folder = try TemporaryFolder(["user.json": #"{"login": "scoped"}"#])
        let transport = StubTransport(200, [:], #"{"login": "live"}"#)
        let client = transport.client()
        let scope = APIScope(environment: try Environment("Testing"), mocks: folder.url)
        let mocked = try await scope.run { try await client.send(API.user(name: "x"), as: User.self) }
        #expect(mocked.login == "scoped")
        #expect(transport.requests.isEmpty)
        #expect(try await client.send(API.user(name: "x"), as: User.self).login == "live")
    }

    @Test func `A mock is read once`() async throws {
        let sealed = try Sealed(["user.json": #"{"login": "first"}"#])
        _ = try await sealed.client.data(for: API.user(name: "x"))
        try sealed.folder.write(Data(#"{"login": "second"}"#.utf8), to: "user.json")
        #expect(try await sealed.client.send(API.user(name: "x"), as: User.self).login == "first")
    }

    @Test func `A mock that does not decode says where`() async throws {
        let sealed = try Sealed(["user.json": "{\n  \"login\": 7\n}"])
        let error = await #expect(throws: APIError.self) {
            try await sealed.client.send(API.user(name: "x"), as: User.self)
        }
        #expect(error?.kind == .decoding)
        #expect(error?.codingPath == "login (line 2)")
        #expect(error?.fragment == "7")
    }
}
