import FingerpostFiles
public import Foundation

/// The target of a route: a path below the base URL, or an absolute URL.
///
/// Write the path as a string literal. Each interpolated value is one path segment:
///
/// ```swift
/// let repos: RoutePath = "users/\(login)/repos"  // login "a/b c" gives users/a%2Fb%20c/repos
/// let file: RoutePath = "files/\(raw: path)"  // inserted as written, including slashes
/// let users: RoutePath = "\(prefix)/users"  // also as written: static let prefix: RoutePath = "api/v1"
/// let status: RoutePath = "https://status.example.com"  // absolute: the base URL is ignored
/// ```
///
/// Rules:
/// - Interpolated values keep only the unreserved characters (RFC 3986 section 2.3); every other UTF-8 byte is
///   percent-encoded. If a value makes its whole segment empty, `.` or `..`, the path leads to a different resource, so
///   building a request from that path throws ``APIError/Kind-swift.enum/invalidRoute``.
/// - Literal text and `raw:` are URL syntax: escapes (`%20`) are kept, and characters that a URL cannot contain are
///   escaped. An empty segment in literal text (`users//repos`) is an error as well; `raw:` allows empty segments. The
///   first `?` starts the query; the route's own query is added to this query. Requests have no fragment, so a `#` in a
///   path is escaped. In an absolute URL, `#` and everything after it are dropped, including interpolated values.
/// - Only literal text, `raw:` and a `URL` can make a path absolute; an interpolated value cannot. A `URL` whose scheme
///   is not http or https is rejected, and so is text that starts with another well-known scheme, such as `mailto:`.
///   Text such as `users:list` is accepted as a path, because `users` is not a well-known scheme.
public struct RoutePath: Equatable, Sendable {
    /// The path or absolute URL in UTF-8, percent-encoded, including its query if there is one.
    let bytes: [UInt8]
    /// True if this is an absolute URL, which is not joined to the base URL.
    package let isAbsolute: Bool
    /// Why this path is invalid; nil for a valid path.
    let flaw: Flaw?

    /// True if the path may name environment keys, as in `{env.tenant}`. Other braces are escaped, except in a path
    /// that was created from a `URL`.
    var namesKeys: Bool { bytes.contains(UInt8(ascii: "{")) }

    enum Flaw: Equatable {
        /// The text starts with a scheme that is not followed by `//`.
        case otherURL
        /// Literal text has two slashes in a row.
        case emptyLiteral
        /// An interpolated value makes the whole path segment empty, `.` or `..`, which changes where the path leads.
        case segment(String)
    }
}

extension RoutePath {
    /// Creates a path from a URL, verbatim except for the fragment, which is dropped. If parts of the path need
    /// escaping, use a literal with interpolation instead.
    public init(_ url: URL) {
        bytes = Array(url.absoluteString.utf8.prefix { $0 != UInt8(ascii: "#") })
        isAbsolute = URLText.isAbsolute(bytes)
        flaw = Self.flaw(ofStart: bytes, isURL: true)
    }

    /// Creates a path from a string that is known only at run time. The string follows the rules of literal text. To
    /// insert values, use interpolation instead.
    public init(raw path: String) { self = "\(raw: path)" }

    /// Schemes that are rejected in literal text. Other words before a colon can be resource names, as in `users:list`.
    private static let schemes = ["http", "https", "mailto", "javascript", "tel"]

    /// - Parameter isURL: true if the bytes come from a `URL`, in which the text before the first colon can only be a
    ///   scheme.
    fileprivate static func flaw(ofStart bytes: [UInt8], isURL: Bool) -> Flaw? {
        let end = bytes.firstIndex {
            $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?")
        }
        guard let end, bytes[end] == UInt8(ascii: ":"), !bytes[end...].begins(with: "://") else { return nil }
        return isURL || schemes.contains(String(decoding: bytes[..<end], as: UTF8.self).lowercased()) ? .otherURL : nil
    }

    func check() throws(APIError) {
        switch flaw {
        case nil: return
        case .otherURL:
            throw APIError(
                .invalidRoute, "\"\(Redaction.url(text))\" is neither a path nor an http URL",
                fix: "start a URL with https:// or http://, or write %3A for the colon of a path")
        case .emptyLiteral:
            throw APIError(
                .invalidRoute, "a segment of the path \"\(Redaction.url(text))\" is empty",
                fix: "remove a slash, or insert the path with \\(raw:), which keeps empty segments")
        case .segment(let segment):
            throw APIError(
                .invalidRoute,
                "a segment of the path \"\(Redaction.url(text))\" is "
                    + (segment.isEmpty ? "empty" : "\"\(segment)\""),
                fix: "check the value before building the route, or insert it with \\(raw:)")
        }
    }

