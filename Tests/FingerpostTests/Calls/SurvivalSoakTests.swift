import CallSupport
import FingerpostMocks
import FingerpostShared

/// Many calls at once, with faults, expired tokens, limits, retries and cancellations. The environment variable SOAK
/// sets the number of calls.
@Suite("Live: survival", .inTurn(minutes: 20), .concurrent) struct SurvivalSoakTests {
    private static let count = ProcessInfo.processInfo.environment["SOAK"].flatMap(Int.init) ?? 300

    /// Answers with faults. Those that end the process with Foundation on Linux are left out: a head that is cut off,
    /// trailers, and a huge `Content-Length`.
    private static func answer(_ request: ReceivedRequest, _ connection: Connection, valid: Int) {
        let seed = (Int(request.path.dropFirst()) ?? 0) &* 31 &+ request.connection
        guard request["Authorization"].flatMap({ Int($0.dropFirst(7)) }) == valid else {
            connection.respond(401)
            return
        }
        switch seed % 23 {
        case 0: connection.close()
        case 1: connection.reset()
        case 2: connection.respond(503, headers: ["Retry-After": "0"])
        case 3: connection.respond(429, headers: ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"])
        case 4: connection.respond(500, body: "<html>")
        case 5: connection.respond(302, headers: ["Location": "/1000000"])
        case 6:
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
            connection.close()
        default: connection.respond(200, body: "fine")
        }
    }

    @Test(.heavy) func `Every call ends, and nothing is left over`() async throws {
        let token = Locked(0)
        let received = Locked(0)
        let server = try LoopbackServer(recording: false) { request, connection in
            let valid = received.withLock { received in
                received += 1
                // Tokens expire all the time.
                return token.withLock { token in
                    if received % 500 == 0 { token += 1 }
                    return token
                }
            }
            Self.answer(request, connection, valid: valid)
        }
        let store = InMemoryCredentialStore("-1")
        let client = APIClient(baseURL: server.baseURL) {
            $0.retry = RetryPolicy(backoff: .exponential(base: .milliseconds(1), maximum: .milliseconds(2)))
            $0.idleTimeout = .seconds(30)
            $0.authorization = .refreshing(store) { _ in "\(token.withLock { $0 })" }
        }

        let outcomes = await Self.outcomes(client, count: Self.count)
        #expect((outcomes.values.reduce(0, +), outcomes["timed out"]) == (Self.count, nil), "\(outcomes)")
        let (successes, cancellations) = (outcomes["success", default: 0], outcomes["cancelled", default: 0])
        #expect(successes > Self.count / 3 && cancellations > 0, "\(outcomes)")
        // The limit lets the next call through, so no place was lost.
        for number in 0..<12 { try? await client.send(Route.get("\(number)")) }
    }

    private static func outcomes(_ client: APIClient, count: Int) async -> [String: Int] {
        await withTaskGroup(of: String.self) { group in
            var outcomes: [String: Int] = [:]
            var random = SeededGenerator(seed: 16)
            for number in 0..<count {
                if number >= 64, let outcome = await group.next() { outcomes[outcome, default: 0] += 1 }
                let yields = Int.random(in: 0..<400, using: &random)
                group.addTask {
                    let call = Task { try await client.data(for: Route.get("\(number)")) }
                    if yields < 40 {
                        for _ in 0..<yields { await Task.yield() }
                        call.cancel()
                    }
                    switch await call.result {
                    case .success: return "success"
                    case .failure(let error): return (error as? APIError).map { "\($0.kind)" } ?? "\(error)"
                    }
                }
            }
            for await outcome in group { outcomes[outcome, default: 0] += 1 }
            return outcomes
        }
    }
}
