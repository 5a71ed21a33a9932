import Fingerpost
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The code of the articles, block by block.
@Suite struct ArticleTests {
    private typealias GitHub = ReadmeTests.GitHub

    private struct Repository: Decodable, Sendable {
        var name: String
    }

    struct BearerToken: Middleware {
        let token: String

        func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
            var request = request
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            return try await next(request)
        }
    }

    @Test func `Middleware signs requests`() async throws {
        let transport = StubTransport(200)
        try await transport.client { $0.middleware = [BearerToken(token: "t")] }.send(Route.get("x"))
        #expect(transport.requests.first?.value(forHTTPHeaderField: "Authorization") == "Bearer t")
    }

    @Test func `A scope has mocks of its own`() async throws {
        let client = try APIClient()
        let folder = try TemporaryFolder(["repos.json": "[]"])
        func article() async throws {
            let scope = APIScope(mocks: URL(fileURLWithPath: "Tests/Mocks/empty-account"))
            try await scope.run {
                let repositories = try await client.send(GitHub.repos(owner: "octocat", page: 1), as: [Repository].self)
                #expect(repositories.isEmpty)
            }
        }
        // The article's folder is not there, which is an error; with one that is, the list is empty.
        let error = await #expect(throws: APIError.self) { try await article() }
        #expect(error?.kind == .mock)
        try await APIScope(mocks: folder.url).run {
            let repositories = try await client.send(GitHub.repos(owner: "octocat", page: 1), as: [Repository].self)
            #expect(repositories.isEmpty)
        }
    }

    struct AppSettings: Decodable {
        struct Analytics: Decodable {
            var host: URL
            var sampleRate: Double
        }
        var baseURL: URL
        var analytics: Analytics
    }

    @Test func `The environment of the article is read`() throws {
        let folder = try TemporaryFolder([
            "Staging-Env.json": """
            {
              "description": "Staging",
              "baseURL": "https://staging.example.com/v2",
              "analytics": { "host": "https://stats.example.com", "sampleRate": 0.1 }
            }
            """
        ])
        try APIScope(environment: try Environment.load("Staging", from: folder.url)).run {
            try one()
            try all()
        }
        func one() throws {
            let environment = try Environment.current
            let host = try environment.value("analytics.host", as: URL.self)
            #expect(host.host == "stats.example.com")
        }
        func all() throws {
            let settings = try Environment.current.decode(AppSettings.self)
            #expect(settings.analytics.sampleRate == 0.1)
        }
    }

    @Test func `A base URL may have another name`() async throws {
        let environment = try Environment("X", values: ["apiBasePath": "https://h.example"])
        try APIScope(environment: environment).run {
            let client = try APIClient { $0.baseURLKey = "apiBasePath" }
            #expect(client.configuration.baseURLKey == "apiBasePath")
        }
    }
}