    /// The path or absolute URL, percent-encoded.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns this path with further segments. The segments are escaped like interpolated values, and inserted before
    /// the query if there is one.
    func appending(_ segments: [String]) -> RoutePath {
        let question = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        var path = StringInterpolation(literalCapacity: bytes.count, interpolationCount: segments.count)
        path.bytes += bytes[..<question]
        for (index, segment) in segments.enumerated() {
            if index > 0 || !(question == 0 || bytes[question - 1] == UInt8(ascii: "/")) { path.appendLiteral("/") }
            path.appendInterpolation(segment)
        }
        path.bytes += bytes[question...]
        return RoutePath(bytes: path.bytes, isAbsolute: isAbsolute, flaw: flaw ?? path.flaw(in: path.bytes[...]))
    }

    /// Returns a path with the given text in place of this path's text. The text must not name other environment keys.
    package func with(text: String) -> RoutePath {
        RoutePath(bytes: Array(text.utf8), isAbsolute: isAbsolute, flaw: flaw)
    }

    // MARK: Environment keys

    /// The text before the name of a key in the placeholder that `\(revealing:)` inserts.
    private static let revealedKey = "{secret env."

    /// Returns the path with each environment key replaced by its value. The values are escaped like interpolated
    /// values.
    ///
    /// - Throws: ``APIError`` if a key has no value, or if its value cannot be written into a path.
    func resolved(by lookup: KeyLookup) throws -> RoutePath {
        if !namesKeys { return self }
        var path = StringInterpolation(literalCapacity: bytes.count, interpolationCount: 4)
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "{")),
            let end = rest[start...].firstIndex(of: UInt8(ascii: "}"))
        {
            path.bytes += rest[..<start]
            let found = String(decoding: rest[start..<end], as: UTF8.self)
            let isRevealed = found.begins(with: Self.revealedKey)
            let prefix = isRevealed ? Self.revealedKey : LayeredEnvironment.keyStart
            // A path that was created from a `URL` may contain other braces.
            guard found.begins(with: prefix) else { break }
            let name = String(Substring(found.utf8.dropFirst(prefix.utf8.count)))
            let isInQuery = path.bytes.contains(UInt8(ascii: "?"))
            let place: KeyLookup.Place = isRevealed ? .revealed : isInQuery ? .query : .path
            path.appendInterpolation(try lookup.text(name.removingPercentEncoding ?? name, at: place))
            rest = rest[(end + 1)...]
        }
        path.bytes += rest
        return RoutePath(bytes: path.bytes, isAbsolute: isAbsolute, flaw: flaw ?? path.flaw(in: path.bytes[...]))
    }
}

extension RoutePath: ExpressibleByStringInterpolation {
    /// Creates a path from a literal. The literal is URL syntax, as in ``init(raw:)``, but must not contain empty
    /// segments.
    public init(stringLiteral value: String) {
        var interpolation = StringInterpolation(literalCapacity: value.utf8.count, interpolationCount: 0)
        interpolation.appendLiteral(value)
        self.init(stringInterpolation: interpolation)
    }

