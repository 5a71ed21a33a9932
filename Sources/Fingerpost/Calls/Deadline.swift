import Foundation

/// The deadline of a call. Everything that the call waits for asks it: a place, a refresh, the wait before a retry, the
/// delay of a mock, the transport, and the app's code.
///
/// The timeout passes on the scope's clock. Outside any scope, it passes on the system's clock, without time in which
/// the process was suspended.
package final class Deadline: Sendable {
    /// The timeout of the whole call.
    package let timeout: Duration
    /// How long a server may be silent; nil for any time.
    package let idleTimeout: Duration?
    /// When the call started, on the system's clock.
    private let start: DeadlineWatch.Instant
    /// The scope's clock, and the time on it when the call started; nil outside any scope.
    private let scope: (values: ScopeValues, start: Duration)?
    /// Cancels what takes too long.
    let watch: DeadlineWatch

    /// - Parameters:
    ///   - values: the scope's clock; nil outside any scope.
    ///   - deadlines: cancels work at the deadline.
    init(
        after timeout: Duration, idle idleTimeout: Duration? = nil, since start: DeadlineWatch.Instant,
        on values: ScopeValues?, by deadlines: DeadlineWatch
    ) {
        self.timeout = timeout
        self.idleTimeout = idleTimeout
        self.start = start
        watch = deadlines
        scope = values.map { ($0, $0.elapsed()) }
    }

    // MARK: Time

    /// The time since the call started.
    @inline(never)
    var elapsed: Duration {
        if let scope { return scope.values.elapsed() - scope.start }
        return watch.elapsed(since: start)
    }

    /// The rest of the timeout; zero or less when the timeout has passed.
    package var rest: Duration { timeout - elapsed }

    /// The time since the call started, unless the deadline has passed. On the scope's clock, nothing else watches it.
    ///
    /// - Throws: the error `timedOut` at the deadline.
    @discardableResult
    func check(or timedOut: @autoclosure () -> APIError) throws(APIError) -> Duration {
        let elapsed = elapsed
        if elapsed >= timeout { throw timedOut() }
        return elapsed
    }

    /// The time since the call started, on the system's clock.
    var systemElapsed: Duration { ContinuousClock.now - start }

    /// The time since a fixed point.
    package var time: @Sendable () -> Duration {
        if let scope { return scope.values.elapsed }
        return { [start, watch] in watch.elapsed(since: start) }
    }

    /// The current date.
    var date: Date { scope?.values.date ?? Date() }

    // MARK: Waits

    /// Waits for a duration, whatever the deadline is.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    package func pause(_ duration: Duration) async throws {
        if let scope { try await scope.values.clock.sleep(for: duration) } else { try await Task.sleep(for: duration) }
    }

    /// Runs work that may never end: of a server, or of the app's code. It passes time on the system's clock.
    ///
    /// - Throws: the error `timedOut` at the deadline, otherwise the operation's error.
    func run<Value: Sendable>(
        or timedOut: @escaping @Sendable @autoclosure () -> APIError,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await watch.run(within: timeout, since: self.start, or: timedOut(), operation)
    }
}
