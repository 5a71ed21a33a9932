package import Foundation

/// Reads and writes dates in ISO 8601 (RFC 3339), with or without fractional seconds.
package enum ISO8601Text {
    private static let whole = Date.ISO8601FormatStyle()

    /// Formats a date as text, rounded to milliseconds. A date in whole seconds has no fraction. Check an arbitrary
    /// date with ``canWrite(_:)`` first, because Foundation writes a date that is not a number as a year before Christ.
    package static func text(of date: Date) -> String {
        let milliseconds = (date.timeIntervalSinceReferenceDate * 1000).rounded()
        let seconds = (milliseconds / 1000).rounded(.down)
        let text = whole.format(Date(timeIntervalSinceReferenceDate: seconds))
        let fraction = milliseconds - seconds * 1000
        guard fraction > 0, fraction < 1000 else { return text }
        // Foundation would truncate the fraction. Half of all fractions are stored as slightly smaller numbers, so
        // their last digit would be wrong.
        return text.dropLast() + "." + String(1000 + Int(fraction)).dropFirst() + "Z"
    }

    /// Returns true for a date in the years 1 to 9999, the only years that the text can represent (RFC 3339 section 1).
    package static func canWrite(_ date: Date) -> Bool {
        // The range starts at 0001-01-01T00:00:00Z in Foundation's calendar, and ends at the last date that is rounded
        // to a millisecond of the year 9999. Both ends are in seconds since 1970. The result is false for a date that
        // is not a number.
        (first.timeIntervalSince1970..<last.timeIntervalSince1970 + 0.0005).contains(date.timeIntervalSince1970)
    }

    private static let first = Date(timeIntervalSince1970: -62_135_769_600)
    private static let last = Date(timeIntervalSince1970: 253_402_300_799.999)

    /// Returns the date that a text represents. Returns nil if the text is not a date, contains anything besides the
    /// date, or names a day or a time that does not exist. These formats are read:
    ///
    /// - `2026-01-31T12:00:00Z`, with a time zone such as `+01:00` in place of `Z`, and with a fraction of the seconds.
    ///   The letters `t` and `z`, and a space in place of `T`, are allowed (RFC 3339 section 5.6). A leap second,
    ///   `23:59:60` in UTC, is read as the second after it
    /// - `2026-01-31T12:00Z`, without seconds
    /// - `2026-01-31`, which is midnight in UTC
    ///
    /// If the time zone or the fraction leads outside the years 1 to 9999, the result is the first or the last date of
    /// these years. Therefore, every date that this method returns can be written.
    package static func date(_ text: String) -> Date? {
        var rest = Rest(bytes: text.utf8[...])
        guard let year = rest.number(4), year > 0, rest.skip("-"), let month = rest.number(2), rest.skip("-"),
            let day = rest.number(2), let days = self.days(before: year, month, day)
        else { return nil }
        var seconds = days * 86_400
        if rest.bytes.isEmpty { return Date(timeIntervalSince1970: Double(seconds)) }
        guard rest.skip("Tt "), let hour = rest.number(2), hour < 24, rest.skip(":"), let minute = rest.number(2),
            minute < 60, let second = rest.skip(":") ? rest.number(2) : 0, second <= 60,
            let fraction = rest.skip(".") ? rest.fraction() : 0, let offset = rest.zone(), rest.bytes.isEmpty
        else { return nil }
        seconds += Int64(hour * 3600 + minute * 60 + second - offset * 60)
        if second == 60, !seconds.isMultiple(of: 86_400) { return nil }
        return min(max(Date(timeIntervalSince1970: Double(seconds) + fraction), first), last)
    }

    /// The bytes of a text that have not been read.
    private struct Rest {
        var bytes: Substring.UTF8View

        /// Removes the next byte if the byte is one of the given ASCII characters.
        @inline(never)
        mutating func skip(_ characters: StaticString) -> Bool {
            guard let next = bytes.first, next.isOne(of: characters) else { return false }
            bytes.removeFirst()
            return true
        }

        /// Reads a number with exactly `count` digits.
        mutating func number(_ count: Int) -> Int? {
            let digits = bytes.prefix(count)
            bytes = bytes.dropFirst(count)
            return digits.count == count ? Int(digits: Substring(digits)) : nil
        }

        mutating func fraction() -> Double? {
            let digits = bytes.prefix(while: \.isASCIIDigit)
            bytes = bytes.dropFirst(digits.count)
            return digits.isEmpty ? nil : Double("0.\(Substring(digits))")
        }

        /// Reads a time zone, and returns its difference from UTC in minutes.
        mutating func zone() -> Int? {
            if skip("Zz") { return 0 }
            let sign = skip("-") ? -1 : 1
            guard sign < 0 || skip("+"), let hours = number(2), hours < 24,
                let minutes = bytes.isEmpty ? 0 : skip(":") ? number(2) : number(2), minutes < 60
            else { return nil }
            return sign * (hours * 60 + minutes)
        }
    }

    /// Returns the number of days from 1970 to a day, or nil for a day that does not exist. Days before 15 October 1582
    /// are counted in the Julian calendar, as in Foundation.
    private static func days(before year: Int, _ month: Int, _ day: Int) -> Int64? {
        let isJulian = (year, month, day) < (1582, 10, 15)
        let isLeapYear = year.isMultiple(of: 4) && (isJulian || !year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard lengths.indices.contains(month - 1), 1...lengths[month - 1] ~= day else { return nil }
        let years = year - 1
        let leapYears = years / 4 + (isJulian ? -2 : years / 400 - years / 100)
        // 719,162 days have passed from the year 1 to 1970.
        return Int64(years * 365 + leapYears + lengths[..<(month - 1)].reduce(day - 1, +)) - 719_162
    }
}
