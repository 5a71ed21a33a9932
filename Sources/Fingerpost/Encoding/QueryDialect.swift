import FingerpostFiles
import Foundation

/// The format of arrays, nested values, booleans and dates in a query. Different servers expect different formats.
///
/// | Value | ``standard`` | ``rails`` | ``java`` |
/// |---|---|---|---|
/// | `["ids": [1, 2]]` | `ids=1&ids=2` | `ids[]=1&ids[]=2` | `ids=1&ids=2` |
/// | `["filter": ["name": "x"]]` | `filter[name]=x` | `filter[name]=x` | `filter.name=x` |
/// | `["flag": true]` | `flag=true` | `flag=true` | `flag=true` |
/// | `["items": [["id": 1]]]`, `["m": [[1, 2]]]` | an error | an error | an error |
///
/// PHP and Rails keep only the last value of a repeated name. For these servers, use ``rails``, because ``standard``
/// repeats names. In the table's three dialects, a list or an object inside a list causes an ``APIError`` of the kind
/// `encoding`. The reason is that different servers parse the same text as different lists. To send such values, use
/// `QueryDialect(arrays: .indexed)`, which writes `items[0][id]=1` and `m[0][0]=1`. PHP reads these names as the
/// original lists, and Rails reads them as an object with the keys `"0"`, `"1"`.
///
/// In every dialect, nil is left out, an empty array writes nothing, and `Data` is written as Base64. Dictionaries are
/// sorted by key, and the elements of sets are sorted by their text in the query. Every byte outside the unreserved
/// characters of RFC 3986 section 2.3 is percent-encoded, including brackets: a space becomes `%20`, and a plus sign
/// becomes `%2B`. The query is written by `QueryWriter`.
public struct QueryDialect: Sendable, Hashable {
    /// How the elements of an array are named.
    public enum ArrayStyle: Sendable, Hashable {
        /// `a=1&a=2`
        case repeated
        /// `a[]=1&a[]=2`
        case brackets
        /// `a[0]=1&a[1]=2`
        case indexed
    }

    /// How the fields of a nested value are named.
    public enum NestingStyle: Sendable, Hashable {
        /// `a[b]=1`
        case brackets
        /// `a.b=1`
        case dots
    }

    /// The format of booleans.
    public enum BooleanStyle: Sendable, Hashable {
        /// `true` and `false`
        case words
        /// `1` and `0`
        case numbers
    }

    /// The format of dates.
    public enum DateStyle: Sendable, Hashable {
        /// `2026-01-31T12:00:00Z`, with milliseconds if the date has a fraction of a second (RFC 3339).
        case iso8601
        /// Seconds since 1970, with a fraction if the date has a fraction of a second.
        case secondsSince1970
        /// Whole milliseconds since 1970.
        case millisecondsSince1970
    }

    let arrays: ArrayStyle
    let nesting: NestingStyle
    let booleans: BooleanStyle
    let dates: DateStyle

    /// Creates a dialect. If a style is omitted, the style of ``standard`` is used.
    public init(
        arrays: ArrayStyle = .repeated, nesting: NestingStyle = .brackets, booleans: BooleanStyle = .words,
        dates: DateStyle = .iso8601
    ) {
        self.arrays = arrays
        self.nesting = nesting
        self.booleans = booleans
        self.dates = dates
    }

    /// The names of arrays are repeated, and the names of nested values are in brackets. Most servers accept this
    /// format.
    public static let standard = QueryDialect()
    /// The names of arrays and of nested values have brackets, as Ruby on Rails and PHP expect.
    public static let rails = QueryDialect(arrays: .brackets)
    /// The names of arrays are repeated, and the names of nested values follow a dot, as Spring and other Java servers
    /// expect.
    public static let java = QueryDialect(nesting: .dots)
}

extension QueryDialect {
    func text(of flag: Bool) -> String {
        switch booleans {
        case .words: flag ? "true" : "false"
        case .numbers: flag ? "1" : "0"
        }
    }

    func text(of date: Date, _ path: [any CodingKey]) throws -> String {
        guard dates == .iso8601 ? ISO8601Text.canWrite(date) : date.timeIntervalSince1970.isFinite else {
            throw EncodingError(unwritable: date, codingPath: path)
        }
        return switch dates {
        case .iso8601: ISO8601Text.text(of: date)
        case .secondsSince1970:
            date.timeIntervalSince1970.rounded() == date.timeIntervalSince1970
                ? String(format: "%.0f", date.timeIntervalSince1970) : date.timeIntervalSince1970.description
        case .millisecondsSince1970: String(format: "%.0f", (date.timeIntervalSince1970 * 1000).rounded())
        }
    }
}
