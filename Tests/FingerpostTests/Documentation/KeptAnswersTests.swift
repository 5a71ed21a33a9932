import Fingerpost
import FingerpostTransfers
import Foundation
import LoopbackServer
import TestSupport

/// Compiles and runs the code on cached responses of the article FilesAndTransfers.
@Suite(.inTurn) struct KeptAnswersTests {
    @Test func `An answer that has not changed`() async throws {
        let server = try LoopbackServer { request, connection in
            if request["If-None-Match"] == "\"1\"" {
                connection.respond(304)
            } else {
                connection.respond(200, headers: ["ETag": "\"1\""], body: "[1]")
            }
        }
        var configuration = APIClient.Configuration()
        configuration.transport = RevalidatingTransport(
            around: URLSessionTransport(), maximumSize: 16 << 20,
            ignoring: ["X-Request-Id"])
        let client = APIClient(baseURL: server.baseURL, configuration)
        for source in [ResponseSource.network, .revalidated] {
            let route = Route.get("items").header("X-Request-Id", "\(source)")
            let response = try await client.response(for: route, as: [Int].self)
            #expect(response.value == [1] && response.source == source)
        }
        let fresh = client.with { $0.transport = URLSessionTransport() }
        #expect(try await fresh.response(for: Route.get("items"), as: [Int].self).source == .network)
    }
}
