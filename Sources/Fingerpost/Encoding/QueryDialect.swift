/// How arrays, nested values, booleans and dates are written in a query, as servers differ in what they read.
///
/// | Value | ``standard`` | ``rails`` | ``java`` |
/// |---|---|---|---|
/// | `["ids": [1, 2]]` | `ids=1&ids=2` | `ids[]=1&ids[]=2` | `ids=1&ids=2` |
/// | `["filter": ["name": "x"]]` | `filter[name]=x` | `filter[name]=x` | `filter.name=x` |
/// | `["flag": true]` | `flag=true` | `flag=true` | `flag=true` |
///
/// In every dialect nil is left out, an empty array writes nothing, `Data` is Base64, dictionaries are sorted by their keys and
/// sets by what is written of their elements, and every byte outside the unreserved characters of RFC 3986 is
/// percent-encoded (brackets too): a space is `%20` and a plus `%2B`.
public struct QueryDialect: Sendable, Hashable {
    // `QueryWriter` writes the texts of all values, these included.

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

    /// How booleans are written.
    public enum BooleanStyle: Sendable, Hashable {
        /// `true` and `false`
        case words
        /// `1` and `0`
        case numbers
    }

    /// How dates are written.
    public enum DateStyle: Sendable, Hashable {
        /// `2026-01-31T12:00:00Z`, with milliseconds where the date has a fraction of a second (RFC 3339)
        case iso8601
        /// Seconds since 1970, with a fraction where there is one
        case secondsSince1970
        /// Whole milliseconds since 1970
        case millisecondsSince1970
    }

    public var arrays: ArrayStyle
    public var nesting: NestingStyle
    public var booleans: BooleanStyle
    public var dates: DateStyle

    public init(
        arrays: ArrayStyle = .repeated, nesting: NestingStyle = .brackets, booleans: BooleanStyle = .words,
        dates: DateStyle = .iso8601
    ) {
        self.arrays = arrays
        self.nesting = nesting
        self.booleans = booleans
        self.dates = dates
    }

    /// Repeated names for arrays and brackets for nested values: what most servers read.
    public static let standard = QueryDialect()
    /// Brackets for both: Ruby on Rails, PHP.
    public static let rails = QueryDialect(arrays: .brackets)
    /// Repeated names and dots: Spring and other Java servers.
    public static let java = QueryDialect(nesting: .dots)
}
