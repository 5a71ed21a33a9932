import FingerpostCatalog

@testable import FingerpostTesting

/// What an audit finds in routers, their cases and catalogs.
@Suite(.inTurn) struct MockAuditRoutesTests {
    private typealias API = MockAuditTests.API

    @Test func `Routes with different response types should not share a mock`() throws {
        let found = try MockAuditTests.found(
            MockAuditTests.good, API.samples + [.create], skipping: [.absentKeys, .unreadKeys, .undecodable])
        #expect(
            found == [
                #"shared Mocks: warning: routes with different response types share the mock "user": API.create as Repo, API.user(login:) as User. Fix: give each route its own mock"#
            ])
    }

    private struct Dated: Encodable { let at: Double }

    @Test(arguments: ["client", "configuration", "environment"])
    func `Samples become requests as the client writes them`(place: String) throws {
        let folder = try TemporaryFolder(["Mocks/list.json": "[]", "Mocks/dates.json": "[]"])
        let list = Route.post("list").parameters(["items": [["id": 1]]]).encoding(.form).mock("list")
        let dates = Route.post("dates").json(Dated(at: .infinity)).mock("dates")
        var configuration = APIClient.Configuration()
        configuration.encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        if place == "environment" {
            configuration.environment = try Environment(
                "Live", values: ["baseURL": "https://h.example", "$dialect": "indexed"])
        } else {
            configuration.dialect = QueryDialect(arrays: .indexed)
        }
        func found(_ client: APIClient?, _ configuration: APIClient.Configuration) throws -> [MockFinding.Kind] {
            var options = MockAudit.Options(
                routes: [list, dates], folder: folder["Mocks"], skipping: [.untyped, .unsampled])
            options.configuration = configuration
            return try MockAudit(client: client, options: options).findings.map(\.kind)
        }
        let base = URL(string: "https://h.example")!
        #expect(
            try place == "configuration"
                ? found(nil, configuration) == [] : found(APIClient(baseURL: base, configuration), .init()) == [])
        #expect(try found(nil, .init()) == [.wrongRoute, .wrongRoute])
    }

    private enum Switching: RouteConvertible {
        case user

        var route: Route { .get("users") }
    }

    private enum Called: Routable {
        case first, third
        case second(Int)

        var path: RoutePath { "x" }
        var mock: MockName? { .unmocked }
    }

    @Test func `Cases that tests call and the samples lack are listed`() async throws {
        func call(_ route: Called) async throws {
            var settings = ScopeSettings()
            settings.network = .sealed
            let report: (String) -> Void = { _ in }
            try await TestScope(settings).run(file: #filePath, seed: "", report: report) {
                _ = try? await APIClient().data(for: route)
            }
        }
        try await TestScope.$current.withValue(nil) {
            for route in [Called.first, .second(1), .second(2), .third] { try await call(route) }
        }
        let folder = try TemporaryFolder(["Mocks/a.txt": ""])
        func unsampled(_ samples: [Called]) throws -> [String] {
            try MockAudit(options: .init(routes: samples, folder: folder["Mocks"], skipping: [.orphan])).findings
                .map(\.message)
        }
        #expect(try unsampled([.first]) == ["tests call cases that the samples lack: Called.second(_:), Called.third"])
        #expect(try unsampled([.second(3)]) == ["tests call cases that the samples lack: Called.third"])
        #expect(try unsampled([.third]) == [])
    }

    @Test func `A case that is called after the audit is found at the end of the test`() {
        let cases = SampledCases()
        func call(_ called: Called...) -> [String] { cases.call(called.map(Route.from)) }
        #expect(call(.first) == [])
        #expect(cases.sample([Route.from(Called.second(1))]) == ["Called.first"])
        #expect(call(.first, .third, .second(7)) == ["Called.third"])
        #expect(call(.third) == [])
    }

    @Test func `The recording of a renamed case is named once, and is no orphan`() throws {
        let by = #""recorded": {"at": "2026-01-01T00:00:00Z", "by": "App.API/list"}"#
        let files = [
            "Mocks/user.json": #"{"login": "octocat", "name": "O"}"#, "Mocks/list.json": "[]",
            "Mocks/list.404.json": "{}",
            "Mocks/list.mock.json": "{\"for\": \"GET /repos\", \(by)}",
            // This one answers the same request, but a route still names it.
            "Mocks/user.mock.json": "{\"for\": \"GET /users/{login}\", \(by)}",
        ]
        #expect(
            try MockAuditTests.found(files) == [
                #"missing Mocks: error: the mock "repos" for API.repos(page:) is missing; Mocks/list.json was recorded by App.API/list for the same GET /repos. Fix: if App.API/list has this name now, rename Mocks/list.json to repos.json, Mocks/list.404.json to repos.404.json, Mocks/list.mock.json to repos.mock.json; otherwise add Mocks/repos.json"#
            ])
    }

    @Test func `What a renamed case has left behind is named with its new name`() throws {
        let recorded = #""recorded": {"at": "2026-01-01T00:00:00Z"}"#
        let files = [
            "Mocks/old.json": "1", "Mocks/old.mock.json": "{\"for\": \"GET /{a}\", \(recorded)}",
            "Mocks/other.json": "1", "Mocks/other.mock.json": "{\"for\": \"PUT /{a}\", \(recorded)}",
            "Mocks/written.json": "1", "Mocks/written.mock.json": "{\"for\": \"GET /{a}\"}",
            "Mocks/gone.json": "1", "Mocks/gone.mock.json": "{\"for\": \"GET /{b}\", \(recorded)}",
        ]
        let found = try MockAuditTests.found(files, [Hub.gone], skipping: [.untyped])
        let named = found.filter { $0.contains(#"no route names this mock: the recording of GET /{a} is "gone" now"#) }
        #expect(found.count == 6 && named.count == 2, "\(found)")
        #expect(named.allSatisfy { $0.hasPrefix("orphan Mocks/old.") && $0.contains("Fix: remove it, ") })
    }

    private enum Hub: Routable {
        case user(Int)
        case gone, hidden

        var path: RoutePath { "hub" }
        var mock: MockName? { if case .hidden = self { .unmocked } else { nil } }
    }

    private enum Desk: Routable {
        case user

        var path: RoutePath { "desk" }
    }

    private enum Described: Routable, CustomStringConvertible {
        case user

        var path: RoutePath { "x" }
        var description: String { "a description" }
    }

    @Test func `Mocks are found by the names of the cases`() throws {
        let found = try MockAuditTests.found(
            ["Mocks/Hub/user.json": "1", "Mocks/user.json": "2"],
            [Hub.user(1), Hub.gone, Hub.hidden, Desk.user, Described.user], skipping: [.untyped])
        #expect(
            found == [
                #"missing Mocks: error: Described.a description: the name of the case is unknown, so Described has to name its mocks: it has a description or a mirror of its own, or was compiled without reflection metadata. Fix: implement `mock` in Described; return .unmocked for a route without a mock"#,
                #"missing Mocks: error: the mock "gone" for Hub.gone is missing. Fix: add Mocks/gone.json or Mocks/Hub/gone.json, or set the route's mock"#,
            ])
    }

    /// Files, and the fix.
    private static let misnamed = WrittenCase.table(
        #"""
        letter case
        Mocks/Gone.json = 1
        rename Mocks/Gone.json to gone.json; otherwise add Mocks/gone.json

        an extension in capitals
        Mocks/gone.JSON = 1
        rename Mocks/gone.JSON to gone.json; otherwise add Mocks/gone.json

        another extension
        Mocks/gone.png = 1
        set the route's mock to "gone.png"; otherwise add Mocks/gone.json

        a folder and an extension
        Mocks/a/gone.png = 1
        set the route's mock to "a/gone.png"; otherwise add Mocks/gone.json

        a wrong folder
        Mocks/Hob/gone.json = 1
        rename Mocks/Hob/gone.json to Mocks/Hub/gone.json; otherwise add Mocks/gone.json

        all its files
        Mocks/gon.json = 1
        Mocks/gon.404.json = 1
        Mocks/gon.mock.json = {"delay": 1}
        rename Mocks/gon.json to gone.json, Mocks/gon.404.json to gone.404.json, Mocks/gon.mock.json to gone.mock.json;

        an extension that is written twice
        Mocks/gone.json.json = 1
        rename it to gone.json

        the file of another request
        Mocks/gon.json = 1
        Mocks/gon.mock.json = {"for": "PUT /a"}
        add Mocks/gone.json
        """#)

    @Test(arguments: misnamed) func `A mock whose name is near that of a case is renamed`(test: WrittenCase) throws {
        let found = try MockAuditTests.found(test.files, [Hub.gone], skipping: [.untyped])
        let (missing, fix) = (found.filter { $0.hasPrefix("missing") }, test.expected[0])
        #expect(missing.count == 1 && missing[0].contains(". Fix: \(fix)"), "\(found)")
        #expect(found.count == (fix.hasPrefix("add ") ? 3 : 1), "\(found)")
    }

    @Test func `Two missing mocks are not one file`() throws {
        let routes = ["orders", "order"].map { Route.get("\($0)").mock(MockName(rawValue: $0)) }
        #expect(
            try MockAuditTests.found(["Mocks/oders.json": "1"], routes, skipping: [.untyped]) == [
                #"missing Mocks: error: the mock "order" for GET order is missing; similar: "oders". Fix: rename Mocks/oders.json to order.json; otherwise add Mocks/order.json"#,
                #"missing Mocks: error: the mock "orders" for GET orders is missing; similar: "oders". Fix: add Mocks/orders.json, or correct the route's mock"#,
            ])
    }

    @Test func `A mock in the folder above belongs into this one`() throws {
        let folder = try TemporaryFolder(["Package.swift": "", "Mocks/gone.json": "1", "Tests/T/Mocks/x.json": "1"])
        let options = MockAudit.Options(routes: [Hub.gone], folder: folder["Tests/T/Mocks"], skipping: [.orphan])
        let finding = try #require(try MockAudit(options: options).findings.first)
        #expect(
            folder.relative(finding.fix ?? "")
                == "move Mocks/gone.json to Tests/T/Mocks/gone.json; otherwise add Tests/T/Mocks/gone.json")
    }

    /// Files, and how the finding begins.
    private static let orphans = WrittenCase.table(
        #"""
        A status behind another sign
        Mocks/gone.json = 1
        Mocks/gone-404.json = {}
        orphan Mocks/gone-404.json: error: no route names this mock. Fix: rename it to gone.404.json, remove it,

        Settings with a typo
        Mocks/gone.json = 1
        Mocks/gome.mock.json = {"status": 404}
        orphan Mocks/gome.mock.json: error: no route names this mock. Fix: rename it to gone.mock.json, remove it,

        A file that another one hides
        Mocks/gone.json = 1
        Mocks/Hub/gone.json = 1
        orphan Mocks/gone.json: error: no route names this mock: Mocks/Hub/gone.json answers in its place. Fix: remove it,

        A status that a file has already
        Mocks/gone.json = 1
        Mocks/gone-404.json = {}
        Mocks/gone.404.json = {}
        orphan Mocks/gone-404.json: error: no route names this mock. Fix: remove it,
        """#)

    @Test(arguments: orphans) func `An orphan says what it was probably meant to be`(test: WrittenCase) throws {
        let found = try MockAuditTests.found(test.files, [Hub.gone], skipping: [.untyped])
        #expect(found.count == 1 && found[0].hasPrefix(test.expected[0]), "\(found)")
    }

    private enum Inner {
        enum Desk: Routable {
            case user

            var path: RoutePath { "x" }
        }
    }

    @Test(arguments: ["Mocks/user.json", "Mocks/Desk/user.json"])
    func `Cases of routers with the same name do not share a mock by accident`(file: String) throws {
        let found = try MockAuditTests.found([file: "1"], [Inner.Desk.user, Desk.user], skipping: [.untyped])
        try #require(found.count == 1)
        #expect(found[0].contains("answers cases of several routers"))
        #expect(
            found[0].contains("MockAuditRoutesTests.Desk, ") && found[0].contains("MockAuditRoutesTests.Inner.Desk. "))
        #expect(found[0].hasSuffix("Fix: set `mock` in all of these routers but one"))
    }

    @Test func `Cases of two routers do not share a mock by accident`() throws {
        let found = try MockAuditTests.found(["Mocks/user.json": "1"], [Hub.user(1), Desk.user], skipping: [.untyped])
        #expect(
            found == [
                #"shared Mocks: error: the mock "user" answers cases of several routers, because the cases have the same name: Desk.user, Hub.user(_:). Fix: give each router its own mock: Desk/user.json, Hub/user.json"#
            ])
        // A router that sets the name shares the mock on purpose.
        #expect(
            try MockAuditTests.found(
                ["Mocks/user.json": "1"], [Hub.user(1), Route.get("x").mock("user")], skipping: [.untyped])
                == [])
    }

    @Test func `A route without a mock causes no finding`() throws {
        #expect(try MockAuditTests.found(MockAuditTests.good, API.samples + [.silent]) == [])
    }

    @Test func `A route without a response type is reported because its mock is not decoded`() throws {
        let folder = try TemporaryFolder(MockAuditTests.good.merging(["Mocks/untyped.json": "[7]"]) { $1 })
        let audit = try MockAudit(API.self, options: .init(routes: [API.untyped], folder: folder["Mocks"]))
        let finding = try #require(audit.findings.first)
        #expect(audit.findings.count == 1 && finding.kind == .untyped && !finding.isError)
        #expect(finding.message.hasSuffix("looked at responseType of API.untyped"))
        #expect(finding.fix?.contains("var responseType: (any (Decodable & Sendable).Type)?") == true)
        #expect(finding.fix?.contains(".answers(User.self)") == true)
        let converted = try MockAudit(
            options: .init(routes: [Switching.user], folder: folder["Mocks"], skipping: [.orphan]))
        #expect(converted.findings.first?.message.hasSuffix("looked at route.responseType of Switching.user") == true)
        let skipped = try MockAudit(
            API.self, options: .init(routes: [API.untyped], folder: folder["Mocks"], skipping: [.untyped]))
        #expect(skipped.findings.isEmpty)
    }

    @Test func `A sample that cannot become a request is reported`() throws {
        let files = MockAuditTests.good
        let found = try MockAuditTests.found(files, [API.user(login: ""), API.repos(page: 1)])
        #expect(found.count == 1)
        #expect(
            found.first?.hasPrefix("wrongRoute Mocks: error: the sample API.user(login:) cannot become a request")
                == true)
    }

    @Test func `The endpoints of a catalog are checked for their mock, method and path`() throws {
        let json = """
            { "host": "api.example.com",
              "user": { "path": "users/{login}", "mock": "user" },
              "repos": { "path": "repos", "httpMethod": "POST", "mock": "repos" },
              "gone": { "path": "gone", "mock": "gone" }, "other": { "path": "other" } }
            """
        let catalog = try EndpointCatalog(data: Data(json.utf8))
        let settings = [
            "Mocks/user.mock.json": #"{"for": "GET /users/octocat"}"#,
            "Mocks/repos.mock.json": #"{"for": "GET /repos"}"#,
        ]
        let folder = try TemporaryFolder(MockAuditTests.good.merging(settings) { $1 })
        let audit = try MockAudit(options: .init(catalogs: [catalog], folder: folder["Mocks"]))
        #expect(audit.findings.map(\.kind) == [.missing, .wrongRoute])
        #expect(audit.findings.map(\.mock) == ["gone", "repos"])
        #expect(audit.findings.map(\.isError) == [true, true])
    }

    @Test(
        arguments: [
            ("{{login}}", "%7Blogin%7D", []), ("{{login}}", "octocat", [.wrongRoute]), ("x-{login}", "octocat", []),
            ("a b", "a%20b", []), ("octocat", "{login}", []), ("octocat", "mona", [.wrongRoute]),
        ] as [(String, String, [MockFinding.Kind])])
    func `A catalog segment with a placeholder matches any segment, others match literally`(
        segment: String, allowed: String, findings: [MockFinding.Kind]
    ) throws {
        let json = #"{ "user": { "path": "users/\#(segment)", "mock": "user" } }"#
        let folder = try TemporaryFolder([
            "Mocks/user.json": "{}", "Mocks/user.mock.json": #"{"for": "GET /users/\#(allowed)"}"#,
        ])
        let catalog = try EndpointCatalog(data: Data(json.utf8))
        let audit = try MockAudit(options: .init(catalogs: [catalog], folder: folder["Mocks"]))
        #expect(audit.findings.map(\.kind) == findings)
    }
}
