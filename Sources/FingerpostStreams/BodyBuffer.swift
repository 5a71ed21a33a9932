import FingerpostFiles
import Foundation

/// Stores the chunks of a streamed body until the app reads them.
///
/// One task reads, and one transport sends. The transport runs in its own task until the body ends or the reader stops.
final class BodyBuffer: AttemptBody, BodyPace {
    private struct State {
        /// The transport's task.
        var task: Task<Void, Never>?
        /// True after the transport has returned, or after the reader has stopped.
        var isOver = false
        var onEnd: [@Sendable () -> Void] = []
        var head: Response<Void>?
        var pieces: [Data] = []
        /// The index of the first chunk that has not been read.
        var first = 0
        /// The size of the chunks that have not been read, in bytes.
        // 32-bit: an `Int` is enough, because the chunks are in memory.
        var size = 0
        var end: Result<Void, any Error>?
        /// The continuations of the tasks that wait for the head, for a chunk, and for the reader.
        var opener, reader, sender: CheckedContinuation<Void, Never>?
        /// The observers, which receive the chunks as they arrive.
        var observers: [any BodyObserver] = []
        /// Resumes a transport that waits for the reader.
        var resume: (@Sendable () -> Void)?
        /// The time at which a transport that waited for the reader was last resumed.
        var resumed: ContinuousClock.Instant?

        var isEmpty: Bool { first == pieces.count }
        /// True if the response has begun and is successful, so that its body is a stream.
        var isStream: Bool { head?.isSuccess ?? false }

        /// Adds bytes. If the last chunk and the new bytes are small, they are joined, because a list of single bytes
        /// takes many times as much memory.
        mutating func append(_ bytes: Data) {
            if !isEmpty, pieces[pieces.count - 1].count + bytes.count <= BodyBuffer.smallSize {
                pieces[pieces.count - 1].append(bytes)
            } else {
                pieces.append(bytes)
            }
            size += bytes.count
        }

        mutating func removeAll() { (pieces, first, size) = ([], 0, 0) }
    }

    private enum Next {
        case piece(Data, resume: (@Sendable () -> Void)?)
        case end(Result<Void, any Error>)
        case nothing
    }

    /// The maximum size in bytes of a chunk that results from joining smaller chunks.
    private static let smallSize = 16_384

    private let maximumSize: Int
    private let state = Locked(State())

    /// - Parameter maximumSize: the maximum number of bytes that wait for the reader.
    init(maximumSize: Int) { self.maximumSize = maximumSize }

    /// Creates the body of a response that has arrived as a whole.
    init(_ response: Response<Data>) {
        maximumSize = .max
        state.withLock { state in
            (state.head, state.end) = (response.head, .success(()))
            if !response.data.isEmpty { (state.pieces, state.size) = ([response.data], response.data.count) }
        }
    }

    /// True if the response has begun and is successful.
    var isStream: Bool { state.withLock { $0.isStream } }

