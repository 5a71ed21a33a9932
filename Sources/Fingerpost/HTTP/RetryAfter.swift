import FingerpostFiles
import Foundation

/// Reads the `Retry-After` of a response (RFC 9110 section 10.2.3), and other headers that servers send for the same
/// purpose.
enum RetryAfter {
    /// A header with milliseconds, which some services send because `Retry-After` is limited to whole seconds.
    private static let milliseconds: HTTPHeaders.Name = "retry-after-ms"

    /// Returns true if a response requests a wait.
    static func isPart(of headers: HTTPHeaders) -> Bool {
        headers[.retryAfter] != nil || headers[milliseconds] != nil
    }

    /// Returns the wait that a response requests with a number of milliseconds, a number of seconds, or a date. Seconds
    /// are rounded up. Returns nil if the response requests no wait, if the date is in the past, or if the value has
    /// another format.
    ///
    /// - Parameter now: the current time. If the response has a `Date`, this date is used instead, because the clocks
    ///   of the server and of this machine may differ.
    static func wait(in headers: HTTPHeaders, now: Date) -> Duration? {
        if let value = headers[milliseconds].flatMap(Self.number) {
            return value > 0 ? Self.wait(value / 1000) : nil
        }
        let wait = headers[.retryAfter].flatMap { read($0, sentAt: headers[.date], now: now, isStandard: true) }
        return wait == .zero ? nil : wait
    }

    /// Returns the wait that a value requests. Returns zero for a time in the past, and nil for an unreadable value.
    ///
    /// - Parameters:
    ///   - sent: the `Date` of the response.
    ///   - isStandard: false for headers other than `Retry-After`. In such a header, a large number is a time since
    ///     1970, in seconds or milliseconds. The value may also be a date of RFC 3339, or a duration in the format of
    ///     Go.
    static func read(_ value: String, sentAt sent: String?, now: Date, isStandard: Bool = false) -> Duration? {
        // A comma separates the values of a header that occurs twice, or is part of a date. The longest wait applies.
        var (before, longest) = (Substring(), Duration?.none)
        for part in value.parts(between: ",") {
            let wait = [String(part), "\(before),\(part)"].lazy
                .compactMap { readOne($0, sentAt: sent, now: now, isStandard) }.first
            (before, longest) = (part, [wait, longest].compactMap(\.self).max())
        }
        return longest
    }

    private static func readOne(_ value: String, sentAt sent: String?, now: Date, _ isStandard: Bool) -> Duration? {
        let value = value.trimmingCharacters(in: .whitespaces)
        let start = sent.flatMap { HTTPDate.date($0, now: now) } ?? now
        if let number = Self.number(value) {
            if !isStandard, number > Double(Duration.maximumSeconds) {
                // In milliseconds, 1e12 is in the year 2001; in seconds, 1e12 would be in the year 33658.
                return time(until: Date(timeIntervalSince1970: number < 1e12 ? number : number / 1000), from: start)
            }
            // Many servers send a fraction, although RFC 9110 does not allow it. The wait is rounded up, because a late
            // call costs less than an early call. A number that is too large for a `Double` becomes infinity, and gives
            // the longest wait.
            return wait(number.rounded(.up))
        }
        if let date = HTTPDate.date(value, now: now) { return time(until: date, from: start) }
        if isStandard { return nil }
        return ISO8601Text.date(value).map { time(until: $0, from: start) }
            ?? seconds(inDuration: value).map { wait($0.rounded(.up)) }
    }

    /// Reads a number without a sign or an exponent.
    private static func number(_ value: String) -> Double? {
        let value = value.trimmingCharacters(in: .whitespaces)
        let isNumber = value.parts(between: ".").allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }
        return isNumber ? Double(value) : nil
    }

    private static func time(until date: Date, from start: Date) -> Duration { wait(date.timeIntervalSince(start)) }

    private static func wait(_ seconds: Double) -> Duration {
        .seconds(max(0, min(seconds, Double(Duration.maximumSeconds))))
    }

    /// Returns the seconds of a duration such as `6m0s` or `1.5s`, or nil for any other text.
    private static func seconds(inDuration text: String) -> Double? {
        var (rest, seconds) = (text[...], 0.0)
        repeat {
            let unit = rest.without(leading: "0123456789.").prefix(before: "0123456789.")
            guard let count = Double(rest[..<unit.startIndex]), let size = units[String(unit)] else { return nil }
            seconds += count * size
            rest = rest[unit.endIndex...]
        } while !rest.isEmpty
        return seconds
    }

    /// The units of durations, in seconds. Unicode has two micro signs, of which the second is a Greek letter.
    private static let units = [
        "h": 3600, "m": 60, "s": 1, "ms": 1e-3, "us": 1e-6, "\u{B5}s": 1e-6, "\u{3BC}s": 1e-6, "ns": 1e-9,
    ]
}
