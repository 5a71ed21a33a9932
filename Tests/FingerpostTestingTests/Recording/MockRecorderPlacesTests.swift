@testable import FingerpostTesting

/// Which mock a recording becomes, so that no recording replaces that of another request.
@Suite(.inTurn) struct MockRecorderPlacesTests {
    private enum Issues: Routable {
        case list, other
        var path: RoutePath { self == .list ? "issues" : "others" }
    }

    private enum Releases: Routable {
        case list
        var path: RoutePath { "releases" }
    }

    /// Answers each request with its path.
    private static func studio(_ files: [String: String] = [:]) throws -> RecorderFixture {
        try RecorderFixture(files) { request, connection in
            connection.respond(200, headers: ["Content-Type": "application/json"], body: "[\"\(request.path)\"]")
        }
    }

    @Test(arguments: [
        ([:], "list.json"), (["Mocks/Releases/other.json": "1"], "Releases/list.json"),
        (["Mocks/Releases/other.json": "1", "Mocks/list.json": "1"], "list.json"),
        // That of another router's case, for which there is no folder.
        (
            [
                "Mocks/Releases/other.json": "1", "Mocks/list.json": "1",
                "Mocks/list.mock.json": #"{"for": "GET /issues"}"#,
            ],
            "Releases/list.json"
        ),
    ])
    func `A case is recorded as the mock that it has, or in the folder of its router`(
        files: [String: String], recorded: String
    ) async throws {
        let studio = try Self.studio(files)
        for _ in 1...2 { _ = try await studio.client.data(for: Releases.list) }
        let found = try await (
            studio.bodies().filter { $0.value != "1" }, studio.replay().send(Releases.list, as: [String].self)
        )
        #expect(found == ([recorded: #"["/releases"]"#], ["/releases"]))
    }

    /// The name of this suite in the settings of a recording.
    private static let origin = "FingerpostTestingTests.MockRecorderPlacesTests"

    private static let rivals: [(any RouteConvertible, any RouteConvertible, String)] = [
        (
            Route.get("a").mock("same"), Route.get("b").mock("same"),
            "GET /b: Mocks/same.mock.json is for GET /a, which this run has recorded; "
        ),
        (
            Route.get("a").mock("same"), Route.put("a").mock("same"),
            "PUT /a: Mocks/same.mock.json is for GET /a, which this run has recorded; "
        ),
        (
            Issues.list, Releases.list,
            "GET /releases: Mocks/list.mock.json is for GET /issues (\(origin).Issues/list), which this run has "
                + "recorded; make the folder Mocks/Releases, or "
        ),
    ]

    @Test(arguments: rivals) func `Two requests of one run that have the same mock are an error`(
        first: any RouteConvertible, second: any RouteConvertible, refusal: String
    ) async throws {
        let studio = try Self.studio()
        _ = try await studio.client.data(for: first)
        let before = try studio.files()
        _ = try await studio.client.data(for: second)
        let (line, after) = (studio.lines().last, try studio.files())
        _ = try await studio.client.data(for: first)
        let found = (line, after, studio.lines().last?.prefix(9))
        #expect(
            found == ("not written: the answer to \(refusal)set `mock` in one of the two routes", before, "unchanged"))
    }

    @Test func `The fix of the error works`() async throws {
        let studio = try Self.studio()
        _ = try await studio.client.data(for: Issues.list)
        try FileManager.default.createDirectory(at: studio.folder["Mocks/Releases"], withIntermediateDirectories: true)
        for route in [Releases.list, Issues.list] as [any RouteConvertible] {
            _ = try await studio.client.data(for: route)
            let live = try await studio.client.send(route, as: [String].self)
            #expect(try await studio.replay().send(route, as: [String].self) == live)
        }
        #expect(try studio.bodies().keys.sorted() == ["Releases/list.json", "list.json"])
    }

    @Test(arguments: [
        (#"{"for": "GET /old", "recorded": {"by": "App.Issues/list"}}"#, "GET /old (App.Issues/list)"),
        (#"{"for": "GET /old", "recorded": {"at": "2020-01-01T00:00:00Z"}}"#, "GET /old"),
        (#"{"for": "POST /issues"}"#, "POST /issues"), (#"{"for": "GET /old?a=b"}"#, "GET /old?a=b"),
    ])
    func `An answer never replaces what an earlier run recorded for another request`(
        settings: String, other: String
    ) async throws {
        let files = ["list.json": "1", "list.mock.json": settings]
        let studio = try Self.studio(Dictionary(uniqueKeysWithValues: files.map { ("Mocks/\($0)", $1) }))
        _ = try await studio.client.data(for: Issues.list)
        let (lines, kept) = (studio.lines(), try studio.files())
        for file in files.keys { try FileManager.default.removeItem(at: studio.folder["Mocks/\(file)"]) }
        _ = try await studio.client.data(for: Issues.list)
        let reason = "Mocks/list.mock.json is for \(other); remove that mock to record this one"
        let found = try (lines, kept, studio.bodies())
        #expect(found == (["not written: the answer to GET /issues: \(reason)"], files, ["list.json": #"["/issues"]"#]))
    }

    @Test(arguments: [nil, #"{"delay": 1}"#, #"{"for": "GET /issues"}"#, #"{"for": "GET /{what}"}"#])
    func `A mock that was not recorded is never replaced without saying so`(settings: String?) async throws {
        var files = ["Mocks/list.json": "1"]
        files["Mocks/list.mock.json"] = settings
        let studio = try Self.studio(files)
        _ = try await studio.client.data(for: Issues.list)
        let place = settings.map { "replaced Mocks/list.mock.json (was \($0.utf8.count) bytes, not recorded)" }
        let lines = ["replaced Mocks/list.json (was 1 bytes, not recorded)", place ?? "wrote Mocks/list.mock.json"]
        let found = try (studio.lines(), studio.bodies())
        #expect(found == (lines, ["list.json": #"["/issues"]"#]))
    }

    @Test func `The error for the mock of another router's case suggests the folder of the router`() async throws {
        let folder = try TemporaryFolder([
            "list.json": "1", "list.mock.json": #"{"for": "GET /releases"}"#, "other.json": "1",
            "other.mock.json": #"{"for": "GET /x"}"#, "Issues/other.json": "1",
            "Issues/other.mock.json": #"{"for": "GET /x"}"#,
        ])
        let client = try APIClient {
            $0.environment = try .testing()
            $0.mocks = folder.url
        }
        let place = FilePath.display(folder.url)
        var fixes: [String?] = []
        for route in [Issues.list, Issues.other, Issues.list.mock("other")] as [any RouteConvertible] {
            fixes.append(try await failure { try await client.data(for: route) }.fix)
        }
        #expect(
            fixes == [
                "if the mock is that of another router's case, add \(place)/Issues/list.json for this one; otherwise "
                    + "correct the route, or \"for\" in \(place)/list.mock.json",
                "correct the route, or \"for\" in \(place)/Issues/other.mock.json",
                "correct the route, or \"for\" in \(place)/other.mock.json",
            ])
    }
}
