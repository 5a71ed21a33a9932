import Fingerpost
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The memory that 10,000 calls at once take, compared with a bare `URLSession`. The server answers when all calls have
/// started. If it answered earlier, fewer calls would be in progress at once, and how many would depend on the machine.
///
/// Each measurement runs in a new process: this program with the argument `--burst`.
struct Burst {
    /// What sends the calls.
    private enum Sender: String {
        /// A bare session with as many requests in progress as a client has by default; the others wait for a place.
        case bareLimited
        case limited
        /// A bare session with all requests in progress.
        case bare
        case unlimited

        /// The bare session that has as many requests in progress.
        var bare: Sender { self == .limited ? .bareLimited : .bare }
    }

    static let all = [
        Burst(name: "calls-at-once", sender: .limited, target: 6),
        Burst(name: "calls-without-limit", sender: .unlimited, target: 1.6),
    ]
    private static let count = 10_000
    /// The time in which all calls start, in seconds.
    private static let start: TimeInterval = 4

    let name: String
    private let sender: Sender
    /// The highest accepted ratio of Fingerpost's memory to that of the bare session, of the medians.
    let target: Double

    /// By how many bytes the peak memory grows with a bare session and with Fingerpost.
    func measure() throws -> (bare: MeasuredProcess.Spread, ours: MeasuredProcess.Spread) {
        (try Self.run(sender.bare), try Self.run(sender))
    }

    private static func run(_ sender: Sender) throws -> MeasuredProcess.Spread {
        try .init { try MeasuredProcess.output(of: "--burst", sender.rawValue) }
    }

    // MARK: In the new process

    /// Sends the calls, and prints the growth of this process.
    static func runInThisProcess(_ argument: String?) async throws {
        guard let sender = argument.flatMap(Sender.init) else { throw CocoaError(.formatting) }
        let body = "{\"text\":\"" + String(repeating: "x", count: 1011) + "\"}"
        let server = try SocketResponder(body: body, contentType: "application/json")
        let send = call(of: sender, to: URL(string: "http://127.0.0.1:\(server.port)/v1")!)
        // The first call loads code and opens a connection.
        try await send()
        let before = try MeasuredProcess.peakMemory()
        // A thread, because the calls occupy all threads of tasks while they start.
        Thread.detachNewThread { server.hold { Thread.sleep(forTimeInterval: start) } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask { try await send() }
            }
            try await group.waitForAll()
        }
        try MeasuredProcess.print(MeasuredProcess.peakMemory() - before)
    }

    private static func call(of sender: Sender, to baseURL: URL) -> @Sendable () async throws -> Void {
        if sender == .bare || sender == .bareLimited {
            let places = sender == .bareLimited ? APIClient.Configuration().maximumCallsPerHost.map(Places.init) : nil
            let session = URLSession(configuration: .ephemeral)
            let url = baseURL.appendingPathComponent("items")
            return {
                var request = URLRequest(url: url)
                request.setValue("application/json", forHTTPHeaderField: "Accept")
                await places?.take()
                let result: Result<(Data, URLResponse), any Error>
                do { result = .success(try await session.data(for: request)) } catch { result = .failure(error) }
                await places?.leave()
                blackHole(try result.get())
            }
        }
        var configuration = APIClient.Configuration()
        if sender == .unlimited { configuration.maximumCallsPerHost = nil }
        let client = APIClient(baseURL: baseURL, configuration)
        return { blackHole(try await client.data(for: Route.get("items"))) }
    }
}
