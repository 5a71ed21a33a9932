@testable import FingerpostTesting

/// Mocks with which every call fails, or that no server sends.
@Suite(.inTurn) struct ImpossibleMocksTests {
    private static let environment =
        #"{"description": "Testing", "baseURL": "https://a.invalid", "$secrets": ["apiKey"], "apiKey": null}"#

    /// The files of a folder of mocks, and what an audit of `GET people` says.
    private static let folders = WrittenCase.table(
        #"""
        an unknown key in a header
        people.json = []
        people.mock.json = {"headers": {"X": "{env.baseUrl}"}}
        the header X names the key "baseUrl", which no environment has

        a secret in a header
        people.json = []
        people.mock.json = {"headers": {"X": "{env.apiKey}"}}
        the header X names "apiKey", which is or contains a secret

        content with 204
        people.json = []
        people.mock.json = {"status": 204}
        204 has no content, but people.json has some

        content with 304 in a variant
        people.json = []
        people.304.json = []
        304 has no content, but people.304.json has some

        an open body that is no stream
        people.json = []
        people.mock.json = {"open": true}
        "open" keeps the connection of a body that is no stream

        two pages with one query
        people.json = []
        people.page2.json = []
        people.page2.mock.json = {"for": "GET /people?page=2"}
        people.page3.json = []
        people.page3.mock.json = {"for": "GET /people?page=2"}
        the variants "page2" and "page3" are both for GET /people?page=2

        a link to another path
        people.json = []
        people.mock.json = {"headers": {"Link": "<{env.baseURL}/persons?page=2>; rel=next"}}
        people.page2.json = []
        people.page2.mock.json = {"for": "GET /people?page=2"}
        the link to the next page leads to /persons, but the page is for GET /people?page=2

        a key twice
        people.json = [{"a": 1, "a": 2}]
        the key "a" is in this object twice

        a query that the sample lacks
        people.json = []
        people.mock.json = {"for": "GET /people?x=1"}
        the mock is for GET /people?x=1, but GET people is GET people

        content for HEAD
        people.json = []
        head.json = []
        a response to HEAD has no content, but head.json answers HEAD people

        lines without a line
        people.json = []
        log.ndjson =
        the file has no line

        events without an event
        people.json = []
        ticks.events = : nothing
        the file has no event
        """#)

    @Test(arguments: folders) func `An audit finds a mock with which calls fail`(_ files: WrittenCase) throws {
        let folder = try TemporaryFolder(
            [
                "Environments/Testing-Env.json": Self.environment,
                "Environments/Testing-Secrets.json": #"{"apiKey": "abc-123-def"}"#,
            ]
            .merging(files.files.map { ("Mocks/\($0)", $1) }) { $1 })
        let options = MockAudit.Options(
            routes: [("people", "GET"), ("ticks", "GET"), ("log", "GET"), ("head", "HEAD")].map { mock, method in
                Route(method: HTTPMethod(rawValue: method), path: "people").mock(MockName(rawValue: mock))
            }, folder: folder["Mocks"])
        let texts = try MockAudit(options: options).findings.map { "\($0)" }
        #expect(texts.contains { $0.contains(files.expected[0]) }, "\(texts)")
    }

    @Test func `A body of a response that has none is a problem of the mock`() async throws {
        let client = try APIClient {
            $0.environment = try Environment("Testing", values: ["baseURL": "https://a.invalid"])
        }
        let errors = try await APIScope().run {
            Mocks.set("a", .json(["name": "a"], status: 204))
            let get = try await failure { try await client.data(for: Route.get("a").mock("a")) }
            Mocks.set("a", .json(["name": "a"]))
            return [get, try await failure { try await client.data(for: Route.head("a").mock("a")) }]
        }
        #expect(
            errors.map { "\($0.kind): \($0.message). Fix: \($0.fix ?? "")" } == [
                #"mock: the mock "a" has a body, but 204 has no content. Fix: remove the body or the status"#,
                #"mock: the mock "a" has a body, but a response to HEAD has no content. Fix: remove the body"#,
            ])
    }
}
