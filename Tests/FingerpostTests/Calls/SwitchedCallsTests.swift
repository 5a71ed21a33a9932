import CallSupport
import FingerpostStreams
import FingerpostTesting

@testable import Fingerpost
@testable import FingerpostSwitching

/// Calls in flight while another environment is chosen, and the credentials that must not follow.
@Suite(.inTurn, .concurrent) struct SwitchedCallsTests {
    /// Chooses another environment, and keeps nothing for the next launch.
    fileprivate static func choose(_ name: String?, in process: ProcessEnvironment) throws {
        let kept = StoredChoice(read: { nil }, write: { _ in })
        let rules = SwitchRules(name: kept, isTestProcess: false, variables: [:])
        try EnvironmentSwitch(of: process, by: rules).choose(name)
    }

    /// A server that knows the tokens it issued, and counts those of others.
    private final class Server: Sendable {
        let name: String
        let live: LoopbackServer
        private let foreign: Locked<[String]>
        private let answered: Locked<Int>
        /// Held until the test opens it.
        private let refreshGate: DispatchSemaphore

        var foreignTokens: [String] { foreign.withLock { $0 } }
        var count: Int { answered.withLock { $0 } }

        init(_ name: String, refreshGate: DispatchSemaphore = DispatchSemaphore(value: 1)) throws {
            let (foreign, answered) = (Locked<[String]>([]), Locked(0))
            live = try LoopbackServer { request, connection in
                let token = request["Authorization"]?.dropFirst("Bearer ".count)
                if let token, !token.hasPrefix(name) { foreign.withLock { $0.append(String(token)) } }
                if request.target.hasPrefix("/token") {
                    refreshGate.wait()
                    refreshGate.signal()
                    connection.respond(200, body: "\(name)-new")
                    return
                }
                answered.withLock { $0 += 1 }
                connection.respond(token.map { $0.hasSuffix("-new") } == true ? 200 : 401, body: name)
            }
            (self.name, self.foreign, self.answered, self.refreshGate) = (name, foreign, answered, refreshGate)
        }
    }

