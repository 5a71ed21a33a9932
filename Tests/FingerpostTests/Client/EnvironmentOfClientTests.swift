import CallSupport

@testable import Fingerpost
@testable import FingerpostMocks

/// The settings that a client takes from its environment, and how to change the environment.
@Suite(.inTurn) struct EnvironmentOfClientTests {
    private static func environment(_ name: String, _ values: Parameters = [:]) throws -> Environment {
        var all: Parameters = ["baseURL": "https://\(name.lowercased()).example.com"]
        all.append(contentsOf: values)
        return try Environment(name, values: all)
    }

    @Test func `The error of a missing base URL names the key that has it, which a client may name`() async throws {
        let transport = StubTransport(200)
        let rows = [
            "API_BASE_URL": [
                "is missing; the environment's URL is under \"API_BASE_URL\"",
                "rename that key, or set the configuration's baseURLKey to \"API_BASE_URL\"",
            ], "baseUrl": ["did you mean \"baseUrl\""],
        ]
        for (key, parts) in rows {
            let environment = try Environment("App", values: [key: "https://app.example.com", "name": "x"])
            let client = try transport.client(in: environment)
            let text = try await "\(failure(.environment) { try await client.send(Route.get("a")) })"
            #expect(parts.allSatisfy { text.contains($0) }, "\(text)")
            try await client.send(Route.get("https://h.example/x"))
            try await client.with { $0.baseURLKey = key }.send(Route.get("y"))
        }
        let urls = ["https://h.example/x", "https://app.example.com/y"]
        #expect(transport.requests.map(\.url?.absoluteString) == urls + urls)
    }

    // MARK: Another environment

    @Test func `A client with another environment shares the transport`() async throws {
        let transport = StubTransport(200, [:], #""ok""#)
        let one = try transport.client(in: Self.environment("One")) { $0.headers = ["X-App": "1"] }
        let two = one.with(environment: try Self.environment("Two"))
        for (client, path) in [(one, "a"), (two, "b"), (one, "c")] { try await client.send(Route.get("\(path)")) }
        // The new environment's base URL replaces a configured one.
        try await transport.client().with(environment: try Self.environment("Two")).send(Route.get("d"))
        let sent = (transport.requests.map { $0.url?.absoluteString }, transport.sent("X-App"))
        let urls = [
            "https://one.example.com/a", "https://two.example.com/b", "https://one.example.com/c",
            "https://two.example.com/d",
        ]
        #expect(sent == (urls, ["1", "1", "1", nil]))
        // And with its own transport, the connections.
        let client = try APIClient { $0.environment = try Self.environment("One") }
        let clients = [client, client.with(environment: try Self.environment("Two"))]
        let transports = clients.compactMap { $0.sender.selection.transport as? URLSessionTransport }
        #expect(transports.count == 2 && transports[0] === transports[1])
    }

    // MARK: Keys for the client

    private static let timeouts: [(Parameters, Duration, Duration?, String)] = [
        (["$timeout": 0.05], .seconds(600), nil, "0.05"),
        (["$timeout": 600], .milliseconds(70), .milliseconds(60), "0.06"),
        ([:], .milliseconds(70), nil, "0.07"),
        (["$timeout": 600], .seconds(600), .milliseconds(60), "0.06"),
    ]

    @Test(arguments: timeouts)
    func `The route's timeout takes precedence over the environment's, and that over the client's`(
        values: Parameters, client: Duration, route: Duration?, seconds: String
    ) async throws {
        let silent = Route { $0.timeout = route }
        let sender = try StubTransport.silent.client(in: Self.environment("One", values)) { $0.timeout = client }
        let error = try await failure(.timedOut) { try await sender.send(silent) }
        #expect(error.message == "no response arrived within \(seconds) seconds")
    }

    @Test func `An infinite timeout is limited and does not crash`() throws {
        let rows: [Parameters] = [["$timeout": 1e300], ["$timeout": Int.max], [:]]
        let timeouts = try rows.map { try Self.environment("One", $0).contents.timeout }
        #expect(timeouts == [.seconds(1_000_000_000), .seconds(1_000_000_000), nil])
    }

    // MARK: Mocks, then servers

    @Test func `With mocksThenLive, servers answer routes without a mock`() async throws {
        let transport = StubTransport(200, [:], #""live""#)
        let folder = try TemporaryFolder(["user.json": #""mocked""#, "a/b.json": #""nested""#])
        let environment = try Self.environment("One", ["$network": "mocksThenLive"])
        let client = try transport.client(in: environment) { $0.mocks = folder.url }
        let answers = [("user", "mocked"), ("a/b", "nested"), ("usr", #""live""#), (nil, #""live""#)]
        for (mock, answer) in answers {
            let route = Route { $0.mock = mock.map(MockName.init(rawValue:)) }
            let response = try await client.response(for: route, as: String.self)
            #expect(response.value == answer && (response.source == .network) == (answer == #""live""#))
        }
        try await failure(.mock) { try await client.send(Route.get("x").mock("../user")) }
        #expect(transport.requests.count == 2)
    }

    // MARK: Mocked clients

    @Test func `A mocked client has the environment Testing, or one without files, and its problems`() throws {
        let folder = try TemporaryFolder(["Live-Env.json": #"{ "baseURL": "https://live.example" }"#])
        func facts(in url: URL) throws -> String {
            let environment = try APIClient.environmentOfMocks(in: url)
            let baseURL = try environment.value("baseURL", as: String.self)
            return "\(environment.name) \(baseURL) \(environment.isSealed ? "sealed" : "open")"
        }
        var found = [try facts(in: folder["missing"]), try facts(in: folder.url)]
        let text = #"{ "baseURL": "https://t.example", "description": "Testing" }"#
        try folder.write(Data(text.utf8), to: "Testing-Env.json")
        found.append(try facts(in: folder.url))
        let invented = "Testing https://testing.invalid sealed"
        #expect(found == [invented, invented, "Testing https://t.example sealed"])
        try folder.write(Data("{".utf8), to: "Testing-Env.json")
        #expect(throws: EnvironmentError.self) { try APIClient.environmentOfMocks(in: folder.url) }
    }
}
