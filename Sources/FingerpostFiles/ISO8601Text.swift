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
}
