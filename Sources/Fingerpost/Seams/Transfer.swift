import FingerpostFiles
package import Foundation

/// Receives a response from a transport. The body goes into a sink, or stays in memory.
///
/// The transfer records when the last bytes of the request or the response were transferred, so that a silent
/// connection can be ended. The transfer counts the received bytes, so that errors can contain the count. The transfer
/// keeps the first error of the sink, because a transport may continue after this error.
package final class Transfer: BodySink {
    private struct State {
        var head: Response<Void>?
        /// The part of the body that stays in memory.
        var body = Data()
        /// The number of bytes received after the head.
        var received: Int64 = 0
        var last = ContinuousClock.now
        var isWaitingForConnection = false
        var failure: (any Error)?
    }

    private let sink: (any BodySink)?
    private let maximumSize: Int
    private let progress: ProgressHandler?
    /// The transport whose default `send(_:for:)` collects the body in this transfer; nil for any other transfer.
    let owner: (any Transport.Type)?
    /// Pauses the transport while the app reads slowly; nil if the app does not read the body while it arrives.
    package let pace: (any BodyPace)?
    private let state = Locked(State())

    /// - Parameters:
    ///   - sink: receives the bodies. If this argument is nil, all bodies stay in memory. A `CallSink` receives only
    ///     the bodies of successful responses, unless `takesFailures` is true.
    ///   - maximumSize: the maximum size of a body in memory, in bytes.
    ///   - progress: receives the events of the transfer.
    package init(
        _ sink: (any BodySink)? = nil, maximumSize: Int = .max, progress: ProgressHandler? = nil,
        of owner: (any Transport.Type)? = nil
    ) {
        (self.sink, self.maximumSize, self.progress, self.owner) = (sink, maximumSize, progress, owner)
        pace = (sink as? any CallSink)?.pace
    }

    // MARK: What has passed

    /// The head of the last response; nil before the head arrives.
    var head: Response<Void>? { state.withLock { $0.head } }

    /// The number of body bytes received so far; nil before the head arrives.
    var received: Int64? { state.withLock { $0.head == nil ? nil : $0.received } }

    /// The time at which the last bytes were transferred. While a transport waits for the reader, this time advances,
    /// so that the idle timeout does not pass.
    var last: ContinuousClock.Instant {
        let last = state.withLock { $0.last }
        return pace?.held.map { max($0, last) } ?? last
    }

    /// True while the session waits for a connection to the internet.
    var isWaitingForConnection: Bool { state.withLock { $0.isWaitingForConnection } }

    /// The head, and the bytes of the body that are in memory; nil before the head arrives.
    var part: Response<Data>? { state.withLock { state in state.head.map { Response($0, data: state.body) } } }

    // MARK: Transport

    /// Resets the state for another request, because a transport of the app may send several requests.
    func start() { state.withLock { $0 = State(failure: $0.failure) } }

    /// True if the call reports its progress. If it does, a mock delivers its body in chunks.
    package var isMeasured: Bool { progress != nil }

    /// Receives any event of the transport, except for received bytes.
    package func note(_ event: TransferEvent) {
        let waits = if case .waitsForConnection = event { true } else { false }
        let isOver = state.withLock { state in
            (state.last, state.isWaitingForConnection) = (waits ? state.last : .now, waits)
            return state.failure != nil
        }
        if !isOver { progress?(event) }
    }

    // MARK: Body

    package func begin(_ head: Response<Void>) throws {
        try step {
            state.withLock { $0 = State(head: head, failure: $0.failure) }
            try sink?.begin(head)
        }
        progress?(.began(head))
    }

    package func receive(_ bytes: Data) throws {
        try receive(Int64(bytes.count)) { try receiver?.receive(bytes) ?? keep(bytes) }
    }

    package func receive(contentsOf file: URL) throws {
        guard let receiver else { return try receivePieces(of: file) }
        // The sink may move the file. If the file cannot be read, the sink reports the error.
        let size = (try? FileStatus(of: file.path).size) ?? 0
        try receive(size) { try receiver.receive(contentsOf: file) }
    }

    private func receive(_ size: Int64, _ pass: () throws -> Void) throws {
        try step {
            state.withLock { state in
                (state.last, state.isWaitingForConnection) = (.now, false)
                state.received += size
            }
            try pass()
        }
        progress?(.received(size))
    }

    /// The sink for the body of the current response; nil if the body stays in memory.
    private var receiver: (any BodySink)? {
        guard let sink, let head else { return nil }
        return head.isSuccess || (sink as? any CallSink)?.takesFailures != false ? sink : nil
    }

    /// - Throws: ``APIError`` if the body is too large. The bytes received so far are released.
    private func keep(_ bytes: Data) throws(APIError) {
        try state.withLock { state throws(APIError) in
            guard bytes.count <= maximumSize - state.body.count else {
                state.body = Data()
                let error = APIError(
                    .transport, "the response's body is larger than \(maximumSize) bytes",
                    fix: "write it to a file with download(_:to:), or raise the configuration's maximumResponseSize")
                throw state.head.map { error.adding(Response($0, data: Data())) } ?? error
            }
            // Most bodies arrive in one chunk: keep that chunk instead of copying its bytes.
            if state.body.isEmpty { state.body = bytes } else { state.body.append(bytes) }
        }
    }

    /// Returns the response that the transport has delivered.
    ///
    /// - Throws: the error of the sink; `URLError` if no response has arrived.
    func response() throws -> Response<Data> {
        let response = try step {
            guard let part else { throw URLError(.badServerResponse) }
            return try receiver == nil ? part : (sink as? any CallSink)?.response(part.head) ?? part
        }
        // A transport that returns because of a cancellation may not have delivered the whole body.
        if !Task.isCancelled { progress?(.ended) }
        return response
    }

    /// Ends the transfer, because the attempt or the call has ended. Bytes that arrive later must not reach the sink,
    /// because the sink receives the body of the next attempt.
    func end() { state.withLock { ($0.failure, $0.body) = ($0.failure ?? CancellationError(), Data()) } }

    /// Runs a step of the sink. After an error, every later step throws the same error.
    private func step<Value>(_ body: () throws -> Value) throws -> Value {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        do { return try body() } catch {
            state.withLock { $0.failure = error }
            (sink as? any CallSink)?.fail(error)
            throw error
        }
    }
}