    /// Runs a closure when the body has ended. If the body has already ended, runs the closure immediately.
    func whenOver(_ body: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.onEnd.append(body) }
            return state.isOver
        }
        if isOver { body() }
    }

    /// Adds an observer. The observer receives the bytes that have already arrived, then further bytes.
    func observe(_ observer: any BodyObserver) throws {
        let end = try state.withLock { state throws in
            if let head = state.head { try observer.begin(head) }
            for piece in state.pieces[state.first...] { try observer.receive(piece) }
            if state.end == nil { state.observers.append(observer) }
            return state.end
        }
        switch end {
        case nil: break
        case .failure?: try? observer.end(isWhole: false)
        case .success?: do { try observer.end(isWhole: true) } catch { state.withLock { $0.end = .failure(error) } }
        }
    }

    // MARK: Sender

    var pace: (any BodyPace)? { self }

    /// - Throws: ``/Fingerpost/APIError`` if another stream has begun, because the app may have read the start of that
    ///   stream.
    func begin(_ head: Response<Void>) throws {
        let opener = try state.withLock { state throws(APIError) in
            if state.isStream { throw Self.interrupted(by: head, state.head) }
            state.head = head
            state.removeAll()
            return state.isStream ? state.opener.take() : nil
        }
        opener?.resume()
    }

    /// - Throws: ``/Fingerpost/APIError`` if too many bytes wait for the reader, and `CancellationError` if the reader
    ///   has stopped.
    func receive(_ bytes: Data) throws {
        let reader = try state.withLock { state throws -> CheckedContinuation<Void, Never>? in
            // After the end of the body, a transport may still send bytes.
            if let end = state.end {
                try end.get()
                return nil
            }
            // A chunk may exceed the limit if no other bytes wait, because a transport may deliver a whole body in one
            // chunk.
            guard state.isEmpty || bytes.count <= maximumSize - state.size else { throw tooSlow }
            state.append(bytes)
            for observer in state.observers { try observer.receive(bytes) }
            return state.reader.take()
        }
        reader?.resume()
    }

    /// Adds the whole file as one chunk.
    func receive(contentsOf file: URL) throws { try receive(Data(contentsOf: file)) }

    func fail(_ error: any Error) { end(error) }

    /// Ends the body. Later calls of this method have no effect.
    ///
    /// - Parameter error: the reason why no more bytes arrive. Nil if the body is complete. A `CancellationError` also
    ///   cancels the transport's task.
    func end(_ error: (any Error)?) {
        let (onEnd, isLate) = state.withLock { state in
            defer { state.onEnd = [] }
            state.isOver = true
            return (state.onEnd, state.end != nil)
        }
        // These closures run before the reader is notified of the end, so that a recording is already written by then.
        for body in onEnd { body() }
        var failure: (any Error)?
        var told = 0
        while true {
            let observers = state.withLock { $0.observers[told...] }
            for observer in observers {
                do { try observer.end(isWhole: error == nil && !isLate) } catch { failure = error }
            }
            told += observers.count
            let error = error ?? failure
            let ended = state.withLock { state -> (Task<Void, Never>?, waiting: [CheckedContinuation<Void, Never>?])? in
                // If an observer was added in the meantime, the loop first notifies this observer.
                if state.observers.count > told { return nil }
                state.end = state.end ?? error.map { .failure($0) } ?? .success(())
                let isCancelled = error is CancellationError
                if isCancelled { state.removeAll() }
                state.resume = nil
                let waiting = [state.opener.take(), state.reader.take(), state.sender.take()]
                return (isCancelled ? state.task.take() : nil, waiting)
            }
            guard let (cancelled, waiting) = ended else { continue }
            // When a waiting reader resumes, the transport is already cancelled, and sends nothing more.
            cancelled?.cancel()
            for continuation in waiting { continuation?.resume() }
            return
        }
    }

    func wanted() async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWanted = state.withLock { state in
                    if state.end != nil || state.isEmpty && state.reader != nil { return true }
                    state.sender = continuation
                    return false
                }
                if isWanted { continuation.resume() }
            }
        } onCancel: {
            end(CancellationError())
        }
        if state.withLock({ $0.end != nil }) { throw CancellationError() }
    }

    var isFull: Bool { state.withLock { $0.size > maximumSize / 2 && $0.resume == nil } }

    func hold(_ resume: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.size > maximumSize / 2, state.end == nil else { return false }
            state.resume = resume
            return true
        }
    }

    var held: ContinuousClock.Instant? { state.withLock { $0.resume == nil ? $0.resumed : .now } }

    // MARK: Reader

    func open(_ send: @escaping @Sendable () async throws -> Void) async throws -> Response<Void>? {
        try await withTaskCancellationHandler {
            state.withLock { state in
                // If the current task is already cancelled, `leave()` has run, and the call must not start.
                if state.isOver { return }
                state.task = Task { [self] in
                    do {
                        try Task.checkCancellation()
                        try await send()
                        end(nil)
                    } catch {
                        end(error)
                    }
                }
            }
            return try await head()
        } onCancel: {
            leave()
        }
    }

    /// Ends the body and its transport, because the reader has stopped.
    func leave() { end(CancellationError()) }

    /// Returns the next bytes. Returns nil at the end of the body.
    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await piece()
        } onCancel: {
            leave()
        }
    }

    /// Waits for the head of a stream, or for the end of the body.
    private func head() async throws -> Response<Void>? {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if state.isStream || state.end != nil { return true }
                state.opener = continuation
                return false
            }
            if isOpen { continuation.resume() }
        }
        let (head, end) = state.withLock { ($0.isStream ? $0.head : nil, $0.end) }
        if head == nil { try end?.get() }
        return head
    }

    private func piece() async throws -> Data? {
        while true {
            switch state.withLock({ Self.next(&$0, maximumSize) }) {
            case .piece(let data, let resume):
                resume?()
                return data
            case .end(let result):
                try result.get()
                return nil
            case .nothing: await waitForPiece()
            }
        }
    }

    private static func next(_ state: inout State, _ maximumSize: Int) -> Next {
        guard !state.isEmpty else { return state.end.map(Next.end) ?? .nothing }
        let piece = state.pieces[state.first]
        // When a chunk has been read, its bytes are released at once.
        state.pieces[state.first] = Data()
        state.first += 1
        state.size -= piece.count
        if state.isEmpty { state.removeAll() }
        let resume = state.size <= maximumSize / 4 ? state.resume.take() : nil
        if resume != nil { state.resumed = .now }
        // An app may expect that the indices of a chunk start at zero.
        return .piece(piece.startIndex == 0 ? piece : Data(piece), resume: resume)
    }

    private func waitForPiece() async {
        await withCheckedContinuation { continuation in
            let (isReady, sender) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
                if !state.isEmpty || state.end != nil { return (true, nil) }
                state.reader = continuation
                return (false, state.sender.take())
            }
            if isReady { continuation.resume() }
            sender?.resume()
        }
    }

    private static func interrupted(by head: Response<Void>, _ stream: Response<Void>?) -> APIError {
        func type(_ head: Response<Void>?) -> String { head?.headers[.contentType]?.quoted ?? "no content type" }
        return APIError(
            .transport,
            "another response (\(type(head))) came in the middle of the stream (\(type(stream)))",
            fix: """
                let the server send one response; on Apple platforms, URLSession reports each part of a body of the \
                type multipart/x-mixed-replace as another one
                """)
    }

    private var tooSlow: APIError {
        APIError(
            .transport, "the stream is read too slowly: more than \(maximumSize) bytes wait to be read",
            fix: "do less between two elements, or raise the configuration's streamLimits")
    }
}
