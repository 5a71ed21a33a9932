import Foundation

/// After a connection has ended, determines whether the loop reconnects, and how long the loop waits before that (HTML,
/// section 9.2).
struct Reconnection: Sendable {
    /// The minimum wait, in milliseconds.
    private static let shortestWait: Int64 = 100
    /// The maximum wait: one day, in milliseconds.
    private static let longestWait: Int64 = 86_400_000

    /// The wait before each connection.
    private var time = Duration.seconds(3)
    /// The number of connections that failed or brought no event since the last event arrived.
    private var failures = 0
    private var waits = 0
    private let start = ContinuousClock.now

    /// Notes that an event has arrived.
    mutating func succeed() { failures = 0 }

    /// Notes that a connection has failed or brought no event.
    mutating func fail() { failures += 1 }

    /// Sets the wait to the time that the server requests in the stream.
    mutating func setWait(milliseconds: Int64) {
        time = .milliseconds(max(Self.shortestWait, min(milliseconds, Self.longestWait)))
    }

    /// Counts a wait.
    ///
    /// - Returns: an error after 1,000 waits that took almost no real time. Without this error, a loop over a mock in a
    ///   test could run forever.
    mutating func countWait() -> APIError? {
        waits += 1
        if waits < 1000 || start.duration(to: .now) > .milliseconds(Self.shortestWait) * waits { return nil }
        return APIError(
            .mock, "the loop has connected \(waits) times, and no answer has ended it",
            fix: "leave the loop, let the mock answer 204 at last, as in .sequence([.file, .status(204)]), or set "
                + "\"open\": true in the mock's settings")
    }

    /// Returns the wait before the next connection.
    ///
    /// - Parameter error: the reason why the last connection failed. Nil if the server ended the connection.
    func wait(by call: OpenCall, after error: APIError?) -> Duration {
        var wait = time
        if failures > 0 {
            wait += call.wait(.exponential(base: .seconds(1), maximum: .seconds(60)), beforeRetry: failures)
        }
        guard let asked = error.flatMap(call.waitAsked) else { return wait }
        return max(wait, min(asked, .milliseconds(Self.longestWait)))
    }

    /// Returns true if another connection may succeed after a failure.
    ///
    /// - Parameter wasConnected: true after the first connection.
    func mayFollow(_ error: APIError, wasConnected: Bool) -> Bool {
        switch error.kind {
        case .offline, .timedOut: true
        case .status(let status): RetryPolicy.temporaryStatuses.contains(status)
        default:
            // If the refresh of a token failed, the error of the refresh determines the result. On Linux, Foundation
            // reports most connection errors, and even untrusted certificates, with the code `unknown`.
            (error.underlying as? APIError).map { mayFollow($0, wasConnected: wasConnected) } ?? error.isOfConnection
                || wasConnected && (error.underlying as? URLError)?.code == .unknown
        }
    }
}
