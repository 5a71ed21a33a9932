import CallSupport
import FingerpostCallbacks
import FingerpostCatalog
import FingerpostMocks
import FingerpostTransfers

@testable import Fingerpost

/// Every kind of call under a sealed environment: whatever the code around it, no transport is asked to send.
@Suite(.inTurn, .withAndWithoutStrictParser) struct SealedCallsTests {
    private struct UserEndpoint: Endpoint {
        typealias Response = User
        var path: RoutePath { "users/octocat" }
        var mock: MockName? { "user" }
    }

    /// Sends each request twice, first to another server.
    private static let twice = ClosureMiddleware { request, _, next in
        var other = request
        other.url = URL(string: "https://elsewhere.example.com/x")
        _ = try await next(other)
        return try await next(request)
    }

    private static let route = Route.get("users/octocat").mock("user")
    private static let catalog = #"{ "host": "api.example.com", "User": { "path": "/users/{login}", "mock": "user" } }"#

    private typealias Call = @Sendable (APIClient, URL) async throws -> Void

    /// The last three have no mock, so they fail.
    private static let calls: [(name: String, hasMock: Bool, call: Call)] = [
        ("send", true, { client, _ in _ = try await client.send(route, as: User.self) }),
        ("send without a value", true, { client, _ in try await client.send(route) }),
        ("an endpoint", true, { client, _ in _ = try await client.send(UserEndpoint()) }),
        ("data", true, { client, _ in _ = try await client.data(for: route) }),
        ("response", true, { client, _ in _ = try await client.response(for: route, as: User.self) }),
        ("post", true, { client, _ in try await client.send(Route.post("users").json(["a": 1]).mock("user")) }),
        (
            "an absolute URL", true,
            { client, _ in try await client.send(Route.get("https://other.example.com/x").mock("user")) }
        ),
        ("download", true, { client, file in try await client.download(route, to: file) }),
        (
            "catalog", true,
            { client, _ in
                let catalog = try EndpointCatalog(data: Data(catalog.utf8))
                try await client.send(try catalog.route("User", ["login": "octocat"]))
            }
        ),
        (
            "callback", true,
            { client, _ in
                let result = await withCheckedContinuation { continuation in
                    client.request(route, as: User.self, on: .global()) { continuation.resume(returning: $0) }
                }
                _ = try result.get()
            }
        ),
        (
            "blocking", true,
            { client, _ in
                let result = await withCheckedContinuation { continuation in
                    Thread { continuation.resume(returning: Result { try client.blocking.send(route) }) }.start()
                }
                _ = try result.get()
            }
        ),
        (
            "a raw request", false,
            { client, _ in
                let url = try #require(URL(string: "https://api.example.com/x"))
                _ = try await client.response(for: URLRequest(url: url))
            }
        ),
        ("a route without a mock", false, { client, _ in try await client.send(Route.get("x")) }),
        ("a missing mock", false, { client, _ in try await client.send(Route.get("x").mock("usr")) }),
    ]

    private enum Place: CaseIterable, Sendable {
        case task, detached, group, queue

        func run(_ work: @escaping @Sendable () async -> Void) async {
            switch self {
            case .task: await work()
            case .detached: await Task.detached { await work() }.value
            case .group: await withTaskGroup(of: Void.self) { $0.addTask { await work() } }
            case .queue:
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().async {
                        Task {
                            await work()
                            continuation.resume()
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: calls.indices) func `No transport is asked to send`(index: Int) async throws {
        let (name, hasMock, call) = Self.calls[index]
        let folder = try TemporaryFolder(["Mocks/user.json": #"{"login": "octocat"}"#])
        let transport = StubTransport { _, _ in throw URLError(.notConnectedToInternet) }
        let environment = try Environment("Testing", values: ["baseURL": "https://api.example.com"])
        for middleware in [[], [Self.twice]] {
            let client = try APIClient {
                $0.environment = environment
                $0.mocks = folder["Mocks"]
                $0.transport = transport
                $0.middleware = middleware
                $0.authorization = .bearer("token")
            }
            for place in Place.allCases {
                await place.run {
                    let error = await errorIfAny { try await call(client, folder["download-\(place)"]) }
                    #expect(error?.kind == (hasMock ? nil : .mock), "\(name), \(place): \(error as Any)")
                }
            }
        }
        #expect(transport.requests.isEmpty)
    }
}
