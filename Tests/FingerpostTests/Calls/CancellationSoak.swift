import Fingerpost
import FingerpostFiles
import FingerpostMocks
import FingerpostShared
import Foundation
import LoopbackServer

/// Many requests of one client, some of them cancelled at random moments.
///
/// The critical moments are those when the transport handles the request. So mostly the server cancels: when the
/// request arrives, within the body, and after the last byte.
struct CancellationSoak: Sendable {
    enum Moment: String, CaseIterable, Sendable {
        case never, beforehand, onTheWay, arrival, withinBody, afterAnswer
    }

    var requests: Int
    /// The calls in progress, so that the server's threads can cancel them.
    private typealias Calls = Locked<[Int: Task<Data, any Error>]>

    private static let body = Data(repeating: UInt8(ascii: "x"), count: 3000)

    /// Returns when every call has ended, the client is deallocated and its connections are closed.
    ///
    /// - Returns: how many calls succeeded and were cancelled, and every other outcome.
    func run() async throws -> [String: Int] {
        let calls = Calls([:])
        let server = try LoopbackServer(recording: false) { request, connection in
            let number = Int(request.path.dropFirst()) ?? 0
            switch Moment(rawValue: request.query ?? "") {
            case .arrival:
                calls.withLock { $0[number] }?.cancel()
                connection.respond(200, body: Self.body)
            case .withinBody:
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(Self.body.count)\r\n\r\n")
                connection.write(Self.body.prefix(1000))
                calls.withLock { $0[number] }?.cancel()
                connection.write(Self.body.dropFirst(1000))
            case .afterAnswer:
                connection.respond(200, body: Self.body)
                calls.withLock { $0[number] }?.cancel()
            default:
                connection.respond(200, body: Self.body)
            }
        }
        defer { server.stop() }
        let outcomes = await outcomes(APIClient(baseURL: server.baseURL), calls)
        await server.closedAllConnections()
        return outcomes
    }

    private func outcomes(_ client: APIClient, _ calls: Calls) async -> [String: Int] {
        var random = SeededGenerator(seed: 1)
        return await withTaskGroup(of: String.self) { group in
            var outcomes: [String: Int] = [:]
            for number in 0..<requests {
                if number >= 32, let outcome = await group.next() { outcomes[outcome, default: 0] += 1 }
                // Half of the calls are not cancelled, so that connections are reused.
                let moment =
                    Bool.random(using: &random) ? .never : Moment.allCases.randomElement(using: &random) ?? .never
                let yields = Int.random(in: 0..<40, using: &random)
                let hasBody = Bool.random(using: &random)
                group.addTask {
                    var route = Route(method: hasBody ? .post : .get, path: "\(number)?\(raw: moment.rawValue)")
                    if hasBody { route = route.body(.data(Self.body)) }
                    return await Self.outcome(client, calls, route, number, moment, yields)
                }
            }
            for await outcome in group { outcomes[outcome, default: 0] += 1 }
            return outcomes
        }
    }

    private static func outcome(
        _ client: APIClient, _ calls: Calls, _ route: Route, _ number: Int, _ moment: Moment, _ yields: Int
    ) async -> String {
        let call = Task { try await client.data(for: route) }
        calls.withLock { $0[number] = call }
        defer { calls.withLock { $0[number] = nil } }
        if moment == .beforehand { call.cancel() }
        if moment == .onTheWay {
            for _ in 0..<yields { await Task.yield() }
            call.cancel()
        }
        switch await call.result {
        case .success(body): return "success"
        case .success(let data): return "\(number) \(moment): \(data.count) bytes"
        case .failure(let error as APIError) where error.kind == .cancelled && moment != .never: return "cancelled"
        case .failure(let error): return "\(number) \(moment): \(error)"
        }
    }
}
