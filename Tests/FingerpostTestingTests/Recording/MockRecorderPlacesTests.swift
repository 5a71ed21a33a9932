import Fingerpost
import FingerpostFiles
import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import FingerpostTesting

/// Which mock a recording becomes, so that no recording replaces what another route recorded.
@Suite(.inTurn) struct MockRecorderPlacesTests {
    private enum Issues: Routable {
        case list(page: Int)
        case other

        var path: RoutePath {
            switch self {
            case .list: "issues"
            case .other: "others"
            }
        }
        var parameters: Parameters? { if case .list(let page) = self { ["page": page] } else { nil } }
    }

    private enum Gists: RouteConvertible {
        case list

        var route: Route { .get("gists") }
    }

    private enum Releases: Routable {
        case list
        var path: RoutePath { "releases" }
    }

    private enum Repos<Owner: Sendable>: Routable {
        case list(Owner)
        var path: RoutePath { "repos" }
    }

    /// Two routers with the same name, and their endpoints.
    private enum GitHub {
        enum Users: Routable {
            case list
            var path: RoutePath { "github/users" }
        }
        struct GetUser: Endpoint {
            var path: RoutePath { "github/user" }
        }
    }

    private enum GitLab {
        enum Users: Routable {
            case list
            var path: RoutePath { "gitlab/users" }
        }
        struct GetUser: Endpoint {
            var path: RoutePath { "gitlab/user" }
        }
    }

    private static let lists: [any RouteConvertible] = [
        Issues.list(page: 1), Gists.list, Releases.list, Repos.list("octocat"),
    ]

    private static let recordedLists = ["Issues", "Gists", "Releases", "Repos"].reduce(into: [:]) { files, router in
        files["\(router)/list.json"] = Self.body("/\(router.lowercased())")
    }

    /// Answers each request with its path.
    private static func studio(_ files: [String: String] = [:]) throws -> Studio {
        try Studio(files) { request, connection in
            connection.respond(200, headers: ["Content-Type": "application/json"], body: "[\"\(request.path)\"]")
        }
    }

    /// A recorded body.
    private static func body(_ path: String) -> String { "[\"\(path)\"]" }

    /// The recorded bodies.
    private static func bodies(_ studio: Studio) throws -> [String: String] {
        try studio.files().filter { !$0.key.hasSuffix(".mock.json") }
    }

    /// A new run of tests, which has another recorder and the same folder.
    private static func nextRun(of studio: Studio) throws -> (client: APIClient, recorder: RecordingMiddleware) {
        let recorder = try RecordingMiddleware(
            environment: studio.environment, recorder: MockRecorder(folder: studio.folder["Mocks"]), tell: { _ in },
            variables: [:])
        let client = try APIClient {
            $0.environment = studio.environment
            $0.middleware = [recorder]
        }
        return (client, recorder)
    }

