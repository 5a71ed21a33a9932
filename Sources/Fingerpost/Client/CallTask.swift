import Dispatch
import FingerpostFiles

/// A handle for cancelling a call that reports its result to a callback, such as
/// ``APIClient/request(_:as:progress:completion:)``. Releasing the handle does not end the call.
public final class CallTask: Sendable {
    typealias Progress = @Sendable (TransferProgress) -> Void

    /// The reports that wait for the main actor or the queue.
    private struct Relay: Sendable {
        /// Nil when the call was cancelled.
        private let waiting = Locked<[TransferProgress]?>([])

        func add(_ progress: TransferProgress) { waiting.withLock { $0?.append(progress) } }

        func stop() { waiting.withLock { $0 = nil } }

        /// The oldest report; nil if there is none.
        func next() -> TransferProgress? { waiting.withLock { $0?.isEmpty == false ? $0?.removeFirst() : nil } }
    }

    private let task: Task<Void, Never>
    private let relay: Relay?

    /// Starts a call whose completion runs on the main actor, and so do the reports of its progress.
    convenience init<Value: Sendable>(
        _ progress: (@MainActor @Sendable (TransferProgress) -> Void)?,
        _ completion: @escaping @MainActor @Sendable (Result<Value, APIError>) -> Void,
        _ call: @escaping @Sendable (Progress?) async throws(APIError) -> Value
    ) {
        self.init(progress) { report in
            let result = await Result(of: { () async throws(APIError) in try await call(report) })
            return { completion(result) }
        }
    }

    /// Starts a call whose completion runs on a queue, and so do the reports of its progress.
    convenience init<Value: Sendable>(
        on queue: DispatchQueue, _ progress: Progress?,
        _ completion: @escaping @Sendable (Result<Value, APIError>) -> Void,
        _ call: @escaping @Sendable (Progress?) async throws(APIError) -> Value
    ) {
        self.init(on: queue, progress) { report in
            let result = await Result(of: { () async throws(APIError) in try await call(report) })
            return { completion(result) }
        }
    }

    // The rest is not generic, so that it exists once for all types of values.

    /// - Parameter call: sends the call, and returns what calls the completion on the main actor.
    private init(
        _ progress: (@MainActor @Sendable (TransferProgress) -> Void)?,
        _ call: @escaping @Sendable (Progress?) async -> @MainActor @Sendable () -> Void
    ) {
        let relay = progress == nil ? nil : Relay()
        let passOn = { @MainActor @Sendable in
            while let next = relay?.next() { progress?(next) }
        }
        let report = relay.map { relay -> Progress in
            { next in
                relay.add(next)
                Task { await passOn() }
            }
        }
        self.relay = relay
        task = Task {
            let complete = await call(report)
            await MainActor.run {
                // What the main actor has not had time for comes before the completion.
                passOn()
                complete()
            }
        }
    }

    /// - Parameter call: sends the call, and returns what calls the completion on the queue.
    private init(
        on queue: DispatchQueue, _ progress: Progress?,
        _ call: @escaping @Sendable (Progress?) async -> @Sendable () -> Void
    ) {
        // Work on a queue does not inherit the scope, but the completion may make another call that needs the scope.
        let scope = APIScope.current
        let inScope = { @Sendable (work: () -> Void) in
            if let scope { scope.run(work) } else { work() }
        }
        let relay = progress == nil ? nil : Relay()
        // The app's queue may be concurrent. The reports come one after another, and the completion after them.
        let queue = progress == nil ? queue : DispatchQueue(label: "Fingerpost.CallTask", target: queue)
        let report = relay.map { relay -> Progress in
            { next in
                relay.add(next)
                queue.async {
                    if let next = relay.next() { inScope { progress?(next) } }
                }
            }
        }
        self.relay = relay
        task = Task {
            let complete = await call(report)
            queue.async { inScope(complete) }
        }
    }

    /// Cancels the call. The completion of the cancelled call receives an error of the kind
    /// ``APIError/Kind-swift.enum/cancelled``. This method has no effect after the call has ended.
    public func cancel() {
        relay?.stop()
        task.cancel()
    }
}

extension Result where Success: Sendable, Failure == APIError {
    /// Creates a result from the value or the error of an asynchronous call.
    init(of call: @Sendable () async throws(APIError) -> Success) async {
        do throws(APIError) { self = .success(try await call()) } catch { self = .failure(error) }
    }
}
