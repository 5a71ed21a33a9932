import FingerpostFiles
import Foundation

/// The body of a call that returns as soon as the head of its response arrives. Each attempt has its own buffer, and
/// the app reads the buffer of the last attempt.
final class CallStream: StreamedBody {
    private struct State {
        /// The buffer of the last attempt.
        var body: BodyBuffer?
        /// True after the call has failed, or after its body was taken. From then on, no body can begin.
        var isOver = false
    }

    private let limits: StreamLimits
    private let state = Locked(State())

    init(_ configuration: APIClient.Configuration) { limits = configuration.streamLimits }

    /// Begins the body of an attempt.
    ///
    /// - Throws: `CancellationError` if the call is over.
    func begin() throws -> any AttemptBody {
        let body = BodyBuffer(maximumSize: limits.bufferSize)
        let (isOver, earlier) = state.withLock { state -> (Bool, BodyBuffer?) in
            if state.isOver { return (true, nil) }
            defer { state.body = body }
            return (false, state.body)
        }
        if isOver { throw CancellationError() }
        // If middleware sends two requests at the same time, the earlier body ends.
        earlier?.leave()
        return body
    }

    /// Returns the body that has begun. If middleware has replaced the response, returns the body of middleware's
    /// response.
    func take(for response: Response<Data>) -> BodyBuffer {
        let body = state.withLock { state in
            state.isOver = true
            return state.body.take()
        }
        guard let body, response.data.isEmpty, body.isStream else {
            body?.leave()
            return BodyBuffer(response)
        }
        return body
    }

    /// Ends the body of the last attempt.
    func end() { state.withLock { $0.body.take() }?.leave() }

    /// Ends the body, because the call has failed.
    func discard() {
        state.withLock { $0.isOver = true }
        end()
    }

    func heard(by recorder: any Middleware) -> any Middleware { BodyRecorder(recorder: recorder, stream: self) }

    /// Lets a recorder observe the body of the last response.
    fileprivate func observe(_ observer: any BodyObserver) throws {
        try state.withLock { $0.body }?.observe(observer)
    }

    func whenOver(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard let last = state.withLock({ $0.body }) else { return false }
        last.whenOver(body)
        return true
    }
}

/// Lets a recorder observe the body of a call that returns as soon as the head of its response arrives.
private struct BodyRecorder: Middleware {
    let recorder: any Middleware
    let stream: CallStream

    func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        guard let recorder = recorder as? any Recorder else {
            return try await recorder.intercept(request, for: route, next: next)
        }
        return try await recorder.intercept(request, for: route, next: next, observe: stream.observe)
    }
}
