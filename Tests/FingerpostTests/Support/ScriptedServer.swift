import FingerpostFiles
import FingerpostTesting
import Foundation
import LoopbackServer

@testable import Fingerpost

/// Answers requests in a given order, from mocks or from a server on loopback. Waits pass on a virtual clock.
struct ScriptedServer {
    enum Kind: String, CaseIterable, Sendable {
        case mocks, loopback
    }

    enum Answer: Sendable {
        case status(Int, HTTPHeaders = [:], String = "")
        /// The connection ends before an answer.
        case lost
    }

    let kind: Kind
    /// The answers; the last one is repeated.
    let answers: [Answer]

    /// The result of a call.
    struct Outcome {
        /// The error; nil for a call that succeeded.
        var error: APIError?
        var call: LoggedCall
        /// The requests as they were sent.
        var requests: [URLRequest]
        /// The time on the virtual clock.
        var elapsed: Duration
    }

    /// Sends one route that has the mock `x`.
    func send(
        _ route: Route = .get("x"), _ values: Parameters = [:],
        _ configure: (inout APIClient.Configuration) -> Void = { _ in }
    ) async throws -> Outcome {
        try await run(values, configure) { client in try await client.send(route.mock("x")) }[0]
    }

    /// Sends any calls in a scope of their own.
    func run(
        _ values: Parameters = [:], _ configure: (inout APIClient.Configuration) -> Void = { _ in },
        _ work: @Sendable (APIClient) async throws -> Void
    ) async throws -> [Outcome] {
        let answers = answers
        let count = Locked(0)
        let next = { @Sendable in
            count.withLock { count in
                defer { count += 1 }
                return answers[min(count, answers.count - 1)]
            }
        }
        let server = try LoopbackServer { _, connection in
            switch next() {
            // Each answer has a connection of its own, because libcurl retries a request if a reused connection is
            // lost.
            case .status(let status, let headers, let body):
                let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
                connection.write(
                    "HTTP/1.1 \(status) \r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n"
                        + "\(lines)\r\n\(body)"
                )
                connection.close()
            case .lost: connection.close()
            }
        }
        var all: Parameters = [
            "baseURL": kind == .mocks ? "https://t.invalid" : server.baseURL.absoluteString,
            "$network": kind == .mocks ? "sealed" : "live",
        ]
        all.append(contentsOf: values)
        let clock = VirtualClock()
        let requests = Locked<[URLRequest]>([])
        let scope = APIScope(environment: try Environment("Test", values: all), clock: clock, seed: 1)
        var configuration = APIClient.Configuration()
        configuration.middleware = [RequestRecorder(requests: requests)]
        configure(&configuration)
        let client = try scope.run {
            Mocks.set(
                "x",
                .respond { _ in
                    switch next() {
                    case .status(let status, let headers, let body):
                        headers.reduce(.data(Data(body.utf8), status: status)) { $0.header($1.name, $1.value) }
                    case .lost: .failure(.networkConnectionLost)
                    }
                })
            return try APIClient(configuration)
        }
        do { try await scope.run { try await work(client) } } catch is APIError {}
        let sent = requests.withLock { $0 }
        return scope.calls.map {
            Outcome(error: $0.error, call: $0, requests: sent, elapsed: clock.now.offset)
        }
    }
}

/// Keeps the requests with their credentials, once per attempt.
private struct RequestRecorder: Recorder {
    let requests: Locked<[URLRequest]>

    func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        requests.withLock { $0.append(request) }
        return try await next(request)
    }
}