    @Test func `Cases of several routers with the same name are recorded in the folders of their routers`() async throws
    {
        let studio = try Self.studio()
        for route in Self.lists { _ = try await studio.client.data(for: route) }
        #expect(try Self.bodies(studio) == Self.recordedLists)
        #expect(
            studio.lines().filter { $0.hasPrefix("moved") }
                == [".json", ".mock.json"].reversed().map {
                    "moved Mocks/list\($0) to Mocks/Issues/list\($0), because another router recorded it. If the case has moved, move it back and correct its \"by\""
                })
        #expect(!studio.lines().contains { $0.hasPrefix("replaced") || $0.hasPrefix("but") }, "\(studio.lines())")
        let replay = try studio.replay()
        for route in Self.lists {
            let live = try await studio.client.send(route, as: [String].self)
            #expect(try await replay.send(route, as: [String].self) == live)
        }
    }

    @Test func `Recording again leaves the files as they are`() async throws {
        let studio = try Self.studio()
        for route in Self.lists { _ = try await studio.client.data(for: route) }
        for lists in [Self.lists, Self.lists.reversed()] {
            let (client, recorder) = try Self.nextRun(of: studio)
            for route in lists { _ = try await client.data(for: route) }
            #expect(
                recorder.lines.allSatisfy { $0.hasPrefix("unchanged") || $0.hasPrefix("renewed") }, "\(recorder.lines)")
            #expect(try Self.bodies(studio) == Self.recordedLists)
        }
    }

    @Test func `A case that an earlier run recorded goes to the folder of its router with its variants`() async throws {
        let studio = try Self.studio(["Mocks/list.empty.json": "[]"])
        _ = try await studio.client.data(for: Issues.list(page: 1))
        #expect(try Self.bodies(studio).keys.sorted() == ["list.empty.json", "list.json"])
        let (client, _) = try Self.nextRun(of: studio)
        _ = try await client.data(for: Releases.list)
        #expect(
            try studio.files().keys.sorted() == [
                "Issues/list.empty.json", "Issues/list.json", "Issues/list.mock.json", "Releases/list.json",
                "Releases/list.mock.json",
            ])
    }

    @Test func `A recorded error goes to the folder of its router with its settings`() async throws {
        let studio = try Studio { request, connection in
            let status = request.path == "/issues" ? 404 : 200
            connection.respond(status, headers: ["Content-Type": "application/json"], body: "[\"\(request.path)\"]")
        }
        for route in [Issues.list(page: 1), Releases.list] as [any RouteConvertible] {
            _ = try? await studio.client.data(for: route)
        }
        #expect(
            try studio.files().keys.sorted() == [
                "Issues/list.404.json", "Issues/list.404.mock.json", "Issues/list.mock.json", "Releases/list.json",
                "Releases/list.mock.json",
            ])
        let error = await #expect(throws: APIError.self) {
            try await studio.replay().data(for: Issues.list(page: 1))
        }
        #expect(error?.kind == .status(404))
    }

    @Test func `Concurrent recordings of several runs lose no answer`() async throws {
        let studio = try Self.studio()
        let clients = try (1...4).map { _ in try Self.nextRun(of: studio).client }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<80 {
                let route = Self.lists[index % 4]
                group.addTask { _ = try await clients[index / 4 % 4].data(for: route) }
            }
            try await group.waitForAll()
        }
        #expect(try Self.bodies(studio) == Self.recordedLists)
    }

    @Test func `A single router is recorded without a folder, also after its path has changed`() async throws {
        let settings = """
            {"for": "GET /old", "recorded": {"at": "2020-01-01T00:00:00Z", "by": "\(Self.origin).Issues/list"}}
            """
        let studio = try Self.studio(["Mocks/list.json": "1", "Mocks/list.mock.json": settings])
        _ = try await studio.client.data(for: Issues.list(page: 1))
        _ = try await studio.client.data(for: Issues.other)
        #expect(try Self.bodies(studio) == ["list.json": Self.body("/issues"), "other.json": Self.body("/others")])
    }

    /// The name of this suite in the settings of a recording.
    private static let origin = "FingerpostTestingTests.MockRecorderPlacesTests"

    /// Each with the settings of `list`, and with the files after a recording of `Releases.list`.
    @Test(
        .heavy,
        arguments: [
            (nil, ["list.json"]),
            (#"{"delay": 1}"#, ["list.json"]),
            (#"{"for": "GET /releases"}"#, ["list.json"]),
            (#"{"for": "GET /issues"}"#, ["Releases/list.json", "list.json"]),
            // The router was moved to another module.
            (
                #"{"for": "GET /releases", "recorded": {"at": "2020-01-01T00:00:00Z", "by": "App.Releases/list"}}"#,
                ["list.json"]
            ),
            // Another server with the same path.
            (
                #"{"for": "GET /releases", "recorded": {"at": "2020-01-01T00:00:00Z", "by": "App.Mirror<App.A>/list"}}"#,
                ["Mirror/list.json", "Releases/list.json"]
            ),
            // A route that names its mock.
            (
                #"{"for": "GET /all", "recorded": {"at": "2020-01-01T00:00:00Z", "by": "App.Mirror.list"}}"#,
                ["Releases/list.json", "list.json"]
            ),
            // The body is another file.
            (
                #"{"for": "GET /all", "body": "other.txt", "recorded": {"at": "2020-01-01T00:00:00Z", "by": "App.Mirror/list"}}"#,
                ["Releases/list.json", "list.json"]
            ),
        ] as [(String?, [String])])
    func `An existing mock is replaced only if it may be that of the case`(
        settings: String?, files: [String]
    ) async throws {
        var existing = ["Mocks/list.json": "1", "Mocks/other.txt": ""]
        existing["Mocks/list.mock.json"] = settings
        let studio = try Self.studio(existing)
        _ = try await studio.client.data(for: Releases.list)
        let bodies = try Self.bodies(studio).filter { $0.key != "other.txt" }
        #expect(bodies.keys.sorted() == files)
        #expect(bodies.values.contains(Self.body("/releases")))
        if files.count > 1 { #expect(bodies.values.contains("1")) }
        #expect(try await studio.replay().send(Releases.list, as: [String].self) == ["/releases"])
    }

    /// The name of this module in the settings of a recording.
    private static let module = "FingerpostTestingTests"

    /// Each with the request and the case that recorded `list`, and with the files after a recording of `Kitchen.list`.
    @Test(
        .heavy,
        arguments: [
            // The router has another name now.
            ("kitchen", "\(module).Scullery/list", ["list.json"]),
            ("kitchen", "\(module).House.Scullery/list", ["list.json"]),
            // The case has moved, which the samples of its router tell.
            ("kitchen", "\(module).House.Pantry/list", ["list.json"]),
            // The case is still there, or nobody knows.
            ("kitchen", "\(module).House.Cellar/list", ["Cellar/list.json", "Kitchen/list.json"]),
            ("kitchen", "\(module).House.Attic/list", ["Attic/list.json", "Kitchen/list.json"]),
            ("kitchen", "App.Mirror<App.A>/list", ["Kitchen/list.json", "Mirror/list.json"]),
            ("kitchen", "App.Scullery/list", ["Kitchen/list.json", "Scullery/list.json"]),
            // The request has changed too.
            ("scullery", "\(module).Scullery/list", ["Kitchen/list.json", "Scullery/list.json"]),
            // A route that named its mock.
            ("scullery", "\(module).Scullery.list", ["Kitchen/list.json", "list.json"]),
        ])
    func `A case takes over the mock of a case that is gone and had its request`(
        path: String, by: String, files: [String]
    ) async throws {
        let studio = try Self.studio([
            "Mocks/list.json": "1",
            "Mocks/list.mock.json": #"{"for": "GET /\#(path)", "delay": 1, "recorded": {"by": "\#(by)"}}"#,
        ])
        _ = try await studio.client.data(for: Kitchen.list)
        #expect(try Self.bodies(studio).keys.sorted() == files)
        let isTaken = files == ["list.json"]
        #expect(
            studio.lines().contains(#"took over the mock "list" from \#(by), which is gone"#) == isTaken,
            "\(studio.lines())")
        if isTaken {
            let settings = try #require(try studio.files()["list.mock.json"])
            #expect(settings.contains(#""by" : "\#(Self.module).Kitchen/list""#) && settings.contains("delay"))
        }
        #expect(try await studio.replay().send(Kitchen.list, as: [String].self) == ["/kitchen"])
    }

    private static let rivals: [(any RouteConvertible, any RouteConvertible, String, String)] = [
        (
            Route.get("a").mock("same"), Route.get("b").mock("same"),
            "GET /b: Mocks/same.mock.json belongs to another route (GET /a)", "same.json"
        ),
        (
            Gists.list.mock("same"), Releases.list.mock("same"),
            "GET /releases: Mocks/same.mock.json belongs to another route (\(origin).Gists.list, GET /gists)",
            "same.json"
        ),
        (
            GitHub.GetUser(), GitLab.GetUser(),
            "GET /gitlab/user: Mocks/GetUser.mock.json belongs to another route "
                + "(\(origin).GitHub.GetUser, GET /github/user)", "GetUser.json"
        ),
        (
            GitHub.Users.list, GitLab.Users.list,
            "GET /gitlab/users: Mocks/list.mock.json belongs to another route "
                + "(\(origin).GitHub.Users/list, GET /github/users)", "list.json"
        ),
    ]

    @Test(arguments: rivals) func `An answer never replaces what another route recorded`(
        first: any RouteConvertible, second: any RouteConvertible, refusal: String, file: String
    ) async throws {
        let studio = try Self.studio()
        _ = try await studio.client.data(for: first)
        let answer = try await studio.client.send(second, as: [String].self)
        #expect(
            studio.lines().last == "not written: the answer to \(refusal); set `mock` in one of the two routers, or "
                + "remove the mock to record it anew")
        let bodies = try Self.bodies(studio)
        #expect(bodies.keys.sorted() == [file])
        #expect(bodies[file] != Self.body(answer[0]))
        // Recording the first again is no conflict.
        _ = try await studio.client.data(for: first)
        #expect(studio.lines().last?.hasPrefix("unchanged") == true)
    }

    @Test func `The answer that arrives last does not replace a moved answer of a later call`() async throws {
        let hold = AsyncStream.makeStream(of: Void.self)
        let begun = AsyncStream.makeStream(of: Void.self)
        let studio = try Studio(
            handler: { request, connection in
                connection.respond(200, headers: ["Content-Type": "application/json"], body: "[\"\(request.target)\"]")
            },
            configure: { configuration in
                configuration.middleware.append(
                    Holding(page: "page=1") {
                        begun.continuation.finish()
                        for await _ in hold.stream {}
                    })
            })
        async let slow = studio.client.data(for: Issues.list(page: 1))
        for await _ in begun.stream {}
        _ = try await studio.client.data(for: Issues.list(page: 2))
        _ = try await studio.client.data(for: Releases.list)
        hold.continuation.finish()
        _ = try await slow
        #expect(try studio.files()["Issues/list.json"] == Self.body("/issues?page=2"))
        #expect(
            studio.lines().last == "kept Mocks/Issues/list.json: it is from a later call than this GET /issues",
            "\(studio.lines())")
    }

    /// Holds the requests whose query is this, after the recorder has numbered them.
    private struct Holding: Recorder {
        let page: String
        let wait: @Sendable () async -> Void

        func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
            if request.url?.query == page { await wait() }
            return try await next(request)
        }
    }

    @Test func `The error for the mock of another router's case suggests the folder of the router`() async throws {
        let folder = try TemporaryFolder([
            "list.json": "1", "list.mock.json": #"{"for": "GET /releases"}"#, "other.json": "1",
            "other.mock.json": #"{"for": "GET /x"}"#, "Issues/other.json": "1",
            "Issues/other.mock.json": #"{"for": "GET /x"}"#,
        ])
        let client = try APIClient {
            $0.environment = try? Environment("Testing", values: ["baseURL": "https://t.invalid"])
            $0.mocks = folder.url
        }
        let place = FilePath.display(folder.url)
        let error = await #expect(throws: APIError.self) { try await client.data(for: Issues.list(page: 1)) }
        #expect(
            error?.fix == "if the mock is that of another router's case, add \(place)/Issues/list.json for this one; "
                + "otherwise correct the route, or \"for\" in \(place)/list.mock.json")
        for route in [Issues.other, Issues.list(page: 1).mock("other")] as [any RouteConvertible] {
            let error = await #expect(throws: APIError.self) { try await client.data(for: route) }
            #expect(error?.fix?.hasPrefix("correct the route, or \"for\" in \(place)/") == true, "\(error?.fix ?? "")")
        }
        let audit = try MockAudit(
            options: .init(routes: [Issues.list(page: 1)], folder: folder.url, skipping: [.untyped, .orphan]))
        #expect(
            audit.findings.map(\.fix) == [
                "if the mock is that of another router's case, add \(place)/Issues/list.json; otherwise correct \"for\""
            ])
    }
}

// Not private, because the runtime does not find a private type by its name.

private protocol Room: Routable {}

extension Room {
    var path: RoutePath { "kitchen" }
}

enum Kitchen: Room {
    case list
}

enum House {
    enum Pantry: Room, SampledRoutes {
        case other
        static let samples: [Pantry] = [.other]
    }

    enum Cellar: Room, SampledRoutes {
        case list
        static let samples: [Cellar] = [.list]
    }

    enum Attic: Room {
        case list
    }
}
