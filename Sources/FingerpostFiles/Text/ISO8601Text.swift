package import Foundation

/// Reads and writes dates in ISO 8601 (RFC 3339), with or without fractional seconds.
package enum ISO8601Text {
    private static let whole = Date.ISO8601FormatStyle()
    private static let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Formats a date as text, rounded to milliseconds. A date in whole seconds is written without a fraction. Check a
    /// date that may be arbitrary with ``canWrite(_:)`` first, because Foundation writes a date that is not a number as
    /// a year before Christ.
    package static func text(of date: Date) -> String {
        let milliseconds = (date.timeIntervalSinceReferenceDate * 1000).rounded()
        let seconds = (milliseconds / 1000).rounded(.down)
        let text = whole.format(Date(timeIntervalSinceReferenceDate: seconds))
        let fraction = milliseconds - seconds * 1000
        guard fraction > 0, fraction < 1000 else { return text }
        // Foundation would cut the fraction off, and half of all fractions are stored as slightly smaller numbers.
        let digits = String(Int(fraction))
        return text.dropLast() + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
    }

    /// True for a date in the years 1 to 9999, which are the years that the text can represent (RFC 3339 section 1).
    package static func canWrite(_ date: Date) -> Bool {
        // From 0001-01-01T00:00:00Z, by the calendar in which Foundation writes, to what is rounded to a millisecond of
        // the year 9999, in seconds since 1970. False for a date that is not a number.
        (first.timeIntervalSince1970..<last.timeIntervalSince1970 + 0.0005).contains(date.timeIntervalSince1970)
    }

    private static let first = Date(timeIntervalSince1970: -62_135_769_600)
    private static let last = Date(timeIntervalSince1970: 253_402_300_799.999)

    /// The date that a text represents; nil if the text is not a date, contains anything besides the date, or names a
    /// day or a time that does not exist. These forms are read:
    ///
    /// - `2026-01-31T12:00:00Z`, with a time zone such as `+01:00` in place of `Z`, and with a fraction of the seconds;
    ///   `t`, `z` and a space in place of `T` are allowed (RFC 3339 section 5.6). A leap second, `23:59:60` in UTC, is
    ///   the second after it
    /// - `2026-01-31T12:00Z`, without seconds
    /// - `2026-01-31`, which is midnight in UTC
    ///
    /// A text whose time zone or fraction leads out of the years 1 to 9999 is the first or the last date in them, so
    /// that every date that was read can be written.
    package static func date(_ text: String) -> Date? {
        guard let complete = complete(text), let date = date(complete, whole) ?? date(complete, fractional) else {
            return nil
        }
        let isLeapSecond = complete.utf8.dropFirst(17).starts(with: "60".utf8)
        let seconds = date.timeIntervalSince1970.rounded(.down)
        return isLeapSecond && seconds.remainder(dividingBy: 86_400) != 0 ? nil : min(max(date, first), last)
    }

    private static func date(_ text: String, _ style: Date.ISO8601FormatStyle) -> Date? {
        // `consuming` reports where the date ends, whereas `parse` ignores any text after the date.
        let found = try? style.consuming(text, startingAt: text.startIndex, in: text.startIndex..<text.endIndex)
        return found?.upperBound == text.endIndex ? found?.output : nil
    }

    /// The text in the form that Foundation reads, with `T`, `Z` and seconds; nil for days and times that do not exist.
    /// Foundation accepts these: it reads February 30 as March 2, and hour 25 as an hour of the next day.
    private static func complete(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, let year = number(bytes, 0..<4), year > 0, bytes[4] == dash,
            let month = number(bytes, 5..<7),
            bytes[7] == dash,
            let day = number(bytes, 8..<10), (1...12).contains(month),
            (1...days(in: month, of: year)).contains(day)
        else { return nil }
        if bytes.count == 10 { return text + "T00:00:00Z" }
        guard bytes.count > 16, "Tt ".utf8.contains(bytes[10]), let hour = number(bytes, 11..<13), hour < 24,
            bytes[13] == colon, let minute = number(bytes, 14..<16), minute < 60
        else { return nil }
        var rest = bytes[16...]
        var seconds = "00"
        if rest.first == colon {
            guard let second = number(bytes, 17..<19), second <= 60 else { return nil }
            seconds = String(decoding: bytes[17..<19], as: UTF8.self)
            rest = bytes[19...]
        }
        if rest.first == UInt8(ascii: ".") {
            // Foundation reads nine digits at most.
            let digits = rest.dropFirst().prefix(while: \.isASCIIDigit)
            rest = rest.prefix(1) + digits.prefix(9) + rest.dropFirst(1 + digits.count)
        }
        guard hasRealZone(rest) else { return nil }
        let date = String(decoding: bytes[..<10], as: UTF8.self)
        let time = String(decoding: bytes[11..<16], as: UTF8.self)
        return "\(date)T\(time):\(seconds)" + String(decoding: rest, as: UTF8.self).replacing("z", with: "Z")
    }

    /// False for a time zone of 24 hours or more, or with 60 minutes or more, which Foundation accepts.
    private static func hasRealZone(_ rest: ArraySlice<UInt8>) -> Bool {
        guard let sign = rest.lastIndex(where: { "+-".utf8.contains($0) }) else { return true }
        let digits = rest[(sign + 1)...].filter { $0 != colon }
        guard let hours = number(digits, 0..<2), hours < 24 else { return false }
        return digits.count == 2 || number(digits, 2..<4).map { $0 < 60 } ?? false
    }

    /// The number that the digits in a range of the bytes form; nil if the range has other bytes or the text ends in
    /// it.
    private static func number(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        guard bytes.count >= range.upperBound else { return nil }
        return bytes[range].reduce(0) { number, byte in
            guard let number, byte.isASCIIDigit else { return nil }
            return number * 10 + Int(byte - UInt8(ascii: "0"))
        }
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")
}
