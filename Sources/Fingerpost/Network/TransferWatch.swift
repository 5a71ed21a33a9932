import FingerpostFiles
import Foundation

/// Notes when the last bytes of a request or its response passed, and how many came, so that a silent connection can be
/// ended and errors can say how far the response came.
final class TransferWatch: TransferObserver {
    private struct State {
        var last = ContinuousClock.now
        var received: Int?
        var status: Int?
        var isWaitingForConnection = false
    }

    private let sink: any BodySink
    /// Where the bytes are reported; nil for a call that reports no progress.
    private let progress: ProgressReporter.Attempt?
    private let state = Locked(State())
    /// The sink, if the app reads the body as it arrives.
    private let buffer: BodyBuffer?

    init(_ sink: any BodySink, reportingTo progress: ProgressReporter.Attempt? = nil) {
        self.sink = sink
        buffer = sink as? BodyBuffer
        self.progress = progress
    }

    /// When the last bytes passed. A transport that waits for the reader cannot pass any.
    var last: ContinuousClock.Instant {
        let last = state.withLock { $0.last }
        return buffer?.held.map { max($0, last) } ?? last
    }

    /// The size of the body so far, in bytes; nil before the head.
    var received: Int? { state.withLock { $0.received } }

    /// The status that the server sent; nil before the head.
    var status: Int? { state.withLock { $0.status } }

    /// True until the session has a connection to the internet, if it waits for one.
    var isWaitingForConnection: Bool { state.withLock { $0.isWaitingForConnection } }

    var isMeasured: Bool { progress != nil }

    var reader: (any PacedSink)? { buffer }

    func sent(_ total: Int64) {
        noteActivity()
        progress?.sent(total)
    }

    func expect(_ size: Int64) { progress?.expect(size) }

    private func noteActivity() { state.withLock { ($0.last, $0.isWaitingForConnection) = (.now, false) } }

    func waitForConnection() { state.withLock { $0.isWaitingForConnection = true } }

    func begin(_ head: Response<Void>) throws {
        state.withLock { $0 = State(received: 0, status: head.status) }
        try sink.begin(head)
        progress?.begin(head, after: (sink as? any ResponseSink)?.kept ?? 0)
    }

    func receive(_ bytes: Data) throws {
        state.withLock { ($0.last, $0.received) = (.now, ($0.received ?? 0) + bytes.count) }
        try sink.receive(bytes)
        progress?.receive(bytes.count)
    }

    func receive(contentsOf file: URL) throws {
        noteActivity()
        try sink.receive(contentsOf: file)
        if let progress { progress.receive(try FileStatus(of: file.path).size) }
    }
}
