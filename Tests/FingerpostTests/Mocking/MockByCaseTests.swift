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
        transport: StubTransport = StubTransport { request, _ in
            Issue.record("sent \(request)")
            return (200, [:], "{}")
        }
    ) throws -> (client: APIClient, folder: TemporaryFolder) {
        let folder = try TemporaryFolder(files)
        let environment = try Environment(
            "Testing", values: ["baseURL": "https://api.test.invalid", "$network": network])
        return (try transport.client(in: environment) { $0.mocks = folder.url }, folder)
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
        #expect((response.value, response.source) == ("the answer", .mock(folder[file])))
    }

    @Test func `The router's folder comes first, even if it has only a variant`() async throws {
        let (client, folder) = try Self.client([
            "user.json": "1", "Hub/user.json": "2", "ping.json": "1", "Hub/ping.404.json": "2",
        ])
        let source = try await client.response(for: Hub.user(login: "x"), as: Int.self).source
        let error = try await failure { try await client.data(for: Hub.ping) }
        let isNamed = error.message.contains(#"the mock "Hub/ping" in"#)
        #expect((source, isNamed) == (.mock(folder["Hub/user.json"]), true), "\(error)")
    }

    @Test func `Answers set in code and variants apply to the name of the case`() async throws {
        let (client, folder) = try Self.client(["user.json": "1", "user.locked.json": "2"])
        try await APIScope(variants: ["user": "locked"]).run {
            var numbers = [try await client.send(Hub.user(login: "x"), as: Int.self)]
            for (number, name) in [(3, "user"), (4, "Hub/user")] as [(Int, MockName)] {
                Mocks.set(name, .json(number))
                numbers.append(try await client.send(Hub.user(login: "x"), as: Int.self))
            }
            Mocks.set("ping", .status(204))
            try await client.send(Hub.ping)
            let seen = (numbers, Mocks.calls.map(\.name), Mocks.calls(of: "user").count)
            #expect(seen == ([2, 3, 4], ["user", "user", "Hub/user", "ping"], 2))
        }
        withExtendedLifetime(folder) {}
    }

    // MARK: Errors

    /// The message and the fix of the error for a route that these files do not answer, with paths below their folder.
    private static func refusal(of route: any RouteConvertible, _ files: [String: String]) async throws -> String {
        let (client, folder) = try client(files)
        let error = try await failure(.mock) { try await client.data(for: route) }
        return "\(error.message) Fix: \(error.fix ?? "")".replacingOccurrences(of: folder.url.path + "/", with: "")
    }

    private static let recording =
        #"{"for": "GET /x", "recorded": {"at": "2026-01-01T00:00:00Z", "by": "App.Hub/pong"}}"#

    /// Each with the files to rename, if the recording is named.
    private static let recorded: [([String: String], renaming: String?)] = [
        (
            ["pong.json": "1", "pong.mock.json": recording, "pong.404.json": "2"],
            "pong.json to ping.json, and its other files in the same way"
        ),
        (
            ["Hub/pong.json": "1", "Hub/pong.mock.json": recording],
            "Hub/pong.json to Hub/ping.json, and its other files in the same way"
        ),
        (["pong.json": "1", "pong.mock.json": recording, "p.json": "1", "p.mock.json": recording], nil),
        (["pong.json": "1", "pong.mock.json": recording.replacing("GET", with: "PUT")], nil),
    ]

    @Test(arguments: recorded)
    func `The error for a missing mock names the recording of a renamed case`(
        files: [String: String], renaming: String?
    ) async throws {
        let refusal = try await Self.refusal(of: Hub.ping, files)
        let file = renaming?.prefix { $0 != " " }
        let words = file.map { "; \($0) was recorded by App.Hub/pong for the same GET /x. " } ?? "recorded by"
        let fix = renaming.map { "if App.Hub/pong has this name now, rename \($0); otherwise add " } ?? "add "
        #expect((refusal.contains(words), refusal.contains(" Fix: \(fix)")) == (renaming != nil, true), "\(refusal)")
    }

    /// Each with a part of the message, and one of the fix.
    private static let wrong: [(any RouteConvertible, files: [String: String], message: String, fix: String)] = [
        // Missing mocks.
        (Hub.user(login: "x"), ["other.json": "1"], "", "Fix: add user.json or Hub/user.json, or set the route's mock"),
        (Hub.user(login: "x"), ["Hub/usr.json": "1"], "", "Fix: rename Hub/usr.json to Hub/user.json; otherwise add "),
        (
            Hub.user(login: "x"), ["Hob/user.json": "1"], "",
            "Fix: rename Hob/user.json to Hub/user.json; otherwise add "
        ),
        (
            Hub.user(login: "x"), ["usr.json": "1", "user.404.json": "{}"], "",
            "Fix: rename usr.json to user.json; otherwise add "
        ),
        (Hub.user(login: "x"), ["user.json.json": "1"], "", "Fix: rename user.json.json to user.json"),
        (Hub.user(login: "x"), ["user.JSON": "1"], "", "Fix: rename user.JSON to user.json; "),
        (
            Hub.user(login: "x"), ["user.json": "1", "user.mock.json": #"{"stauts": 404}"#],
            #"unknown key "stauts" in the settings of a mock (did you mean "status"?)"#, "use one of "
        ),
        (
            Switching.list.route.header("X-A", "1"), ["list.json": "1"], "has no mock",
            "; if a router's case made the route, change the case and not its `route`: Tasks.list.header(…) "
                + "instead of Tasks.list.route.header(…)"
        ),
        (Hub.unmocked, ["unmocked.json": "1", "Hub/unmocked.json": "1"], "has no mock", "without .json"),
        (Route.get("x"), ["x.json": "1"], "has no mock", ""), (Route.get("x").mock(.unmocked), [:], "has no mock", ""),
        // Routers that hide their cases.
        (Described.user, ["user.json": "1"], "Described has to name its mocks", "implement `mock` in Described"),
        (Mirrored.user(1), ["user.json": "1"], "Mirrored has to name its mocks", "implement `mock` in Mirrored"),
    ]

    @Test(arguments: wrong)
    func `The error for a mock that is missing or cannot be used says why, with a fix`(
        route: any RouteConvertible, files: [String: String], message: String, fix: String
    ) async throws {
        let refusal = try await Self.refusal(of: route, files)
        let isNamed = [message, fix].allSatisfy { $0.isEmpty || refusal.contains($0) }
        #expect(isNamed, "\(refusal)")
    }

    // MARK: Live

    @Test func `A live call never looks for the name of its case`() async throws {
        let network = StubTransport { _, _ in (200, [:], "7") }
        let (client, folder) = try Self.client([:], network: "live", transport: network)
        let outcome = try await (client.send(Counted.user, as: Int.self), Counted.reads.withLock { $0 })
        #expect(outcome == (7, 0))
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
}
