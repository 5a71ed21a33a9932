import CallSupport
import FingerpostMocks

/// Routes that name no mock are answered from the mock with the name of their case.
@Suite(.inTurn) struct MockByCaseTests {
    private enum Hub: Routable {
        case ping
        case user(login: String)
        case `default`(Int)
        case `GET user`(login: String)
        case named
        case unmocked

        var path: RoutePath { "x" }
        var mock: MockName? {
            switch self {
            case .named: "another"
            case .unmocked: .unmocked
            default: nil
            }
        }
    }

    private struct ListUsers: Endpoint {
        var path: RoutePath { "users" }
    }

    private enum Paged<Item: Sendable>: Routable {
        case first(Item)

        var path: RoutePath { "x" }
    }

    private enum Switching: RouteConvertible {
        case list

        var route: Route { .get("list") }
    }

    private enum Wrapping: RouteConvertible {
        case hub(Hub)

        var route: Route {
            switch self {
            case .hub(let hub): hub.route
            }
        }
    }

    private enum Described: Routable, CustomStringConvertible {
        case user

        var path: RoutePath { "x" }
        var description: String { "a description" }
    }

    private enum Mirrored: Routable, CustomReflectable {
        case user(Int)

        var path: RoutePath { "x" }
        var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// A client that answers from these files, and a transport that fails the test.
    private static func client(
        _ files: [String: String], network: String = "sealed",
        transport: any Transport = StubTransport { request, _ in
            Issue.record("sent \(request)")
            return (200, [:], "{}")
        }
    ) throws -> (client: APIClient, folder: TemporaryFolder) {
        let folder = try TemporaryFolder(files)
        var configuration = APIClient.Configuration()
        configuration.environment = try Environment(
            "Testing", values: ["baseURL": "https://api.test.invalid", "$network": network])
        configuration.mocks = folder.url
        configuration.transport = transport
        return (try APIClient(configuration), folder)
    }

    private static let found: [(any RouteConvertible, String)] = [
        (Hub.ping, "ping.json"),
        (Hub.user(login: "octocat"), "user.json"),
        (Hub.user(login: "octocat"), "Hub/user.json"),
        (Hub.default(1), "default.json"),
        (Hub.`GET user`(login: "octocat"), "GET user.json"),
        (Hub.`GET user`(login: "octocat"), "Hub/GET user.json"),
        (Hub.named, "another.json"),
        (ListUsers(), "ListUsers.json"),
        (Paged.first(1), "Paged/first.json"),
        (Switching.list, "Switching/list.json"),
        (Switching.list, "list.json"),
        (Wrapping.hub(.ping), "Hub/ping.json"),
        (Hub.user(login: "octocat").header("X-A", "1"), "Hub/user.json"),
        (Hub.user(login: "octocat").route.header("X-A", "1"), "Hub/user.json"),
        (Switching.list.header("X-A", "1"), "Switching/list.json"),
        (Switching.list.query("page", 2).timeout(.seconds(9)), "list.json"),
        (Wrapping.hub(.ping).header("X-A", "1"), "Hub/ping.json"),
        (Route(of: Switching.list), "list.json"),
    ]

