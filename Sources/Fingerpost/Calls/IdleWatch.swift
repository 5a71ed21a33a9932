import FingerpostFiles
import Foundation

/// Notes when the last bytes of a request or its response passed, so that a silent connection can be ended.
final class IdleWatch: UploadObserver {
    private let sink: any BodySink
    private let limit: Duration
    /// When the last bytes passed, and the size of the body so far; nil before the head.
    private let state = Locked<(last: ContinuousClock.Instant, received: Int?)>((.now, nil))

    init(_ sink: any BodySink, limit: Duration) {
        self.sink = sink
        self.limit = limit
    }

    /// When the connection has been silent for too long.
    func deadline() -> ContinuousClock.Instant { state.withLock { $0.last } + limit }

    var error: APIError { .idle(for: limit, afterBytes: state.withLock { $0.received }) }

    func sent() { state.withLock { $0.last = .now } }

    func begin(_ head: Response<Void>) throws {
        state.withLock { $0 = (.now, 0) }
        try sink.begin(head)
    }

    func receive(_ bytes: Data) throws {
        state.withLock { $0 = (.now, ($0.received ?? 0) + bytes.count) }
        try sink.receive(bytes)
    }

    func receive(contentsOf file: URL) throws {
        sent()
        try sink.receive(contentsOf: file)
    }
}
