import CallSupport
import Fingerpost
import FingerpostCatalog
import Foundation
import TestSupport
import Testing

/// Compiles and runs the code about BuildIt of the article MovingFromSmallLibraries.
@Suite(.inTurn) struct MovingFromBuildItTests {
    private nonisolated struct Repository: Decodable, Sendable {
        var name: String
    }

    /// The JSON block of the article.
    private static func file() throws -> String {
        let page = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent(
                "Sources/Fingerpost/Fingerpost.docc/MovingFromSmallLibraries.md")
        let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```json\n")
        return try #require(blocks.dropFirst().first?.components(separatedBy: "\n```").first)
    }

    @Test func `An endpoint of a BuildIt file is sent`() async throws {
        let transport = StubTransport(201, [:], #"{ "name": "hello" }"#)
        let client = transport.client()
        let file = """
            {
              "host": "api.github.com",
              "path": "user/repos",
              "headers": {
                "Accept": "application/vnd.github.v3+json",
                "User-Agent": "Some-User-Agent"
              },
              "ReposGET": { "queries": [{ "page": "2" }, { "per_page": "100" }] },
              "ReposPOST": {
                "httpMethod": "POST",
                "headers": { "Time-Zone": "Europe/Berlin" }
              }
            }
            """
        let catalog = try EndpointCatalog(data: Data(file.utf8))
        let repository = try await client.send(
            catalog.route("ReposPOST"), as: Repository.self)
        #expect(repository.name == "hello")
        let request = try #require(transport.requests.first)
        #expect(request.httpMethod == "POST")
        #expect(request.url?.absoluteString == "https://api.github.com/user/repos")
        #expect(request.value(forHTTPHeaderField: "Time-Zone") == "Europe/Berlin")
        #expect(request.value(forHTTPHeaderField: "User-Agent") == "Some-User-Agent")
    }

    @Test func `Arguments fill the placeholders of the file`() async throws {
        let transport = StubTransport { request, _ in
            (200, [:], request.httpMethod == "GET" ? #"[{ "name": "swift" }]"# : #"{ "name": "hello" }"#)
        }
        let client = transport.client { $0.authorization = .bearer("t") }
        let catalog = try EndpointCatalog(data: Data(try Self.file().utf8))
        let repositories = try await client.send(
            catalog.route("repos", ["owner": "apple", "page": 2]),
            as: [Repository].self)
        let created = try await client.send(
            catalog.route("createRepo", ["name": "hello", "private": true]),
            as: Repository.self)
        #expect(repositories.map(\.name) == ["swift"])
        #expect(created.name == "hello")
        #expect(transport.requests[0].url?.absoluteString == "https://api.github.com/users/apple/repos?page=2")
        #expect(transport.requests[1].httpBody == Data(#"{"name":"hello","private":true}"#.utf8))
        #expect(
            transport.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == [nil, "Bearer t"])
    }

    @Test func `A request is built in code`() throws {
        let search = Route.get("some/path.json")
            .host("api.somehost.com").query("name", "joakim")
        #expect(try search.urlRequest().url?.absoluteString == "https://api.somehost.com/some/path.json?name=joakim")
    }
}
