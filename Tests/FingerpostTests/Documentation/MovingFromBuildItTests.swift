import CallSupport
import Fingerpost
import FingerpostCatalog
import Foundation
import Testing

/// Compiles and runs the code of the article MovingFromBuildIt.
@Suite struct MovingFromBuildItTests {
    private nonisolated struct Repository: Decodable, Sendable {
        var name: String
    }

    /// The JSON blocks of the article, in order.
    private static func files() throws -> [String] {
        let page = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent(
                "Sources/Fingerpost/Fingerpost.docc/MovingFromBuildIt.md")
        return try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```json\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
    }

    /// Loads a JSON block of the article instead of a file in the working directory.
    private struct EndpointCatalog {
        static let file = try? MovingFromBuildItTests.files()[0]
        let catalog: FingerpostCatalog.EndpointCatalog

        init(named name: String) throws {
            catalog = try FingerpostCatalog.EndpointCatalog(data: Data(try #require(Self.file).utf8), path: name)
        }

        func route(_ name: String) throws(APIError) -> Route { try catalog.route(name) }
    }

    @Test func `An endpoint of the file is sent`() async throws {
        let transport = StubTransport(201, [:], #"{ "name": "hello" }"#)
        let client = transport.client()
        let catalog = try EndpointCatalog(named: "github")
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
        let catalog = try FingerpostCatalog.EndpointCatalog(data: Data(try Self.files()[1].utf8))
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
