public import Foundation

/// Where a route points: a path below the base URL, or an absolute URL.
///
/// Write it as a string literal. What you interpolate is one path segment, whatever it holds:
///
/// ```swift
/// "users/\(login)/repos"        // login "a/b c" gives users/a%2Fb%20c/repos
/// "files/\(raw: path)"          // inserted as it is, slashes and all
/// "https://status.example.com"  // absolute: the base URL is ignored
/// ```
///
/// Rules:
/// - Of an interpolated value only the unreserved characters (RFC 3986 section 2.3) stay; every other byte of its UTF-8
///   is percent-encoded. A segment that its values leave empty, `.` or `..` would lead elsewhere, so it is refused
///   with ``APIError/Kind-swift.enum/invalidRoute`` when the request is built.
/// - Literal text and `raw:` are written as in a URL: escapes (`%20`) stay, characters that cannot stand in a URL are
///   escaped, and the first `?` starts the query, to which the route's own query is added. `#` is escaped, as
///   requests have no fragment.
/// - Only literal text, `raw:` and a `URL` can make a path absolute; a value never can. A `URL` of another kind than http,
///   and text that starts as one (`mailto:`), is refused; `users:list` is a path.
public struct RoutePath: Hashable, Sendable {
    /// The path or absolute URL in UTF-8, percent-encoded, with the query if it has one.
    let bytes: [UInt8]
    /// Why no request can be built from it.
    let flaw: Flaw?

    enum Flaw: Hashable {
        /// It starts as a URL without `//`.
        case otherURL
        /// A value leaves its whole segment as this.
        case segment(Detour)

        /// The segments that lead elsewhere.
        enum Detour: String {
            case empty = ""
            case dot = "."
            case dots = ".."
        }
    }

    /// A path or absolute URL as it stands in a URL. For parts that need escaping use a literal with interpolation.
    public init(_ url: URL) {
        bytes = Array(url.absoluteString.utf8.prefix { $0 != UInt8(ascii: "#") })
        flaw = Self.flaw(ofStart: bytes, isURL: true)
    }

    /// A path known only at run time, under the rules of literal text. Build it from values with interpolation instead.
    public init(raw path: String) {
        var bytes: [UInt8] = []
        bytes.append(path, completingEscapes: PercentEncoding.writtenURL)
        self.bytes = bytes
        flaw = Self.flaw(ofStart: bytes, isURL: false)
    }

    private init(_ interpolation: StringInterpolation, flaw: Flaw?) {
        bytes = interpolation.bytes
        self.flaw = flaw ?? interpolation.flaw
    }

    /// The schemes that no resource of a server is called after, as in `users:list`.
    private static let schemes: Set<String> = ["http", "https", "mailto", "javascript", "tel"]

    /// - Parameter isURL: true where what stands before the first colon can be nothing but a scheme.
    fileprivate static func flaw(ofStart bytes: [UInt8], isURL: Bool) -> Flaw? {
        let end = bytes.firstIndex {
            $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?")
        }
        guard let end, bytes[end] == UInt8(ascii: ":"), !bytes[end...].starts(with: "://".utf8) else { return nil }
        return isURL || schemes.contains(String(decoding: bytes[..<end], as: UTF8.self).lowercased()) ? .otherURL : nil
    }

    func check() throws(APIError) {
        switch flaw {
        case nil: return
        case .otherURL:
            throw APIError(
                .invalidRoute, "\"\(Redaction.url(text))\" is neither a path nor an http URL",
                fix: "start a URL with https:// or http://, or write %3A for the colon of a path")
        case .segment(let segment):
            throw APIError(
                .invalidRoute,
                "a segment of the path \"\(text)\" is \(segment == .empty ? "empty" : "\"\(segment.rawValue)\"")",
                fix: "check the value before making the route, or insert it with \\(raw:)")
        }
    }

    /// The path or absolute URL, percent-encoded.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Without the query, and of an absolute URL without scheme and host.
    package var pathAlone: Substring {
        let path = text.prefix { $0 != "?" }
        guard let scheme = path.firstRange(of: "://") else { return path }
        let rest = path[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { rest[$0...] } ?? ""
    }

    /// This path with further segments, each escaped as an interpolated value is, before the query if there is one.
    func appending(_ segments: [String]) -> RoutePath {
        let question = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        var path = StringInterpolation(literalCapacity: bytes.count, interpolationCount: segments.count)
        path.bytes += bytes[..<question]
        for (index, segment) in segments.enumerated() {
            if index > 0 || !(question == 0 || bytes[question - 1] == UInt8(ascii: "/")) { path.appendLiteral("/") }
            path.appendInterpolation(segment)
        }
        path.bytes += bytes[question...]
        return RoutePath(path, flaw: flaw)
    }
}

extension RoutePath: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) {
        self.init(raw: value)
    }

    public init(stringInterpolation: StringInterpolation) {
        self.init(stringInterpolation, flaw: nil)
    }

    /// Collects the literal parts and the values of an interpolated path.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate(set) var bytes: [UInt8] = []
        /// What is wrong with the text that it starts with.
        private var flawOfStart: Flaw?
        /// Where values stand that could leave their whole segment empty, `.` or `..`.
        private var suspects: [Int] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        public mutating func appendLiteral(_ literal: String) {
            append(literal, isURL: false)
        }

        private mutating func append(_ literal: String, isURL: Bool) {
            let isStart = bytes.isEmpty
            bytes.append(literal, completingEscapes: PercentEncoding.writtenURL)
            if isStart { flawOfStart = RoutePath.flaw(ofStart: bytes, isURL: isURL) }
        }

        /// A value as one path segment, or as part of one.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            appendInterpolation(value.description)
        }

        /// A string as one path segment, or as part of one.
        public mutating func appendInterpolation(_ value: String) {
            if value.utf8.count < 3, value.utf8.allSatisfy({ $0 == UInt8(ascii: ".") }) { suspects.append(bytes.count) }
            bytes.append(value, escapingAllBut: PercentEncoding.unreserved)
        }

        /// A URL as it is, for a path below an absolute URL that is known only at run time.
        public mutating func appendInterpolation(_ url: URL) {
            append(url.absoluteString, isURL: true)
        }

        /// Text under the rules of literal text: slashes separate segments and escapes stay.
        public mutating func appendInterpolation(raw value: some CustomStringConvertible) {
            appendLiteral(value.description)
        }

        fileprivate var flaw: Flaw? {
            if let flawOfStart { return flawOfStart }
            for suspect in suspects {
                let before = bytes[..<suspect]
                // In the query nothing leads elsewhere.
                if before.contains(UInt8(ascii: "?")) { return nil }
                let isEnd = { (byte: UInt8) in byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") }
                let start = before.lastIndex(where: isEnd).map { $0 + 1 } ?? 0
                let end = bytes[suspect...].firstIndex(where: isEnd) ?? bytes.count
                let segment = Flaw.Detour(rawValue: String(decoding: bytes[start..<end], as: UTF8.self))
                if let segment { return .segment(segment) }
            }
            return nil
        }
    }
}

extension RoutePath: CustomStringConvertible {
    public var description: String { text }
}
