import Foundation

/// Whether another connection of an event stream follows one that ended, and after which wait (HTML, section 9.2).
struct Reconnection: Sendable {
    /// In milliseconds.
    private static let shortestWait: Int64 = 100
    /// One day, in milliseconds.
    private static let longestWait: Int64 = 86_400_000

    /// The wait before each connection.
    private var time = Duration.seconds(3)
    /// How many connections have failed, or brought no event, since the last event.
    private var failures = 0
    private var waits = 0
    private let start = ContinuousClock.now

    /// An event has come.
    mutating func succeed() { failures = 0 }

    /// A connection has failed, or brought no event.
    mutating func fail() { failures += 1 }

    /// Takes the wait that the server says in the stream.
    mutating func setWait(milliseconds: Int64) {
        time = .milliseconds(max(Self.shortestWait, min(milliseconds, Self.longestWait)))
    }

    /// Takes another wait.
    ///
    /// - Returns: the error after 1,000 waits that took no time, as in a test, whose mock would answer forever.
    mutating func countWait() -> APIError? {
        waits += 1
        if waits < 1000 || start.duration(to: .now) > .milliseconds(Self.shortestWait) * waits { return nil }
        return APIError(
            .mock, "the loop has connected \(waits) times, and no answer has ended it",
            fix: "leave the loop, let the mock answer 204 at last, as in .sequence([.file, .status(204)]), or set "
                + "\"open\": true in the mock's settings")
    }

    /// The wait before the next connection.
    ///
    /// - Parameter error: why the last connection failed; nil if it ended.
    func wait(by call: OpenCall, after error: APIError?) -> Duration {
        var wait = time
        if failures > 0 {
            wait += call.wait(.exponential(base: .seconds(1), maximum: .seconds(60)), beforeRetry: failures)
        }
        guard let asked = error.flatMap(call.waitAsked) else { return wait }
        return max(wait, min(asked, .milliseconds(Self.longestWait)))
    }

    /// True for a failure after which another connection may succeed.
    ///
    /// - Parameter wasConnected: true once there was a connection.
    func mayFollow(_ error: APIError, wasConnected: Bool) -> Bool {
        switch error.kind {
        case .offline, .timedOut: true
        case .status(let status): RetryPolicy.temporaryStatuses.contains(status)
        default:
            // A token that could not be refreshed fails as the refresh did. Foundation on Linux reports most errors of
            // a connection, and certificates that it does not trust, with the code `unknown`.
            (error.underlying as? APIError).map { mayFollow($0, wasConnected: wasConnected) } ?? error.isOfConnection
                || wasConnected && (error.underlying as? URLError)?.code == .unknown
        }
    }
}
