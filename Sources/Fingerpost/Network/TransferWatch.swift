import FingerpostFiles
import Foundation

/// What a transport pushes a response into, in place of the sink of its call. Notes when the last bytes of a request or
/// its response passed, and how many came, so that a silent connection can be ended and errors can say how far the
/// response came. Keeps the first error of the sink, because a transport may go on after it.
final class TransferWatch: CallSink {
    private struct State {
        var last = ContinuousClock.now
        var received: Int64?
        var head: Response<Void>?
        var isWaitingForConnection = false
        var failure: (any Error)?
    }

    private let sink: any CallSink
    private let state = Locked(State())

    init(_ sink: any CallSink) { self.sink = sink }

    /// When the last bytes passed. A transport that waits for the reader cannot pass any.
    var last: ContinuousClock.Instant {
        let last = state.withLock { $0.last }
        return sink.pace?.held.map { max($0, last) } ?? last
    }

    /// The size of the body so far, in bytes; nil before the head.
    var received: Int64? { state.withLock { $0.received } }

    /// The status that the server sent; nil before the head.
    var status: Int? { state.withLock { $0.head?.status } }

    /// What has come of a response that broke off; nil before its head. A successful body that goes into a file, into a
    /// sink of the app, or to the reader of a stream is not in memory.
    var part: Response<Data>? {
        guard let head = state.withLock({ $0.head }) else { return nil }
        if head.isSuccess, !sink.isMemory { return Response(head, data: Data()) }
        // A sink that keeps no response keeps no body of one either.
        return (try? sink.response()) ?? Response(head, data: Data())
    }

    /// True until the session has a connection to the internet, if it waits for one.
    var isWaitingForConnection: Bool { state.withLock { $0.isWaitingForConnection } }

    private func noteActivity() { state.withLock { ($0.last, $0.isWaitingForConnection) = (.now, false) } }

    // MARK: Transport

    var isMeasured: Bool { sink.isMeasured }

    func note(_ event: TransferEvent) {
        switch event {
        case .sent: noteActivity()
        case .waitsForConnection: state.withLock { $0.isWaitingForConnection = true }
        case .expects, .ended, .failed, .discarded: break
        }
        sink.note(event)
    }

    var pace: (any BodyPace)? { sink.pace }

    // MARK: Body

    func begin(_ head: Response<Void>) throws {
        state.withLock { $0 = State(received: 0, head: head, failure: $0.failure) }
        try step { try sink.begin(head) }
    }

    func receive(_ bytes: Data) throws {
        state.withLock { ($0.last, $0.received) = (.now, ($0.received ?? 0) + Int64(bytes.count)) }
        try step { try sink.receive(bytes) }
    }

    func receive(contentsOf file: URL) throws {
        noteActivity()
        try step { try sink.receive(contentsOf: file) }
    }

    func response() throws -> Response<Data> {
        let response = try step { try sink.response() }
        // A transport that returns because its call was cancelled need not have passed the whole body.
        if !Task.isCancelled { sink.note(.ended) }
        return response
    }

    /// Lets the sink do a step. After an error, every later step throws that error.
    private func step<Value>(_ body: () throws -> Value) throws -> Value {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        do { return try body() } catch {
            state.withLock { $0.failure = error }
            sink.note(.failed(error))
            throw error
        }
    }
}
