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

    /// How the calls ended.
    struct Tally: Sendable {
        var successes = 0
        var cancellations = 0
        /// Calls with any other outcome; there must be none.
        var surprises: [String] = []
    }

    var requests: Int
    var inFlight = 32
    var seed: UInt64 = 1

    private static let body = Data(repeating: UInt8(ascii: "x"), count: 3000)

    /// Returns when every call has ended, the client is deallocated and its connections are closed.
    func run() async throws -> Tally {
        let calls = CallRegister()
        let server = try LoopbackServer(recording: false) { request, connection in
            let number = Int(request.path.dropFirst()) ?? 0
            switch Moment(rawValue: request.query ?? "") {
            case .arrival:
                calls.cancel(number)
                connection.respond(200, body: Self.body)
            case .withinBody:
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(Self.body.count)\r\n\r\n")
                connection.write(Self.body.prefix(1000))
                calls.cancel(number)
                connection.write(Self.body.dropFirst(1000))
            case .afterAnswer:
                connection.respond(200, body: Self.body)
                calls.cancel(number)
            default:
                connection.respond(200, body: Self.body)
            }
        }
        defer { server.stop() }
        let tally = await tally(APIClient(baseURL: server.baseURL), calls)
        await server.closedAllConnections()
        return tally
    }

    private func tally(_ client: APIClient, _ calls: CallRegister) async -> Tally {
        var random = SeededGenerator(seed: seed)
        return await withTaskGroup(of: Tally.self) { group in
            var total = Tally()
            for number in 0..<requests {
                if number >= inFlight, let tally = await group.next() { total.add(tally) }
                // Half of the calls are not cancelled, so that connections are reused.
                let moment =
                    Bool.random(using: &random) ? .never : Moment.allCases.randomElement(using: &random) ?? .never
                let yields = Int.random(in: 0..<40, using: &random)
                let hasBody = Bool.random(using: &random)
                group.addTask {
                    var route = Route(method: hasBody ? .post : .get, path: "\(number)?\(raw: moment.rawValue)")
                    if hasBody { route = route.body(.data(Self.body)) }
                    return await Self.tally(client, calls, route, number, moment, yields)
                }
            }
            for await tally in group { total.add(tally) }
            return total
        }
    }

    private static func tally(
        _ client: APIClient, _ calls: CallRegister, _ route: Route, _ number: Int, _ moment: Moment, _ yields: Int
    ) async -> Tally {
        let call = Task { try await client.data(for: route) }
        calls.add(call, number)
        defer { calls.remove(number) }
        if moment == .beforehand { call.cancel() }
        if moment == .onTheWay {
            for _ in 0..<yields { await Task.yield() }
            call.cancel()
        }
        switch await call.result {
        case .success(body): return Tally(successes: 1)
        case .success(let data): return Tally(surprises: ["\(number) \(moment): \(data.count) bytes"])
        case .failure(let error as APIError) where error.kind == .cancelled && moment != .never:
            return Tally(cancellations: 1)
        case .failure(let error): return Tally(surprises: ["\(number) \(moment): \(error)"])
        }
    }
}

extension CancellationSoak.Tally {
    fileprivate mutating func add(_ other: Self) {
        successes += other.successes
        cancellations += other.cancellations
        surprises += other.surprises
    }
}

/// The calls in progress, so that the server's threads can cancel them.
private final class CallRegister: @unchecked Sendable {
    // Safe to share: `calls` is only accessed between `lock()` and `unlock()`.
    private var calls: [Int: Task<Data, any Error>] = [:]
    private let lock = NSLock()

    func add(_ call: Task<Data, any Error>, _ number: Int) { lock.withLock { calls[number] = call } }

    func remove(_ number: Int) { lock.withLock { calls[number] = nil } }

    func cancel(_ number: Int) { lock.withLock { calls[number] }?.cancel() }
}
