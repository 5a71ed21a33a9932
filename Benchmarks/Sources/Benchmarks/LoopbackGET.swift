import Fingerpost
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Benchmark {
    /// Gets 1 KB of JSON over a kept-alive connection, compared with a bare `URLSession`.
    static func loopbackGET() throws -> Benchmark {
        let (bare, ours) = try loopback()
        return Benchmark("loopback-get", target: 1.3) { count in
            for _ in 0..<count { try await bare() }
        } ours: { count in
            for _ in 0..<count { try await ours() }
        }
    }

    /// The same with 32 requests at once, of which both versions have six in progress.
    static func loopbackGETs() throws -> Benchmark {
        let (bare, ours) = try loopback()
        return Benchmark("loopback-32-gets", target: 1.35) { count in
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

    private typealias Call = @Sendable () async throws -> Void

    private static func loopback() throws -> (bare: Call, ours: Call) {
        let body = "{\"text\":\"" + String(repeating: "x", count: 1011) + "\"}"
        let server = try SocketResponder(body: body, contentType: "application/json")
        let url = URL(string: "http://127.0.0.1:\(server.port)/v1/items")!

        let session = URLSession(configuration: .ephemeral)
        let client = APIClient(baseURL: URL(string: "http://127.0.0.1:\(server.port)/v1")!)

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
