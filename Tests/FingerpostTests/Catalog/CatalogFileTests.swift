import CallSupport
import FingerpostCatalog

/// Endpoint files of existing apps.
@Suite(.inTurn) struct CatalogFileTests {
    /// A file with two endpoints that share host, path and headers.
    private static let shared = """
        {
            "host": "api.github.com",
            "path": "user/repos",
            "headers": {
                "Accept": "application/vnd.github.v3+json",
                "User-Agent": "Some-User-Agent"
            },
            "ReposGET": {
                "path": "user/repos",
                "queries": [
                    { "page": "2" },
                    { "per_page": "100" }
                ]
            },
            "ReposPOST": {
                "httpMethod": "POST",
                "headers": { "Time-Zone": "Europe/Berlin" }
            }
        }
        """

    @Test func `A file with shared values loads unchanged`() throws {
        let catalog = try EndpointCatalog(data: Data(Self.shared.utf8))
        #expect(catalog.names == ["ReposGET", "ReposPOST"])
        let get = try catalog.route("ReposGET").urlRequest()
        #expect(get.httpMethod == "GET")
        #expect(get.url?.absoluteString == "https://api.github.com/user/repos?page=2&per_page=100")
        #expect(
            get.allHTTPHeaderFields == ["Accept": "application/vnd.github.v3+json", "User-Agent": "Some-User-Agent"])
        let post = try catalog.route("ReposPOST").urlRequest()
        #expect(post.httpMethod == "POST" && post.url?.absoluteString == "https://api.github.com/user/repos")
        #expect(
            post.allHTTPHeaderFields == [
                "Accept": "application/vnd.github.v3+json", "User-Agent": "Some-User-Agent",
                "Time-Zone": "Europe/Berlin",
            ])
    }

    @Test func `A catalog is read from data, from a URL and by name, with the same result`() throws {
        let folder = try TemporaryFolder(["github.json": Self.shared])
        let bundle = try #require(Bundle(url: folder.url))
        let catalogs = try [
            EndpointCatalog(data: Data(Self.shared.utf8)), EndpointCatalog(contentsOf: folder["github.json"]),
            EndpointCatalog(named: "github", in: bundle),
        ]
        for catalog in catalogs {
            #expect(
                try catalog.route("ReposGET").urlRequest().url?.absoluteString
                    == "https://api.github.com/user/repos?page=2&per_page=100")
        }
    }
}