    @Test(arguments: found)
    func `The mock has the name of the case`(route: any RouteConvertible, file: String) async throws {
        let (client, folder) = try Self.client([file: #""the answer""#, "other.json": "1"])
        let response = try await client.response(for: route, as: String.self)
        #expect(response.value == "the answer")
        #expect(response.source == .mock(folder[file]))
    }

    @Test func `The router's folder comes first, even if it has only a variant`() async throws {
        let (client, folder) = try Self.client([
            "user.json": "1", "Hub/user.json": "2", "ping.json": "1", "Hub/ping.404.json": "2",
        ])
        #expect(
            try await client.response(for: Hub.user(login: "x"), as: Int.self).source == .mock(folder["Hub/user.json"]))
        let error = await #expect(throws: APIError.self) { try await client.data(for: Hub.ping) }
        #expect(error?.message.contains(#"the mock "Hub/ping" in"#) == true)
    }

    @Test func `Answers set in code and variants apply to the name of the case`() async throws {
        let (client, folder) = try Self.client(["user.json": "1", "user.locked.json": "2"])
        try await APIScope(variants: ["user": "locked"]).run {
            #expect(try await client.send(Hub.user(login: "x"), as: Int.self) == 2)
            Mocks.set("user", .json(3))
            #expect(try await client.send(Hub.user(login: "x"), as: Int.self) == 3)
            Mocks.set("Hub/user", .json(4))
            #expect(try await client.send(Hub.user(login: "x"), as: Int.self) == 4)
            Mocks.set("ping", .status(204))
            try await client.send(Hub.ping)
            #expect(Mocks.calls.map(\.name) == ["user", "user", "Hub/user", "ping"])
            #expect(Mocks.calls(of: "user").count == 2)
        }
        withExtendedLifetime(folder) {}
    }

    private static let recording =
        #"{"for": "GET /x", "recorded": {"at": "2026-01-01T00:00:00Z", "by": "App.Hub/pong"}}"#

    @Test(arguments: [
        (
            ["pong.json": "1", "pong.mock.json": recording, "pong.404.json": "2"],
            "pong.json to ping.json, pong.404.json to ping.404.json, pong.mock.json to ping.mock.json"
        ),
        (
            ["Hub/pong.json": "1", "Hub/pong.mock.json": recording],
            "Hub/pong.json to Hub/ping.json, Hub/pong.mock.json to Hub/ping.mock.json"
        ),
        (["pong.json": "1", "pong.mock.json": recording, "p.json": "1", "p.mock.json": recording], nil),
        (["pong.json": "1", "pong.mock.json": recording.replacingOccurrences(of: "GET", with: "PUT")], nil),
    ])
    func `The error for a missing mock names the recording of a renamed case`(
        files: [String: String], renaming: String?
    ) async throws {
        let (client, folder) = try Self.client(files)
        let error = await #expect(throws: APIError.self) { try await client.data(for: Hub.ping) }
        let (message, fix) = (folder.relative(error?.message ?? ""), folder.relative(error?.fix ?? ""))
        guard let renaming else {
            #expect(!message.contains("recorded by") && fix.hasPrefix("add "))
            return
        }
        let file = renaming.prefix { $0 != " " }
        #expect(message.contains("; \(file) was recorded by App.Hub/pong for the same GET /x. "), "\(message)")
        let start = "if App.Hub/pong has this name now, rename "
        let plain = fix.replacingOccurrences(of: folder.url.path + "/", with: "")
        #expect(plain.hasPrefix("\(start)\(renaming); otherwise add "), "\(fix)")
    }

    @Test func `The error for a missing mock names both files`() async throws {
        let (client, folder) = try Self.client(["other.json": "1"])
        let error = await #expect(throws: APIError.self) { try await client.data(for: Hub.user(login: "x")) }
        let place = folder.url.path
        #expect(error?.fix == "add \(place)/user.json or \(place)/Hub/user.json, or set the route's mock")
    }

    @Test(arguments: [
        (["Hub/usr.json": "1"], "/Hub/usr.json to Hub/user.json; otherwise add "),
        (["Hob/user.json": "1"], "/Hob/user.json to /Hub/user.json; otherwise add "),
        (["usr.json": "1", "user.404.json": "{}"], "/usr.json to user.json; otherwise add "),
        (["user.json.json": "1"], "/user.json.json to user.json"), (["user.JSON": "1"], "/user.JSON to user.json; "),
    ])
    func `The error for a missing mock says which file to rename`(files: [String: String], renaming: String)
        async throws
    {
        let (client, folder) = try Self.client(files)
        let error = await #expect(throws: APIError.self) { try await client.data(for: Hub.user(login: "x")) }
        let fix = (error?.fix ?? "").replacingOccurrences(of: folder.url.path, with: "")
        #expect(fix.hasPrefix("rename \(renaming)"), "\(fix)")
    }

    @Test func `The error for a mock with invalid settings says the fix once`() async throws {
        let (client, folder) = try Self.client(["user.json": "1", "user.mock.json": #"{"stauts": 404}"#])
        let error = await #expect(throws: APIError.self) { try await client.data(for: Hub.user(login: "x")) }
        #expect(
            error?.message.hasSuffix(#"unknown key "stauts" in the settings of a mock (did you mean "status"?)"#)
                == true)
        #expect(error?.fix?.hasPrefix("use one of ") == true)
        withExtendedLifetime(folder) {}
    }

    @Test func `The error for the route of a case tells how to keep the name of the case`() async throws {
        let (client, folder) = try Self.client(["list.json": "1"])
        let error = await #expect(throws: APIError.self) {
            try await client.data(for: Switching.list.route.header("X-A", "1"))
        }
        #expect(
            error?.fix?.hasSuffix(
                "; if a router's case made the route, change the case and not its `route`: Tasks.list.header(…) "
                    + "instead of Tasks.list.route.header(…)") == true, "\(error?.fix ?? "")")
        let unmocked = await #expect(throws: APIError.self) { try await client.data(for: Hub.unmocked) }
        #expect(unmocked?.fix?.hasSuffix("without .json") == true)
        withExtendedLifetime(folder) {}
    }

    private static let nameless: [any RouteConvertible] = [
        Hub.unmocked, Route.get("x"), Route.get("x").mock(.unmocked),
    ]

    @Test(arguments: nameless)
    func `A route without a mock fails`(route: any RouteConvertible) async throws {
        let (client, folder) = try Self.client(["unmocked.json": "1", "Hub/unmocked.json": "1"])
        let error = await #expect(throws: APIError.self) { try await client.data(for: route) }
        #expect(error?.kind == .mock)
        #expect(error?.message.contains("has no mock") == true)
        withExtendedLifetime(folder) {}
    }

    private static let unreadable: [(any RouteConvertible, String)] = [
        (Described.user, "Described"), (Mirrored.user(1), "Mirrored"),
    ]

    @Test(arguments: unreadable)
    func `A router that hides its cases has to name its mocks`(
        route: any RouteConvertible, router: String
    ) async throws {
        let (client, folder) = try Self.client(["user.json": "1"])
        let error = await #expect(throws: APIError.self) { try await client.data(for: route) }
        #expect(error?.kind == .mock)
        #expect(error?.message.contains("\(router) has to name its mocks") == true)
        #expect(error?.fix?.contains("implement `mock` in \(router)") == true)
        withExtendedLifetime(folder) {}
    }

    @Test func `A live call never looks for the name of its case`() async throws {
        let network = StubTransport { _, _ in (200, [:], "7") }
        let (client, folder) = try Self.client([:], network: "live", transport: network)
        #expect(try await client.send(Counted.user, as: Int.self) == 7)
        #expect(Counted.reads.withLock { $0 } == 0)
        withExtendedLifetime(folder) {}
    }

    /// Counts how often its mirror is read.
    private enum Counted: Routable, CustomReflectable {
        case user

        static let reads = Locked(0)

        var path: RoutePath { "x" }
        var customMirror: Mirror {
            Self.reads.withLock { $0 += 1 }
            return Mirror(self, children: [])
        }
    }

    @Test func `The description of unmocked is its name`() {
        #expect("\(MockName.unmocked)" == "unmocked")
        #expect(MockName.unmocked != "unmocked")
        #expect(Set([MockName.unmocked, "unmocked"]).count == 2)
    }
}
