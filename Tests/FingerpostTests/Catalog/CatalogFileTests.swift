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

    @Test func `A file with shared values loads unchanged, from data, from a URL and by name`() throws {
        let folder = try TemporaryFolder(["github.json": Self.shared])
        let bundle = try #require(Bundle(url: folder.url))
        let catalogs = try [
            EndpointCatalog(data: Data(Self.shared.utf8)), EndpointCatalog(contentsOf: folder["github.json"]),
            EndpointCatalog(named: "github", in: bundle),
        ]
        let headers = "Accept: application/vnd.github.v3+json"
        for (number, catalog) in catalogs.enumerated() {
            let requests = try catalog.names.map { "\($0): \(try catalog.route($0).requestLine())" }
            #expect(
                requests == [
                    "ReposGET: https://api.github.com/user/repos?page=2&per_page=100 \(headers), "
                        + "User-Agent: Some-User-Agent",
                    "ReposPOST: POST https://api.github.com/user/repos \(headers), Time-Zone: Europe/Berlin, "
                        + "User-Agent: Some-User-Agent",
                ], "catalog \(number)")
        }
    }
}
