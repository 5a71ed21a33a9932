import FingerpostFiles
import Foundation

/// Notes when the last bytes of a request or its response passed, and how many came, so that a silent connection can be
/// ended and errors can say how far the response came.
final class TransferWatch: UploadObserver {
    private let sink: any BodySink
    /// When the last bytes passed, and the size of the body so far; nil before the head.
    private let state = Locked<(last: ContinuousClock.Instant, received: Int?)>((.now, nil))

    init(_ sink: any BodySink) {
        self.sink = sink
    }

    /// When the last bytes passed.
    var last: ContinuousClock.Instant { state.withLock { $0.last } }

    /// The size of the body so far, in bytes; nil before the head.
    var received: Int? { state.withLock { $0.received } }

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
