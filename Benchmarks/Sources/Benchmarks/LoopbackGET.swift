import Fingerpost
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Benchmark {
    /// Gets 1 KB of JSON over a kept-alive connection, compared with a bare `URLSession`.
    static func loopbackGET() throws -> Benchmark {
        let body = "{\"text\":\"" + String(repeating: "x", count: 1011) + "\"}"
        let server = try SocketResponder(body: body, contentType: "application/json")
        let url = URL(string: "http://127.0.0.1:\(server.port)/v1/items")!

        let session = URLSession(configuration: .ephemeral)
        let client = APIClient(baseURL: URL(string: "http://127.0.0.1:\(server.port)/v1")!)

        return Benchmark("loopback-get", target: 1.05) { count in
            for _ in 0..<count {
                var request = URLRequest(url: url)
                request.setValue("application/json", forHTTPHeaderField: "Accept")
                blackHole(try await session.data(for: request))
            }
        } ours: { count in
            for _ in 0..<count { blackHole(try await client.data(for: Route.get("items"))) }
        }
    }
}
