import FingerpostFiles
import FingerpostTesting
import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import Fingerpost

/// Calls in flight while another environment is chosen, and the credentials that must not follow.
@Suite(.timeLimit(.minutes(5))) struct SwitchedCallsTests {
    /// A server that knows the tokens it issued, and counts those of others.
    private final class Server: Sendable {
        let name: String
        let live: LoopbackServer
        private let foreign: Locked<[String]>
        private let answered: Locked<Int>
        /// Held until the test opens it.
        private let refreshGate: Gate

        var foreignTokens: [String] { foreign.withLock { $0 } }
        var count: Int { answered.withLock { $0 } }

        init(_ name: String, refreshGate: Gate) throws {
            let (foreign, answered) = (Locked<[String]>([]), Locked(0))
            live = try LoopbackServer { request, connection in
                let token = request["Authorization"]?.dropFirst("Bearer ".count)
                if let token, !token.hasPrefix(name) { foreign.withLock { $0.append(String(token)) } }
                if request.target.hasPrefix("/token") {
                    refreshGate.wait()
                    connection.respond(200, body: "\(name)-new")
                    return
                }
                answered.withLock { $0 += 1 }
                connection.respond(token.map { $0.hasSuffix("-new") } == true ? 200 : 401, body: name)
            }
            (self.name, self.foreign, self.answered, self.refreshGate) = (name, foreign, answered, refreshGate)
        }
    }

    /// Stops threads until it is opened.
    private final class Gate: Sendable {
        private let condition = NSCondition()
        private let isOpen = Locked(false)

        func open() {
            isOpen.withLock { $0 = true }
            condition.lock()
            condition.broadcast()
            condition.unlock()
        }

        func wait() {
            condition.lock()
            while !isOpen.withLock({ $0 }) { _ = condition.wait(until: Date().addingTimeInterval(0.1)) }
            condition.unlock()
        }
    }

    private static func process(_ servers: [Server], _ folder: TemporaryFolder) throws -> ProcessEnvironment {
        try folder.write(Data(#"{"$switchable": true}"#.utf8), to: "Environments/Base-Env.json")
        for server in servers {
            try folder.write(
                Data(#"{"baseURL": "\#(server.live.baseURL)"}"#.utf8), to: "Environments/\(server.name)-Env.json")
        }
        let usual = servers[0].name
        return ProcessEnvironment(
            name: ChosenName(file: folder["environment"]), isTestProcess: false, variables: [:]
        ) { name, secrets throws(EnvironmentError) in
            try Environment.load(name ?? usual, from: folder["Environments"], secrets: secrets)
        }
    }

    @Test func `No call and no token of one server reaches the other`() async throws {
        let (gate, open) = (Gate(), Gate())
        open.open()
        let servers = [try Server("One", refreshGate: gate), try Server("Two", refreshGate: open)]
        defer { for server in servers { server.live.stop() } }
        let folder = try TemporaryFolder()
        let process = try Self.process(servers, folder)
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
                while servers[0].count == 0 { await Task.yield() }
                while Mocks.calls.count < 101 { await Task.yield() }
                try process.choose("Two")
                for _ in 0..<100 {
                    group.addTask { ("Two", try await client.send(Route.get("name"), as: String.self)) }
                }
                while servers[1].count == 0 { await Task.yield() }
                gate.open()
                for try await result in group { #expect(result.answer == result.expected) }
            }
        }
        for server in servers { #expect(server.foreignTokens == [] && server.count >= 100) }
        #expect(stores["One"]?.token() == "One-new" && stores["Two"]?.token() == "Two-new")
        #expect(scope.close() == [])
    }

    @Test func `Credentials that belong to no environment are not sent in a chosen one`() async throws {
        let open = Gate()
        open.open()
        let servers = [try Server("One", refreshGate: open), try Server("Two", refreshGate: open)]
        defer { for server in servers { server.live.stop() } }
        let process = try Self.process(servers, try TemporaryFolder())
        var configuration = APIClient.Configuration()
        configuration.authorization = .bearer("One-new")
        configuration.headers = ["X-Api-Key": "One-key", "X-Plain": "p"]
        let scope = APIScope(network: .live)
        let client = scope.run { APIClient(unchecked: configuration, process: process) }
        try await scope.run {
            #expect(try await client.data(for: Route.get("name")) == Data("One".utf8))
            try process.choose("Two")
            let error = await #expect(throws: APIError.self) { try await client.data(for: Route.get("name")) }
            #expect(error?.kind == .status(401))
            #expect(
                error?.description.contains("without the client's credentials, which are not those of the chosen")
                    == true, "\(error as Any)")
            let required = await #expect(throws: APIError.self) {
                try await client.data(for: Route.get("name").authorization(.required))
            }
            #expect(required?.kind == .invalidRoute)
            try process.choose(nil)
            #expect(try await client.data(for: Route.get("name")) == Data("One".utf8))
        }
        #expect(servers[1].foreignTokens == [])
        let received = await servers[1].live.received(1)
        #expect(received.allSatisfy { $0["X-Api-Key"] == nil && $0["X-Plain"] == "p" })
        _ = scope.close()
    }

    @Test func `Credentials of a chosen environment that fail are asked for again`() async throws {
        let open = Gate()
        open.open()
        let servers = [try Server("One", refreshGate: open)]
        defer { servers[0].live.stop() }
        struct Refused: Error {}
        let attempts = Locked(0)
        var configuration = APIClient.Configuration()
        configuration.environment = try Environment("One", values: ["baseURL": servers[0].live.baseURL])
        configuration.authorization = .perEnvironment { environment in
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            if attempt == 1 { throw Refused() }
            return .bearer("\(environment.name)-new")
        }
        let client = try APIClient(configuration)
        let error = await #expect(throws: APIError.self) { try await client.data(for: Route.get("name")) }
        #expect(error?.underlying is Refused)
        for _ in 0..<3 { _ = try await client.data(for: Route.get("name")) }
        #expect(attempts.withLock { $0 } == 2)

        configuration.environment = nil
        let standalone = APIClient(baseURL: servers[0].live.baseURL, configuration)
        let none = await #expect(throws: APIError.self) { try await standalone.data(for: Route.get("name")) }
        #expect(none?.message.contains("the client has none") == true)
    }
}
