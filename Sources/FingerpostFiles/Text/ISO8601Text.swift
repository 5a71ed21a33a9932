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
        let rounded = Date(timeIntervalSinceReferenceDate: milliseconds / 1000)
        return milliseconds.truncatingRemainder(dividingBy: 1000) == 0
            ? whole.format(rounded) : fractional.format(rounded)
    }

    /// True for a date in the years 1 to 9999, which are the years that the text can represent (RFC 3339 section 1).
    package static func canWrite(_ date: Date) -> Bool {
        // From 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z, in seconds since 1970. False for a date that is not a
        // number.
        (-62_135_596_800...253_402_300_799).contains(date.timeIntervalSince1970)
    }

    /// The date that a text represents; nil if the text is not a date or contains anything besides the date.
    package static func date(_ text: String) -> Date? {
        date(text, whole) ?? date(text, fractional)
    }

    private static func date(_ text: String, _ style: Date.ISO8601FormatStyle) -> Date? {
        // `consuming` reports where the date ends, whereas `parse` ignores any text after the date.
        let found = try? style.consuming(text, startingAt: text.startIndex, in: text.startIndex..<text.endIndex)
        return found?.upperBound == text.endIndex ? found?.output : nil
    }

    /// Like ``date(_:)``, but returns nil for dates and times that do not exist. Foundation accepts such dates and
    /// times: for example, Foundation reads February 30 as March 2, and hour 25 as an hour on the next day.
    static func dateInCalendar(_ text: String) -> Date? {
        guard let match = text.prefixMatch(of: /(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)/) else { return nil }
        let (_, year, month, day, hour, minute, second) = match.output
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let components = DateComponents(
            calendar: calendar, year: Int(year), month: Int(month), day: Int(day), hour: Int(hour),
            minute: Int(minute), second: Int(second))
        return components.isValidDate ? date(text) : nil
    }
}
