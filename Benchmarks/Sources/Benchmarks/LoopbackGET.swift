import Fingerpost
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Benchmark {
    /// Gets 1 KB of JSON over a kept-alive connection, compared with a bare `URLSession`. The targets are those of Linux,
    /// where events and starts of tasks have queues of their own.
    static func loopbackGET() throws -> Benchmark {
        let (bare, ours) = try loopback()
        return Benchmark("loopback-get", target: 1.15, note: note) { count in
            for _ in 0..<count { try await bare() }
        } ours: { count in
            for _ in 0..<count { try await ours() }
        }
    }

    /// The same with 32 requests at once, of which both versions have six in progress.
    static func loopbackGETs() throws -> Benchmark {
        let (bare, ours) = try loopback()
        return Benchmark("loopback-32-gets", target: 1.35, note: note) { count in
            for _ in 0..<count { try await together(bare) }
        } ours: { count in
            for _ in 0..<count { try await together(ours) }
        }
    }

    /// The same without a limit: both versions have 32 in progress.
    static func loopbackGETsWithoutLimit() throws -> Benchmark {
        let (bare, ours) = try loopback(connections: 32)
        return Benchmark("loopback-32-unlimited", target: 1.35, note: note) { count in
            for _ in 0..<count { try await together(bare) }
        } ours: { count in
            for _ in 0..<count { try await together(ours) }
        }
    }

    private static func together(_ call: @escaping Call) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<32 { group.addTask(operation: call) }
            try await group.waitForAll()
        }
    }

    /// A cache is what a user's session has. Ours has none, because on Linux a cache can crash the process.
    private static let note = "the bare session looks into its URLCache"

    private typealias Call = @Sendable () async throws -> Void

    /// - Parameter connections: how many connections a session has to the server; nil for Foundation's number.
    private static func loopback(connections: Int? = nil) throws -> (bare: Call, ours: Call) {
        let body = "{\"text\":\"" + String(repeating: "x", count: 1011) + "\"}"
        let server = try SocketResponder(body: body, contentType: "application/json", reading: .none)
        let url = URL(string: "http://127.0.0.1:\(server.port)/v1/items")!

        @Sendable func limited(_ sessionConfiguration: URLSessionConfiguration) -> URLSessionConfiguration {
            if let connections { sessionConfiguration.httpMaximumConnectionsPerHost = connections }
            return sessionConfiguration
        }
        let session = URLSession(configuration: limited(.ephemeral))
        var configuration = ClientConfiguration()
        if connections != nil { configuration.maximumCallsPerHost = nil }
        configuration.transport = URLSessionTransport { limited(URLSessionTransport.standardConfiguration()) }
        let client = APIClient(baseURL: URL(string: "http://127.0.0.1:\(server.port)/v1")!, configuration)

        return (
            {
                var request = URLRequest(url: url)
                request.setValue("application/json", forHTTPHeaderField: "Accept")
                blackHole(try await session.data(for: request))
            },
            { blackHole(try await client.data(for: Route.get("items"))) }
        )
    }
}
