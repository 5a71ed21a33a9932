public import Foundation

/// Dates as RFC 3339 has them, in both forms that servers send: with and without a fraction of a second.
enum ISO8601 {
    private static let whole = Date.ISO8601FormatStyle()
    private static let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Milliseconds are written only where the date has some.
    static func text(of date: Date) -> String {
        let milliseconds = (date.timeIntervalSinceReferenceDate * 1000).rounded()
        let rounded = Date(timeIntervalSinceReferenceDate: milliseconds / 1000)
        return milliseconds.truncatingRemainder(dividingBy: 1000) == 0
            ? whole.format(rounded) : fractional.format(rounded)
    }

    static func date(_ text: String) -> Date? {
        (try? whole.parse(text)) ?? (try? fractional.parse(text))
    }
}

extension JSONDecoder.DateDecodingStrategy {
    /// ISO 8601 with and without fractional seconds: the client's default.
    public static var lenientISO8601: Self {
        .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            if let date = ISO8601.date(text) { return date }
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is not an ISO 8601 date such as 2026-01-31T12:00:00Z")
        }
    }
}
