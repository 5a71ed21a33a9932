import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The body of one attempt of a call that returns at the head of its response. Its transport goes on in a task of its
/// own until the body ends, or until the app stops reading.
final class StreamedBody: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isOver = false
        var onEnd: [@Sendable () -> Void] = []
    }

    private let buffer: BodyBuffer
    private let state = Locked(State())

    /// - Parameter buffer: receives the body.
    init(_ buffer: BodyBuffer) {
        self.buffer = buffer
    }

    /// True if the response has begun, and is successful.
    var isStream: Bool { buffer.isStream }

    /// Sends a request, and returns when the head of a stream has come, or a whole response that is not successful.
    ///
    /// - Parameter send: sends the request, until the body ends.
    func open(_ send: @escaping @Sendable () async throws -> Void) async throws -> Response<Data> {
        let task = Task { [self] in
            do {
                try await send()
                finish(nil)
            } catch {
                finish(error)
            }
        }
        let isOver = state.withLock { state in
            state.task = task
            return state.isOver
        }
        if isOver { task.cancel() }
        return try await withTaskCancellationHandler {
            try await buffer.opened()
        } onCancel: {
            end()
        }
    }

    /// The next bytes; nil at the end of the body.
    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await buffer.next()
        } onCancel: {
            end()
        }
    }

    /// Ends the connection, because the body is no longer read.
    func end() {
        finish(CancellationError())
        state.withLock { $0.task.take() }?.cancel()
    }

    /// Lets a recorder hear of the body.
    func observe(_ observer: any BodyObserver) { buffer.observe(observer) }

    /// Runs a closure when the body has ended; at once if it has.
    func whenOver(_ body: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.onEnd.append(body) }
            return state.isOver
        }
        if isOver { body() }
    }

    private func finish(_ error: (any Error)?) {
        let onEnd = state.withLock { state in
            defer { state.onEnd = [] }
            state.isOver = true
            return state.onEnd
        }
        for body in onEnd { body() }
        // The reader, which this wakes, finds everything done.
        buffer.end(error)
    }
}
