import FingerpostFiles
package import Foundation

/// Reads dates in header fields (RFC 9110 section 5.6.7).
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Reads a date in one of the three formats of HTTP. Returns nil for any other text. The name of the weekday is
    /// ignored.
    ///
    /// - Parameter now: the current date, which decides the century of a year with two digits.
    package static func date(_ text: String, now: Date) -> Date? {
        let words = text.words(between: " ,-")
        return switch words.count {
        // Sun, 06 Nov 1994 08:49:37 GMT
        // Sunday, 06-Nov-94 08:49:37 GMT
        case 6 where words[5] == "GMT": date(day: words[1], words[2], year: words[3], words[4], now)
        // Sun Nov  6 08:49:37 1994
        case 5: date(day: words[2], words[1], year: words[4], words[3], now)
        default: nil
        }
    }

    private static func date(
        day: Substring, _ month: Substring, year: Substring, _ time: Substring, _ now: Date
    ) -> Date? {
        guard let day = number(day, digits: 1...2), let month = months.firstIndex(where: { $0 == month }),
            let year = self.year(year, now), time.utf8.count == 8, time.parts(between: ":").count == 3
        else { return nil }
        let date = String(format: "%04ld-%02ld-%02ld", year, month + 1, day)
        // A leap second has the number 60 (RFC 5322 section 3.3). `Date` cannot represent a leap second.
        return ISO8601Text.date("\(date)T\(time.ends(with: ":60") ? time.dropLast(2) + "59" : time)Z")
    }

    /// If a year of two digits seems to be more than 50 years in the future, it is a year of the previous century.
    private static func year(_ text: Substring, _ now: Date) -> Int? {
        if let year = number(text, digits: 4...4) { return year }
        let thisYear = Int(digits: ISO8601Text.text(of: now).prefix(4))
        guard let year = number(text, digits: 2...2), let current = thisYear else { return nil }
        let near = current - current % 100 + year
        return near > current + 50 ? near - 100 : near
    }

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
        digits.contains(text.utf8.count) ? Int(digits: text) : nil
    }
}
