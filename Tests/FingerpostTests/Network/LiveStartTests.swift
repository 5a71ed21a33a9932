import CallSupport
import Foundation
import LoopbackServer
import TestSupport
import Testing

@testable import Fingerpost
@testable import FingerpostFiles

/// Many calls that start at once. On Linux, who starts a task of a session waits for a queue that all sessions share,
/// and must leave threads for the sessions.
@Suite("Live: many calls that start at once", .inTurn, .concurrent)
struct LiveStartTests {
    private let server = try? LoopbackServer { _, connection in
        connection.respond(200, body: repeatElement(0x78, count: 1_000))
    }

    /// Clients with a transport of its own each: more than Dispatch has threads.
    private func clients(_ server: LoopbackServer) -> [APIClient] {
        (0..<300).map { _ in APIClient(baseURL: server.baseURL) }
    }

    /// Starts a call of each client at once, and expects that all are answered.
    private func expectAnswers(of clients: [APIClient]) async throws {
        let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
            for client in clients {
                group.addTask { try await client.data(for: Route.get("x").timeout(.seconds(120))).count }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sizes == Array(repeating: 1_000, count: clients.count))
    }

    @Test(arguments: [6, nil])
    func `200 calls of one client are answered`(_ limit: Int?) async throws {
        let server = try #require(server)
        let client = APIClient(baseURL: server.baseURL) { $0.maximumCallsPerHost = limit }
        try await expectAnswers(of: Array(repeating: client, count: 200))
    }

    @Test func `A call of each of 300 clients is answered`() async throws {
        try await expectAnswers(of: clients(#require(server)))
    }

    @Test(.heavy) func `Calls are answered while other tasks keep all threads of tasks busy`() async throws {
        let server = try #require(server)
        let client = APIClient(baseURL: server.baseURL) { $0.maximumCallsPerHost = nil }
        let busy = (0..<4 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
            Task.detached {
                while !Task.isCancelled {
                    let end = ContinuousClock.now + .milliseconds(5)
                    while ContinuousClock.now < end {}
                    await Task.yield()
                }
            }
        }
        defer { for task in busy { task.cancel() } }
        try await expectAnswers(of: Array(repeating: client, count: 200))
    }

    #if canImport(FoundationNetworking)
        @Test(.heavy) func `While no session can start a task, cancelled calls end, and later ones are answered`()
            async throws
        {
            let server = try #require(server)
            let held = HeldStream()
            let holding = Task {
                try await APIClient(baseURL: server.baseURL).send(Route.post("held").body(.stream(held.body)))
            }
            defer { held.release() }
            for await _ in held.reads { break }

            let clients = clients(server)
            let cancelled = clients.map { client in
                Task { try await client.data(for: Route.get("x").timeout(.seconds(120))) }
            }
            // Some are cancelled before they start, some after.
            for task in cancelled {
                task.cancel()
                await Task.yield()
            }
            for task in cancelled {
                let error = await #expect(throws: APIError.self) { try await task.value }
                #expect(error?.kind == .cancelled)
            }

            let later = Task { try await expectAnswers(of: clients) }
            held.release()
            try await holding.value
            try await later.value
        }
    #endif
}

#if canImport(FoundationNetworking)
    /// A body whose first read waits, and with it the queue that all sessions of the process share.
    private final class HeldStream: Sendable {
        let reads: AsyncStream<Void>
        private let read: AsyncStream<Void>.Continuation
        private let gate = DispatchSemaphore(value: 0)

        init() {
            (reads, read) = AsyncStream.makeStream(of: Void.self)
        }

        var body: BodyStream { BodyStream { Input { [self] in wait() } } }

        func release() { gate.signal() }

        private func wait() {
            read.yield()
            gate.wait()
            gate.signal()
        }

        /// A stream without bytes that calls a closure when it is read.
        private final class Input: InputStream {
            private let willRead: () -> Void
            private var status = Status.notOpen

            init(_ willRead: @escaping () -> Void) {
                self.willRead = willRead
                super.init(data: Data())
            }

            override var streamStatus: Status { status }
            override var streamError: (any Error)? { nil }
            override var hasBytesAvailable: Bool { true }
            override func open() { status = .open }
            override func close() { status = .closed }

            override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
                willRead()
                status = .atEnd
                return 0
            }
        }
    }
#endif
