package import Foundation

/// The deadline of a call. Everything that the call waits for asks it: a place, a refresh, the wait before a retry, the
/// delay of a mock, the transport, and the app's code.
///
/// The timeout passes on the scope's clock. Outside any scope, it passes on the system's clock, without time in which the
/// process was suspended.
package final class Deadline: Sendable {
    /// The timeout of the whole call.
    package let timeout: Duration
    /// When the call started, on the system's clock.
    private let start: Deadlines.Instant
    /// The scope's clock, and the time on it when the call started; nil outside any scope.
    private let scope: (time: ScopeTime, start: Duration)?
    private let deadlines: Deadlines

    /// - Parameters:
    ///   - time: the scope's clock; nil outside any scope.
    ///   - deadlines: cancels work at the deadline.
    init(after timeout: Duration, since start: Deadlines.Instant, on time: ScopeTime?, by deadlines: Deadlines) {
        self.timeout = timeout
        self.start = start
        self.deadlines = deadlines
        scope = time.map { ($0, $0.elapsed()) }
    }

    // MARK: Time

    /// The time since the call started.
    var elapsed: Duration {
        if let scope { return scope.time.elapsed() - scope.start }
        return deadlines.elapsed(since: start)
    }

    /// The rest of the timeout; zero or less when the timeout has passed.
    package var rest: Duration { timeout - elapsed }

    /// The time since the call started, on the system's clock.
    var systemElapsed: Duration { ContinuousClock.now - start }

    /// The time since a fixed point.
    var time: @Sendable () -> Duration {
        if let scope { return scope.time.elapsed }
        return { [start, deadlines] in deadlines.elapsed(since: start) }
    }

    /// The current date.
    package var date: Date { scope?.time.date() ?? Date() }

    // MARK: Waits

    /// Waits for a duration, but not beyond the deadline.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    package func sleep(_ duration: Duration) async throws {
        try await pause(max(.zero, min(duration, rest)))
    }

    /// Waits for a duration, also beyond the deadline, which only limits the time up to a stream's head.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    package func pause(_ duration: Duration) async throws {
        if let scope { try await scope.time.sleep(duration) } else { try await Task.sleep(for: duration) }
    }

    /// Runs work that may never end: of a server, or of the app's code. It passes time on the system's clock.
    ///
    /// - Throws: the error `timedOut` at the deadline, otherwise the operation's error.
    func run<Value: Sendable>(
        or timedOut: @escaping @Sendable @autoclosure () -> APIError,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await deadlines.run(within: timeout, since: self.start, or: timedOut(), operation)
    }

    /// Runs work, and ends it when nothing happens for longer than a limit.
    ///
    /// - Parameter last: when something happened last, on the system's clock.
    func run<Value: Sendable>(
        silentFor limit: Duration, since last: @escaping @Sendable @autoclosure () -> Deadlines.Instant,
        or timedOut: @escaping @Sendable @autoclosure () -> APIError,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await deadlines.run(within: limit, since: last(), or: timedOut(), operation)
    }
}
