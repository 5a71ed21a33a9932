import Foundation

/// The deadline of a call. The deadline limits the total time of all waits: for other calls to the host, a token's
/// refresh, a retry, a mock, the transport, and the app's code.
///
/// The timeout is measured on the scope's clock. Outside any scope, the timeout is measured on the system's clock,
/// without the time in which the process was suspended.
package final class Deadline: Sendable {
    /// The timeout of the whole call.
    package let timeout: Duration
    /// The maximum time between two chunks from the server; nil for no limit.
    package let idleTimeout: Duration?
    /// The start of the call on the system's clock.
    private let start: DeadlineWatch.Instant
    /// The scope's clock, and the start of the call on this clock; nil outside any scope.
    private let scope: (values: ScopeValues, start: Duration)?
    /// Cancels work at the deadline.
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

    /// The remaining time; zero or less after the timeout has passed.
    package var rest: Duration { timeout - elapsed }

    /// Returns the time since the call started, or throws an error if the deadline has passed. This method is needed
    /// for the scope's clock, because ``watch`` uses the system's clock.
    ///
    /// - Throws: the error `timedOut` after the deadline.
    @discardableResult
    func check(or timedOut: @autoclosure () -> APIError) throws(APIError) -> Duration {
        let elapsed = elapsed
        if elapsed >= timeout { throw timedOut() }
        return elapsed
    }

    /// The time since the call started, on the system's clock.
    var systemElapsed: Duration { ContinuousClock.now - start }

    /// Returns the time since a fixed point in the past.
    package var time: @Sendable () -> Duration {
        if let scope { return scope.values.elapsed }
        return { [start, watch] in watch.elapsed(since: start) }
    }

    /// The current date.
    var date: Date { scope?.values.date ?? Date() }

    // MARK: Waits

    /// Waits for a duration without regard to the deadline.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    package func pause(_ duration: Duration) async throws {
        if let scope { try await scope.values.clock.sleep(for: duration) } else { try await Task.sleep(for: duration) }
    }

    /// Runs work that may never return, such as a request to a server or a closure of the app. The time of this work is
    /// measured on the system's clock.
    ///
    /// - Throws: the error `timedOut` at the deadline, otherwise the operation's error.
    func run<Value: Sendable>(
        or timedOut: @escaping @Sendable @autoclosure () -> APIError,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await watch.run(within: timeout, since: self.start, or: timedOut(), operation)
    }
}
