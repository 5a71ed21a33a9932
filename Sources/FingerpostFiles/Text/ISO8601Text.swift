package import Foundation

/// Dates as RFC 3339 has them, in both forms that people write: with and without a fraction of a second.
package enum ISO8601Text {
    private static let whole = Date.ISO8601FormatStyle()
    private static let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Milliseconds are written only where the date has some.
    package static func text(of date: Date) -> String {
        let milliseconds = (date.timeIntervalSinceReferenceDate * 1000).rounded()
        let rounded = Date(timeIntervalSinceReferenceDate: milliseconds / 1000)
        return milliseconds.truncatingRemainder(dividingBy: 1000) == 0
            ? whole.format(rounded) : fractional.format(rounded)
    }

    /// The date that a text is, from its first character to its last.
    package static func date(_ text: String) -> Date? {
        date(text, whole) ?? date(text, fractional)
    }

    private static func date(_ text: String, _ style: Date.ISO8601FormatStyle) -> Date? {
        // What fails is no date, or one of the other style. `parse` would pass over what stands behind a date.
        let found = try? style.consuming(text, startingAt: text.startIndex, in: text.startIndex..<text.endIndex)
        return found?.upperBound == text.endIndex ? found?.output : nil
    }

    /// The date of a text that people wrote: Foundation reads February 30 as March 2, and the hour 25 as one of the next day.
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
