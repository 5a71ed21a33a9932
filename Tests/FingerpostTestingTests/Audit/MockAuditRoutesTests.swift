import FingerpostCatalog

@testable import FingerpostTesting

/// What an audit finds in routers, their cases and catalogs.
@Suite(.inTurn) struct MockAuditRoutesTests {
    private typealias API = MockAuditTests.API

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
            let options = MockAudit.Options(
                routes: [list, dates], folder: folder["Mocks"], skipping: [.untyped],
                configuration: configuration)
            return try MockAudit(client: client, options: options).findings.map(\.kind)
        }
        let client =
            place == "configuration" ? nil : APIClient(baseURL: URL(string: "https://h.example")!, configuration)
        let outcome = try (found(client, client == nil ? configuration : .init()), found(nil, .init()))
        #expect(outcome == ([], [.wrongRoute, .wrongRoute]))
    }

    private enum Switching: RouteConvertible {
        case user

        var route: Route { .get("users") }
    }

    private enum Hub: Routable {
        case user(Int)
        case gone, hidden

        var path: RoutePath { "hub" }
        var parameters: Parameters? { if case .user(let id) = self { ["id": id] } else { nil } }
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

    private enum Inner {
        enum Desk: Routable {
            case user

            var path: RoutePath { "x" }
        }
    }

    private static let user = Route.get("x").mock("user").answers(MockAuditTests.User.self)
    private static let routes: [String: any RouteConvertible] = [
        "gone": Hub.gone, "hidden": Hub.hidden, "user": Hub.user(1), "Desk.user": Desk.user,
        "Inner.Desk.user": Inner.Desk.user, "Described.user": Described.user, "named": Route.get("x").mock("user"),
        "empty": API.user(login: ""), "octocat": API.user(login: "octocat"), "repos": API.repos(page: 1), "User": user,
        "Repo": user.answers(MockAuditTests.Repo.self),
    ]
    private static let leave =
        "remove it, name it in a route, add its route to the samples, or leave it out with options: .init(ignoring: …)"
    private static let recorded = #""recorded": {"at": "2026-01-01T00:00:00Z"}"#
    private static let renamed = #""recorded": {"at": "2026-01-01T00:00:00Z", "by": "App.API/list"}"#

    /// Files, the routes, by default the case `gone`, and the findings.
    private static let folders = WrittenCase.table(
        #"""
        letter case
        Mocks/Gone.json = 1
        missing Mocks: error: the mock "gone" for Hub.gone is missing; similar: "Gone". Fix: rename Mocks/Gone.json to gone.json; otherwise add Mocks/gone.json

        an extension in capitals
        Mocks/gone.JSON = 1
        missing Mocks: error: the mock "gone" for Hub.gone is missing; similar: "gone.JSON". Fix: rename Mocks/gone.JSON to gone.json; otherwise add Mocks/gone.json

        another extension
        Mocks/gone.png = 1
        missing Mocks: error: the mock "gone" for Hub.gone is missing; similar: "gone.png". Fix: set the route's mock to "gone.png"; otherwise add Mocks/gone.json

        a folder and an extension
        Mocks/a/gone.png = 1
        missing Mocks: error: the mock "gone" for Hub.gone is missing; similar: "a/gone.png". Fix: set the route's mock to "a/gone.png"; otherwise add Mocks/gone.json

        a wrong folder
        Mocks/Hob/gone.json = 1
        missing Mocks: error: the mock "gone" for Hub.gone is missing; similar: "Hob/gone". Fix: rename Mocks/Hob/gone.json to Mocks/Hub/gone.json; otherwise add Mocks/gone.json

        all its files
        Mocks/gon.json, Mocks/gon.404.json = 1
        Mocks/gon.mock.json = {"delay": 1}
        missing Mocks: error: the mock "gone" for Hub.gone is missing; similar: "gon". Fix: rename Mocks/gon.json to gone.json, and its other files in the same way; otherwise add Mocks/gone.json

        an extension that is written twice
        Mocks/gone.json.json = 1
        missing Mocks/gone.json.json: error: the mock "gone" for Hub.gone is missing: the extension of this file is written twice. Fix: rename it to gone.json

        the file of another request
        Mocks/gon.json = 1
        Mocks/gon.mock.json = {"for": "PUT /a"}
        missing Mocks: error: the mock "gone" for Hub.gone is missing; similar: "gon". Fix: add Mocks/gone.json or Mocks/Hub/gone.json, or set the route's mock
        orphan Mocks/gon.json: error: no route names this mock. Fix: \#(leave)
        orphan Mocks/gon.mock.json: error: no route names this mock. Fix: \#(leave)

        a status behind another sign
        Mocks/gone.json = 1
        Mocks/gone-404.json = {}
        orphan Mocks/gone-404.json: error: no route names this mock. Fix: \#(leave)

        settings with a typo
        Mocks/gone.json = 1
        Mocks/gome.mock.json = {"status": 404}
        orphan Mocks/gome.mock.json: error: no route names this mock. Fix: \#(leave)

        a file that another one hides
        Mocks/gone.json, Mocks/Hub/gone.json = 1
        orphan Mocks/gone.json: error: no route names this mock: Mocks/Hub/gone.json answers in its place. Fix: \#(leave)

        what a renamed case has left behind
        Mocks/gone.json, Mocks/old.json, Mocks/other.json, Mocks/written.json = 1
        Mocks/gone.mock.json = {"for": "GET /{b}", \#(recorded)}
        Mocks/old.mock.json = {"for": "GET /{a}", \#(recorded)}
        Mocks/other.mock.json = {"for": "PUT /{a}", \#(recorded)}
        Mocks/written.mock.json = {"for": "GET /{a}"}
        orphan Mocks/old.json: error: no route names this mock: the recording of GET /{a} is "gone" now. Fix: \#(leave)
        orphan Mocks/old.mock.json: error: no route names this mock: the recording of GET /{a} is "gone" now. Fix: \#(leave)
        orphan Mocks/other.json: error: no route names this mock. Fix: \#(leave)
        orphan Mocks/other.mock.json: error: no route names this mock. Fix: \#(leave)
        orphan Mocks/written.json: error: no route names this mock. Fix: \#(leave)
        orphan Mocks/written.mock.json: error: no route names this mock. Fix: \#(leave)

        the recording of a renamed case, named once and no orphan, and that of a case which a route names still
        Mocks/list.404.json = {}
        Mocks/list.json = []
        Mocks/list.mock.json = {"for": "GET /repos", \#(renamed)}
        Mocks/user.json = {"login": "octocat", "name": "O"}
        Mocks/user.mock.json = {"for": "GET /users/{login}", \#(renamed)}
        routes = octocat repos
        missing Mocks: error: the mock "repos" for API.repos(page:) is missing; Mocks/list.json was recorded by App.API/list for the same GET /repos. Fix: if App.API/list has this name now, rename Mocks/list.json to repos.json, and its other files in the same way; otherwise add Mocks/repos.json

        two missing mocks, which are not one file
        Mocks/oders.json = 1
        routes = orders order
        missing Mocks: error: the mock "order" for GET order is missing; similar: "oders". Fix: rename Mocks/oders.json to order.json; otherwise add Mocks/order.json
        missing Mocks: error: the mock "orders" for GET orders is missing; similar: "oders". Fix: add Mocks/orders.json, or correct the route's mock

        names with an extension
        Mocks/photos/x.json = 1
        routes = avatar.png photos/b.jpg
        missing Mocks: error: the mock "avatar.png" for GET avatar.png is missing. Fix: add Mocks/avatar.png, or correct the route's mock
        missing Mocks: error: the mock "photos/b.jpg" for GET photos%2Fb.jpg is missing. Fix: add Mocks/photos/b.jpg, or correct the route's mock
        orphan Mocks/photos/x.json: error: no route names this mock. Fix: \#(leave)

        the names of cases
        Mocks/Hub/user.json, Mocks/user.json = 1
        routes = user gone hidden Desk.user Described.user
        missing Mocks: error: Described.a description: the name of the case is unknown, so Described has to name its mocks: it has a description or a mirror of its own, or was compiled without reflection metadata. Fix: implement `mock` in Described; return .unmocked for a route without a mock
        missing Mocks: error: the mock "gone" for Hub.gone is missing. Fix: add Mocks/gone.json or Mocks/Hub/gone.json, or set the route's mock

        routers with the same name
        Mocks/user.json = 1
        routes = Inner.Desk.user Desk.user
        shared Mocks: error: the mock "user" answers cases of several routers, because the cases have the same name: FingerpostTestingTests.MockAuditRoutesTests.Desk, FingerpostTestingTests.MockAuditRoutesTests.Inner.Desk. Fix: set `mock` in all of these routers but one

        routers with the same name and a folder
        Mocks/Desk/user.json = 1
        routes = Inner.Desk.user Desk.user
        shared Mocks: error: the mock "Desk/user" answers cases of several routers, because the cases have the same name: FingerpostTestingTests.MockAuditRoutesTests.Desk, FingerpostTestingTests.MockAuditRoutesTests.Inner.Desk. Fix: set `mock` in all of these routers but one

        cases of two routers
        Mocks/user.json = 1
        routes = user Desk.user
        shared Mocks: error: the mock "user" answers cases of several routers, because the cases have the same name: Desk.user, Hub.user(_:). Fix: give each router its own mock: Desk/user.json, Hub/user.json

        a route that sets the name of a case
        Mocks/user.json = 1
        routes = user named

        a sample that cannot become a request
        Mocks/user.json = {"login": "o"}
        routes = empty
        wrongRoute Mocks: error: the sample API.user(login:) cannot become a request: a segment of the path "users/" is empty. Fix: check the value before building the route, or insert it with \(raw:)

        different response types
        Mocks/user.json = {"login": "o", "id": 1}
        routes = User Repo
        shared Mocks: warning: routes with different response types share the mock "user": GET x as Repo, GET x as User. Fix: give each route its own mock
        """#)

    @Test(arguments: folders) func `A mock that a route names and files that no route names are found`(
        _ test: WrittenCase
    ) throws {
        let names = test.variables["routes"]?.components(separatedBy: " ") ?? ["gone"]
        let routes = names.map { Self.routes[$0] ?? Route.get("\($0)").mock(MockName(rawValue: $0)) }
        let found = try MockAuditTests.found(test.files, routes, skipping: [.untyped, .absentKeys, .unreadKeys])
        #expect(found == test.expected)
    }

    @Test func `A route without a response type is reported because its mock is not decoded`() throws {
        let folder = try TemporaryFolder(MockAuditTests.good.merging(["Mocks/untyped.json": "[7]"]) { $1 })
        func found(_ route: any RouteConvertible, skipping: Set<MockFinding.Kind>) throws -> [String] {
            try MockAudit(options: .init(routes: [route], folder: folder["Mocks"], skipping: skipping)).findings
                .map { folder.relative("\($0)") }
        }
        func problem(_ place: String) -> String {
            "Mocks: warning: mocks not decoded because their routes have no response type; the audit looked at \(place). "
                + "Fix: add var responseType: (any (Decodable & Sendable).Type)? to the router itself (an extension in the "
                + "test target is not seen), with exactly this type; or .answers(User.self) to the route of a "
                + "RouteConvertible router; or silence the warning with options: .init(skipping: [.untyped])"
        }
        #expect(
            try [
                found(API.untyped, skipping: [.orphan]), found(Switching.user, skipping: [.orphan]),
                found(API.untyped, skipping: [.orphan, .untyped]),
            ] == [[problem("responseType of API.untyped")], [problem("route.responseType of Switching.user")], []])
    }

    /// Has the names of other libraries: the compiler takes them for properties of its own.
    private enum Misspelled: Routable {
        case user(login: String)
        case create(title: String)
        case page(Int?)
        case kind(Bool)

        var path: RoutePath {
            switch self {
            case .user(let login): "users/\(login)"
            case .create: "issues"
            case .page: "pages"
            case .kind(let isOpen): isOpen ? "open" : "closed"
            }
        }
        var httpMethod: HTTPMethod { .post }
        var mock: MockName? { "untyped" }
    }

    private enum Spelled: Routable {
        case create(title: String)

        var path: RoutePath { "issues" }
        var method: HTTPMethod { .post }
        var mock: MockName? { "untyped" }
    }

    @Test(
        arguments: [
            (
                [Misspelled.user(login: "a b"), Misspelled.create(title: "Broken"), Misspelled.page(7)],
                "create(title:), Misspelled.page(_:)"
            ),
            (
                [
                    Misspelled.user(login: "a b"), Misspelled.kind(true), Misspelled.page(nil),
                    Misspelled.create(title: ""),
                ], nil
            ),
            ([Misspelled.create(title: "Broken"), Route.get("x").mock("untyped")], "create(title:)"),
            ([Spelled.create(title: "Broken")], nil),
        ] as [([any RouteConvertible & Sendable], String?)])
    func `A router that sends nothing but its paths is reported if the paths lack arguments`(
        routes: [any RouteConvertible & Sendable], names: String?
    ) throws {
        let skipped: Set<MockFinding.Kind> = [.untyped, .orphan, .absentKeys, .unreadKeys, .shared]
        let found = try MockAuditTests.found(["Mocks/untyped.json": "[7]"], routes, skipping: skipped)
        let expected = names.map {
            "unsentArguments Mocks: warning: the requests of Misspelled are all GET without query, parameters, headers and "
                + "body, and the paths lack arguments of Misspelled.\($0). Fix: give the router's properties the names and "
                + "types of Routable, such as var method: HTTPMethod and var parameters: Parameters?, or silence the warning "
                + "with options: .init(skipping: [.unsentArguments])"
        }
        #expect(found == [expected].compactMap { $0 })
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
        let found = audit.findings.map { "\($0.kind) \($0.mock ?? "") \($0.isError ? "error" : "warning")" }
        #expect(found == ["missing gone error", "wrongRoute repos error"])
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
