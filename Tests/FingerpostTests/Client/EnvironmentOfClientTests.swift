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

    @Test func `The error of a missing base URL names the key that has the URL`() async throws {
        let environment = try Environment("App", values: ["API_BASE_URL": "https://app.example.com", "name": "x"])
        let client = try StubTransport(200, [:], "{}").client(in: environment)
        let error = await #expect(throws: APIError.self) { try await client.send(Route.get("a")) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("is missing; the environment's URL is under \"API_BASE_URL\""), "\(text)")
        #expect(text.contains("rename that key, or set the configuration's baseURLKey to \"API_BASE_URL\""), "\(text)")
    }

    // MARK: Another environment

    @Test func `A client with another environment shares the transport`() async throws {
        let transport = StubTransport(200, [:], #""ok""#)
        let one = try transport.client(in: Self.environment("One")) { $0.headers = ["X-App": "1"] }
        let two = one.with(environment: try Self.environment("Two"))
        try await one.send(Route.get("a"))
        try await two.send(Route.get("b"))
        try await one.send(Route.get("c"))
        #expect(
            transport.requests.map { $0.url?.absoluteString } == [
                "https://one.example.com/a", "https://two.example.com/b", "https://one.example.com/c",
            ])
        #expect(transport.requests.allSatisfy { $0.value(forHTTPHeaderField: "X-App") == "1" })
    }

    @Test func `A client with another environment shares the connections`() throws {
        let client = try APIClient { $0.environment = try Self.environment("One") }
        let other = client.with(environment: try Self.environment("Two"))
        let transports = [client, other].compactMap { $0.sender.selection.transport as? URLSessionTransport }
        #expect(transports.count == 2 && transports[0] === transports[1])
    }

    @Test func `The new environment's base URL replaces a configured one`() async throws {
        let transport = StubTransport(200)
        let client = transport.client().with(environment: try Self.environment("Two"))
        try await client.send(Route.get("x"))
        #expect(transport.requests.first?.url?.host == "two.example.com")
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
        #expect(try Self.environment("One", ["$timeout": 1e300]).contents.timeout == .seconds(1_000_000_000))
        #expect(try Self.environment("One", ["$timeout": Int.max]).contents.timeout == .seconds(1_000_000_000))
        #expect(try Self.environment("One").contents.timeout == nil)
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

    @Test(arguments: [nil, ["Live-Env.json": #"{ "baseURL": "https://live.example" }"#]])
    func `A mocked client does without an environment Testing`(files: [String: String]?) throws {
        let folder = try TemporaryFolder(files ?? [:])
        let url = files == nil ? folder["missing"] : folder.url
        let environment = try APIClient.environmentOfMocks(in: url)
        #expect(environment.name == "Testing")
        #expect(try environment.value("baseURL", as: String.self) == "https://testing.invalid" && environment.isSealed)
    }

    @Test func `A mocked client has the environment Testing, and its problems`() throws {
        let folder = try TemporaryFolder([
            "Testing-Env.json": #"{ "baseURL": "https://t.example", "description": "Testing" }"#
        ])
        #expect(
            try APIClient.environmentOfMocks(in: folder.url).value("baseURL", as: String.self) == "https://t.example")
        try folder.write(Data("{".utf8), to: "Testing-Env.json")
        #expect(throws: EnvironmentError.self) { try APIClient.environmentOfMocks(in: folder.url) }
    }
}