    /// Creates the path from a literal whose interpolated values are escaped.
    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.path }

    /// Collects the literal parts and the values of an interpolated path. The compiler uses this type for string
    /// literals with interpolation.
    public struct StringInterpolation: StringInterpolationProtocol {
        /// The path so far. Literal text keeps `#` and brackets until the path is complete.
        fileprivate(set) var bytes: [UInt8] = []
        /// The first flaw in the literal text or in an inserted path, with the flaw's offset.
        private var flawOfText: (flaw: Flaw, place: Int)?
        /// True if the bytes so far end with an inserted path. If the path ends with a slash and the next literal
        /// begins with one, the segment between the slashes is empty.
        private var endsInPath = false
        /// The offsets of interpolated values that could make a whole path segment empty, `.` or `..`.
        private var suspects: [Int] = []

        /// Creates an empty buffer with room for the literal and its values.
        public init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Appends literal text. Escapes are kept, and characters that a URL cannot contain are escaped.
        @inline(never)
        public mutating func appendLiteral(_ literal: String) {
            let start = endsInPath ? bytes.count - 1 : bytes.count
            append(literal)
            for index in bytes.indices.dropFirst(start + 1)
            where bytes[index] == UInt8(ascii: "/") && bytes[index - 1] == UInt8(ascii: "/")
                // The slashes after a scheme do not start a segment.
                && (index == 1 || bytes[index - 2] != UInt8(ascii: ":"))
            {
                note(.emptyLiteral, at: index)
            }
        }

        @inline(never)
        private mutating func append(_ text: String, isURL: Bool = false) {
            let isStart = bytes.isEmpty
            bytes.append(completingEscapesOf: text)
            if isStart { note(RoutePath.flaw(ofStart: bytes, isURL: isURL), at: 0) }
            endsInPath = false
        }

        private mutating func note(_ flaw: Flaw?, at place: Int) {
            if let flaw, flawOfText == nil { flawOfText = (flaw, place) }
        }

        /// Appends a value as one path segment, or as part of a segment.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            appendInterpolation(value.description)
        }

        /// Appends a string as one path segment, or as part of a segment.
        public mutating func appendInterpolation(_ value: String) {
            if value.utf8.count < 3, value.hasOnly({ $0 == UInt8(ascii: ".") }) { suspects.append(bytes.count) }
            bytes.append(value, escapingAllBut: PercentEncoding.unreserved)
        }

        /// Appends another path verbatim, such as a prefix that several cases share, or the path of another case.
        public mutating func appendInterpolation(_ path: RoutePath) {
            if path.bytes.isEmpty { return }
            let isEmptySegment = bytes.last == UInt8(ascii: "/") && path.bytes.first == UInt8(ascii: "/")
            note(isEmptySegment ? .emptyLiteral : path.flaw, at: bytes.count)
            bytes += path.bytes
            endsInPath = true
        }

        /// Appends a URL verbatim, except for its fragment. Use this method to start a path with an absolute URL that
        /// is known only at run time.
        public mutating func appendInterpolation(_ url: URL) {
            append(String(url.absoluteString.prefix { $0 != "#" }), isURL: true)
        }

        /// Appends text that follows the rules of literal text: slashes separate segments, and escapes are kept.
        public mutating func appendInterpolation(raw value: some CustomStringConvertible) { append(value.description) }

        /// Appends the value of an environment key as one path segment, or as part of a segment or a query:
        /// `"tenants/\(environment: "tenant")/users"`. The value is looked up in the environment of the call when a
        /// request is built.
        ///
        /// - Parameter key: the key's dotted path. The key must not be a secret, because URLs are kept in logs.
        public mutating func appendInterpolation(environment key: String) {
            append(key, after: LayeredEnvironment.keyStart)
        }

        /// Appends a secret of the environment, for servers that accept a secret only in the URL:
        /// `"tiles?key=\(revealing: "maps.key")"`. Servers and proxies keep URLs in their logs, so send a secret in a
        /// header where you can. The errors and logs of this library do not show the secret.
        ///
        /// - Parameter key: the key's dotted path.
        public mutating func appendInterpolation(revealing key: String) { append(key, after: RoutePath.revealedKey) }

        private mutating func append(_ key: String, after start: String) {
            bytes.append(start)
            bytes.append(key, escapingAllBut: PercentEncoding.unreserved)
            bytes.append(UInt8(ascii: "}"))
        }

        /// The complete path. An absolute URL loses its fragment, and keeps brackets in its host (RFC 3986 section
        /// 3.2.2). Any other `#` or bracket is escaped. A value cannot make a path absolute, because its colons are
        /// escaped.
        fileprivate var path: RoutePath {
            let isAbsolute = URLText.isAbsolute(bytes)
            // Most paths contain none of these characters.
            guard bytes.contains(where: PercentEncoding.keptInText.contains) else {
                return RoutePath(bytes: bytes, isAbsolute: isAbsolute, flaw: flaw(in: bytes[...]))
            }
            let text = isAbsolute ? bytes.prefix { $0 != UInt8(ascii: "#") } : bytes[...]
            let host = isAbsolute ? text.drop { $0 != UInt8(ascii: ":") }.dropFirst("://".count) : text.prefix(0)
            let start = host.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }.endIndex
            var path = Array(text[..<start])
            for byte in text[start...] {
                if PercentEncoding.keptInText.contains(byte) { path.append(escaped: byte) } else { path.append(byte) }
            }
            return RoutePath(bytes: path, isAbsolute: isAbsolute, flaw: flaw(in: text))
        }

        /// The first flaw of the path. In a query, empty text, `.` and `..` have no special meaning.
        ///
        /// - Parameter text: the bytes without the fragment of an absolute URL, because the fragment is dropped.
        fileprivate func flaw(in text: ArraySlice<UInt8>) -> Flaw? {
            if flawOfText == nil, suspects.isEmpty { return nil }
            let path = text.prefix { $0 != UInt8(ascii: "?") }
            if let flawOfText, flawOfText.place < path.endIndex { return flawOfText.flaw }
            for suspect in suspects where suspect <= path.endIndex {
                let start = path[..<suspect].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
                let segment = path[start...].prefix { $0 != UInt8(ascii: "/") }
                if segment.count < 3, segment.allSatisfy({ $0 == UInt8(ascii: ".") }) {
                    return .segment(String(decoding: segment, as: UTF8.self))
                }
            }
            return nil
        }
    }
}

extension RoutePath: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The path or absolute URL, percent-encoded, including any secrets in its query.
    public var description: String { text }

    /// The path or absolute URL, without credentials.
    public var debugDescription: String { Redaction.url(text) }

    /// Empty, so that `dump` shows ``debugDescription``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
