import Foundation

/// Reads the `Retry-After` of a response (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// The longest wait, in seconds (more than thirty years). `Duration` traps on much larger values.
    private static let maximum = 1_000_000_000

    /// The wait that a response asks for: a number of seconds, or the time until a date. Nil if the response asks for
    /// none, if the date is over, or if the value is neither.
    ///
    /// - Parameter now: the time now. If the response has a `Date`, that time counts instead, because the clocks of the
    ///   server and of this machine may differ.
    static func wait(in headers: HTTPHeaders, now: Date) -> Duration? {
        guard let value = headers[.retryAfter]?.trimmingCharacters(in: .whitespaces), !value.isEmpty else { return nil }
        if value.utf8.allSatisfy(\.isASCIIDigit) {
            // A number that overflows is longer than any wait.
            let seconds = Int(value) ?? maximum
            return seconds == 0 ? nil : .seconds(min(seconds, maximum))
        }
        guard let date = HTTPDate.date(value, now: now) else { return nil }
        let start = headers[.date].flatMap { HTTPDate.date($0, now: now) } ?? now
        let seconds = date.timeIntervalSince(start)
        return seconds <= 0 ? nil : .seconds(min(seconds, Double(maximum)))
    }
}
