import Foundation

/// Reads the `Retry-After` of a response (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// The wait that a response asks for: a number of seconds, rounded up, or the time until a date. Nil if the
    /// response asks for none, if the date is over, or if the value is neither.
    ///
    /// - Parameter now: the time now. If the response has a `Date`, that time counts instead, because the clocks of the
    ///   server and of this machine may differ.
    static func wait(in headers: HTTPHeaders, now: Date) -> Duration? {
        headers[.retryAfter].flatMap { wait($0, sentAt: headers[.date], now: now, allowsTimes: false) }
    }

    /// - Parameters:
    ///   - sent: the `Date` of the response.
    ///   - allowsTimes: true if a large number is a time since 1970, in seconds or milliseconds.
    static func wait(_ value: String, sentAt sent: String?, now: Date, allowsTimes: Bool = true) -> Duration? {
        let value = value.trimmingCharacters(in: .whitespaces)
        let start = sent.flatMap { HTTPDate.date($0, now: now) } ?? now
        let parts = value.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        if parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }), let number = Double(value) {
            let maximum = Double(Duration.maximumSeconds)
            if allowsTimes, number > maximum {
                // The milliseconds of 2001 are the seconds of the year 33658.
                return time(until: Date(timeIntervalSince1970: number < 1e12 ? number : number / 1000), from: start)
            }
            // Many servers send a fraction, which RFC 9110 does not know. A call that is late costs less than a call
            // that is early. A number that overflows is longer than any wait.
            return number == 0 ? nil : .seconds(min(number.rounded(.up), maximum))
        }
        return HTTPDate.date(value, now: now).flatMap { time(until: $0, from: start) }
    }

    private static func time(until date: Date, from start: Date) -> Duration? {
        let seconds = date.timeIntervalSince(start)
        return seconds <= 0 ? nil : .seconds(min(seconds, Double(Duration.maximumSeconds)))
    }
}