    private static func process(_ servers: [Server]) throws -> ProcessEnvironment {
        var files = ["Base-Env.json": #"{"$switchable": true}"#]
        for server in servers { files["\(server.name)-Env.json"] = #"{"baseURL": "\#(server.live.baseURL)"}"# }
        let (folder, usual) = (try TemporaryFolder(files), servers[0].name)
        return ProcessEnvironment { name, secrets, _ throws(EnvironmentError) in
            try Environment.load(name ?? usual, from: folder.url, secrets: secrets)
        }
    }

    @Test func `No call and no token of one server reaches the other`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let servers = [try Server("One", refreshGate: gate), try Server("Two")]
        let process = try Self.process(servers)
        let box = Locked<APIClient?>(nil)
        let stores = ["One": InMemoryCredentialStore("One-old"), "Two": InMemoryCredentialStore("Two-old")]
        var configuration = APIClient.Configuration()
        configuration.timeout = .seconds(120)
        configuration.authorization = .perEnvironment { environment in
            stores[environment.name].map { store in
                .refreshing(store) { _ in
                    let client = try #require(box.withLock { $0 })
                    return try await client.send(Route.post("token"), as: String.self)
                }
            }
        }
        let scope = APIScope(network: .live)
        let client = scope.run { APIClient(unchecked: configuration, process: process) }
        box.withLock { $0 = client }
        let answers = try await scope.run {
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<100 {
                    group.addTask { "One: \(try await client.send(Route.get("name"), as: String.self))" }
                }
                // A refresh of the first server is in progress, and ends after the switch.
                await poll { servers[0].count > 0 }
                await poll { Mocks.calls.count >= 101 }
                try Self.choose("Two", in: process)
                for _ in 0..<100 {
                    group.addTask { "Two: \(try await client.send(Route.get("name"), as: String.self))" }
                }
                await poll { servers[1].count > 0 }
                gate.signal()
                return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
            }
        }
        let tokens = (servers.map(\.foreignTokens), ["One", "Two"].map { stores[$0]?.token() })
        #expect(
            (answers, tokens.0, tokens.1) == (["One: One": 100, "Two: Two": 100], [[], []], ["One-new", "Two-new"]))
        #expect(servers.allSatisfy { $0.count >= 100 } && scope.close() == [])
    }

    @Test(arguments: [false, true])
    func `Credentials that belong to no environment are not sent in a chosen one`(isRefreshed: Bool) async throws {
        let servers = [try Server("One"), try Server("Two")]
        let process = try Self.process(servers)
        var configuration = APIClient.Configuration()
        configuration.authorization =
            isRefreshed ? .refreshing(InMemoryCredentialStore("One-new")) { _ in "One-newer" } : .bearer("One-new")
        configuration.headers = ["X-Api-Key": "One-key", "X-Plain": "p"]
        let scope = APIScope(network: .live)
        let client = scope.run { APIClient(unchecked: configuration, process: process) }
        let route = Route.get("name")
        try await scope.run {
            var answers = [try await client.send(route, as: String.self)]
            try Self.choose("Two", in: process)
            let error = try await failure(.status(401)) { try await client.send(route) }
            let required = try await failure(.authorization) { try await client.send(route.authorization(.required)) }
            try Self.choose(nil, in: process)
            answers.append(try await client.send(route, as: String.self))
            let note = "some of the client's credentials were left out, because they are not those of the chosen"
            let reason = "the client's credentials are not those of the chosen environment; nothing"
            let areNamed = error.description.contains(note) && required.message.contains(reason)
            let fix = "give the environment its own, with Authorization.perEnvironment"
            #expect((answers, areNamed, required.fix) == (["One", "One"], true, fix), "\(error) \(required)")
        }
        let received = await servers[1].live.received(1).map { [$0["X-Api-Key"], $0["X-Plain"]] }
        #expect((servers[1].foreignTokens, received) == ([], [[nil, "p"]]))
        _ = scope.close()
    }

    // MARK: Without servers

    /// Two environments that may be left, and what a transport was sent.
    private struct Pair {
        let folder: TemporaryFolder
        let process: ProcessEnvironment
        let transport: StubTransport
        let scope = APIScope(network: .live)

        init(
            isSwitchable: Bool = true,
            _ respond: @escaping @Sendable (URLRequest, Int) -> (Int, HTTPHeaders, String) = { _, _ in (200, [:], "[]")
            }
        ) throws {
            folder = try TemporaryFolder([
                "Base-Env.json":
                    #"{"$switchable": \#(isSwitchable), "$secrets": ["key"], "key": null, "tenant": null}"#,
                "One-Env.json": #"{"baseURL": "https://one.example", "tenant": "t1"}"#,
                "One-Secrets.json": #"{"key": "One-s3cret"}"#,
                "Two-Env.json": #"{"baseURL": "https://two.example", "tenant": "t2"}"#,
                "Two-Secrets.json": #"{"key": "Two-s3cret"}"#,
            ])
            let folder = folder
            process = ProcessEnvironment { name, secrets, _ throws(EnvironmentError) in
                try Environment.load(name ?? "One", from: folder.url, secrets: secrets)
            }
            transport = StubTransport { request, index in respond(request, index) }
        }

        /// Runs work in the scope of the clients, and closes it.
        func run(_ work: () async throws -> Void) async throws {
            try await scope.run(work)
            _ = scope.close()
        }

        func client(_ configure: (inout APIClient.Configuration) -> Void) -> APIClient {
            var configuration = APIClient.Configuration()
            configuration.transport = transport
            configure(&configuration)
            return scope.run { APIClient(unchecked: configuration, process: process) }
        }

        /// The host that each request was sent to, and the values of headers.
        func sent(_ headers: String...) -> [String] {
            transport.requests.map { request in
                let values = [request.url?.host] + headers.map { request.value(forHTTPHeaderField: $0) }
                return values.map { $0 ?? "-" }.joined(separator: ", ")
            }
        }
    }

    @Test func `The next page of a server that was left gets no credentials`() async throws {
        let pair = try Pair { _, _ in (200, ["Link": #"</x?page=2>; rel="next""#], "[1]") }
        let client = pair.client { $0.authorization = .perEnvironment { .bearer("\($0.name)-token") } }
        try await pair.run {
            let route = Route.get("x").header("X-App", environment: "key").authorization(.required)
            let pages = client.pages(route, as: [Int].self)
            var iterator = pages.makeAsyncIterator()
            let first = try #require(try await iterator.next())
            try Self.choose("Two", in: pair.process)
            _ = try await pages.page(after: first)
            _ = try await iterator.next()
        }
        #expect(
            pair.sent("Authorization", "X-App") == [
                "one.example, Bearer One-token, One-s3cret", "one.example, -, -", "one.example, -, -",
            ])
    }

    @Test func `Several credentials of one environment are sent in it, and the others left out`() async throws {
        let pair = try Pair()
        let own = pair.client {
            $0.authorization = .perEnvironment { environment in
                .combined(.custom(header: "X-Api-Key", value: "\(environment.name)-key"), .bearer("t"))
            }
        }
        let mixed = pair.client {
            $0.authorization = .combined(
                .custom(header: "X-Api-Key", value: "One-key"), .perEnvironment { .bearer("\($0.name)-token") })
        }
        try await pair.run {
            try Self.choose("Two", in: pair.process)
            for client in [own, mixed] { try await client.send(Route.get("x")) }
        }
        #expect(
            pair.sent("X-Api-Key", "Authorization") == [
                "two.example, Two-key, Bearer t", "two.example, -, Bearer Two-token",
            ])
    }

    @Test func `Headers of the client that name keys have the values of the chosen environment`() async throws {
        let pair = try Pair()
        let client = pair.client {
            $0.headers = ["X-Plain": "p", "X-Api-Key": "One-key"]
            $0.headers.add("X-Tenant", environment: "tenant")
            $0.headers.add("X-Key", environment: "key")
            $0.configure = { request, route in
                guard route.path == "away" else { return }
                request.url = URL(string: "https://away.example/x")
            }
        }
        try await pair.run {
            try await client.send(Route.get("x"))
            try await client.send(Route.get("away"))
            try Self.choose("Two", in: pair.process)
            try await client.send(Route.get("x"))
        }
        #expect(
            pair.sent("X-Tenant", "X-Key", "X-Api-Key", "X-Plain") == [
                "one.example, t1, One-s3cret, One-key, p", "away.example, -, -, -, p",
                "two.example, t2, Two-s3cret, -, p",
            ])
    }

    @Test func `A secret under an ordinary name follows no redirect to another origin`() async throws {
        let pair = try Pair { request, _ in
            request.url?.host == "one.example" ? (302, ["Location": "https://other.example/y"], "") : (200, [:], "")
        }
        let client = pair.client { _ in }
        try await pair.run {
            try await client.send(
                Route.get("x").header("X-App", environment: "key").header("X-Tenant", environment: "tenant"))
        }
        #expect(pair.sent("X-App", "X-Tenant") == ["one.example, One-s3cret, t1", "other.example, -, t1"])
    }

    @Test func `A client with its own environment or base URL keeps its server and credentials`() async throws {
        let pair = try Pair()
        let based = pair.client {
            $0.baseURL = URL(string: "https://own.example")
            $0.authorization = .combined(.custom(header: "X", value: "x"), .perEnvironment { .bearer($0.name) })
        }
        try Self.choose("Two", in: pair.process)
        let current = try pair.process.get()
        let given = pair.client {
            $0.environment = current
            $0.authorization = .bearer("given")
        }
        try await pair.run { for client in [based, given] { try await client.send(Route.get("x")) } }
        #expect(pair.sent("Authorization", "X") == ["own.example, Bearer One, x", "two.example, Bearer given, -"])
    }

    @Test func `A refresh goes to the environment of its client, also in an app that does not switch`() async throws {
        let pair = try Pair(isSwitchable: false) { request, _ in
            if request.url?.path == "/token" { return (200, [:], "Two-new") }
            return (request.value(forHTTPHeaderField: "Authorization") == "Bearer Two-new" ? 200 : 401, [:], "")
        }
        let box = Locked<APIClient?>(nil)
        let client = pair.client {
            $0.authorization = .perEnvironment { environment in
                .refreshing(InMemoryCredentialStore("\(environment.name)-old")) { _ in
                    try await #require(box.withLock { $0 }).send(Route.post("token"), as: String.self)
                }
            }
        }
        box.withLock { $0 = client }
        let two = client.with(environment: try Environment.load("Two", from: pair.folder.url))
        try await pair.run { try await two.send(Route.get("x")) }
        #expect(Set(pair.transport.requests.compactMap { $0.url?.host }) == ["two.example"])
    }

    @Test func `Credentials of an environment that fail, or are none yet, are asked for again`() async throws {
        struct Refused: Error {}
        let pair = try Pair()
        let asked = Locked(0)
        let client = pair.client {
            $0.authorization = .perEnvironment { environment in
                switch asked.next() {
                case 1: throw Refused()
                case 2: nil
                default: .bearer(environment.name)
                }
            }
        }
        try await pair.run {
            #expect(try await failure { try await client.send(Route.get("x")) }.underlying is Refused)
            for _ in 0..<3 { try await client.send(Route.get("x")) }
        }
        let lines = ["one.example, -", "one.example, Bearer One", "one.example, Bearer One"]
        #expect((pair.sent("Authorization"), asked.withLock { $0 }) == (lines, 3))
        let standalone = pair.transport.client { $0.authorization = .perEnvironment { .bearer($0.name) } }
        let none = try await failure { try await standalone.send(Route.get("x")) }
        #expect(none.message.contains("the client has none"))
    }
}
