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

    private static func process(_ servers: [Server], _ folder: TemporaryFolder) throws -> ProcessEnvironment {
        try folder.write(Data(#"{"$switchable": true}"#.utf8), to: "Environments/Base-Env.json")
        for server in servers {
            try folder.write(
                Data(#"{"baseURL": "\#(server.live.baseURL)"}"#.utf8), to: "Environments/\(server.name)-Env.json")
        }
        let usual = servers[0].name
        return ProcessEnvironment { name, secrets, _ throws(EnvironmentError) in
            try Environment.load(name ?? usual, from: folder["Environments"], secrets: secrets)
        }
    }

    @Test func `No call and no token of one server reaches the other`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let servers = [try Server("One", refreshGate: gate), try Server("Two")]
        let process = try Self.process(servers, try TemporaryFolder())
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
        try await scope.run {
            try await withThrowingTaskGroup(of: (expected: String, answer: String).self) { group in
                for _ in 0..<100 {
                    group.addTask { ("One", try await client.send(Route.get("name"), as: String.self)) }
                }
                // A refresh of the first server is in progress, and ends after the switch.
                await poll { servers[0].count > 0 }
                await poll { Mocks.calls.count >= 101 }
                try Self.choose("Two", in: process)
                for _ in 0..<100 {
                    group.addTask { ("Two", try await client.send(Route.get("name"), as: String.self)) }
                }
                await poll { servers[1].count > 0 }
                gate.signal()
                for try await result in group { #expect(result.answer == result.expected) }
            }
        }
        for server in servers { #expect(server.foreignTokens == [] && server.count >= 100) }
        #expect(stores["One"]?.token() == "One-new" && stores["Two"]?.token() == "Two-new" && scope.close() == [])
    }

    @Test(arguments: [false, true])
    func `Credentials that belong to no environment are not sent in a chosen one`(isRefreshed: Bool) async throws {
        let servers = [try Server("One"), try Server("Two")]
        let process = try Self.process(servers, try TemporaryFolder())
        var configuration = APIClient.Configuration()
        configuration.authorization =
            isRefreshed ? .refreshing(InMemoryCredentialStore("One-new")) { _ in "One-newer" } : .bearer("One-new")
        configuration.headers = ["X-Api-Key": "One-key", "X-Plain": "p"]
        let scope = APIScope(network: .live)
        let client = scope.run { APIClient(unchecked: configuration, process: process) }
        try await scope.run {
            #expect(try await client.data(for: Route.get("name")) == Data("One".utf8))
            try Self.choose("Two", in: process)
            let error = try await failure(.status(401)) { try await client.data(for: Route.get("name")) }
            let note = "some of the client's credentials were left out, because they are not those of the chosen"
            #expect(error.description.contains(note), "\(error)")
            let route = Route.get("name").authorization(.required)
            let required = try await failure(.authorization) { try await client.data(for: route) }
            #expect(
                required.message.contains("the client's credentials are not those of the chosen environment; nothing"))
            #expect(required.fix == "give the environment its own, with Authorization.perEnvironment")
            try Self.choose(nil, in: process)
            #expect(try await client.data(for: Route.get("name")) == Data("One".utf8))
        }
        #expect(servers[1].foreignTokens == [])
        let received = await servers[1].live.received(1)
        #expect(received.allSatisfy { $0["X-Api-Key"] == nil && $0["X-Plain"] == "p" })
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
                "Environments/Base-Env.json":
                    #"{"$switchable": \#(isSwitchable), "$secrets": ["key"], "key": null, "tenant": null}"#,
                "Environments/One-Env.json": #"{"baseURL": "https://one.example", "tenant": "t1"}"#,
                "Environments/One-Secrets.json": #"{"key": "One-s3cret"}"#,
                "Environments/Two-Env.json": #"{"baseURL": "https://two.example", "tenant": "t2"}"#,
                "Environments/Two-Secrets.json": #"{"key": "Two-s3cret"}"#,
            ])
            let folder = folder
            process = ProcessEnvironment { name, secrets, _ throws(EnvironmentError) in
                try Environment.load(name ?? "One", from: folder["Environments"], secrets: secrets)
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

        /// The header of each request that was sent, with the host that it was sent to.
        func sent(_ header: String) -> [String] {
            transport.requests.map { request in
                "\(request.url?.host ?? "-") \(request.value(forHTTPHeaderField: header) ?? "-")"
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
        #expect(pair.sent("Authorization") == ["one.example Bearer One-token", "one.example -", "one.example -"])
        #expect(pair.sent("X-App") == ["one.example One-s3cret", "one.example -", "one.example -"])
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
        #expect(pair.sent("X-Api-Key") == ["two.example Two-key", "two.example -"])
        #expect(pair.sent("Authorization") == ["two.example Bearer t", "two.example Bearer Two-token"])
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
        #expect(pair.sent("X-Tenant") == ["one.example t1", "away.example -", "two.example t2"])
        #expect(pair.sent("X-Key") == ["one.example One-s3cret", "away.example -", "two.example Two-s3cret"])
        #expect(pair.sent("X-Api-Key") == ["one.example One-key", "away.example -", "two.example -"])
        #expect(pair.sent("X-Plain") == ["one.example p", "away.example p", "two.example p"])
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
        #expect(pair.sent("X-App") == ["one.example One-s3cret", "other.example -"])
        #expect(pair.sent("X-Tenant") == ["one.example t1", "other.example t1"])
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
        #expect(pair.sent("Authorization") == ["own.example Bearer One", "two.example Bearer given"])
        #expect(pair.sent("X").first == "own.example x")
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
        let two = client.with(environment: try Environment.load("Two", from: pair.folder["Environments"]))
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
        #expect(pair.sent("Authorization") == ["one.example -", "one.example Bearer One", "one.example Bearer One"])
        #expect(asked.withLock { $0 } == 3)
        let standalone = pair.transport.client { $0.authorization = .perEnvironment { .bearer($0.name) } }
        let none = try await failure { try await standalone.send(Route.get("x")) }
        #expect(none.message.contains("the client has none"))
    }
}
