import FingerpostFiles

extension HTTPHeaders {
    /// The name of a header field: a token (RFC 9110 section 5.6.2), compared without regard to letter case.
    ///
    /// Registered names that apps commonly use are static members. Write any other name as a string literal, such as
    /// `"X-Trace"`.
    public struct Name: Sendable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The name in its original spelling. Requests contain the name in this spelling.
        public let rawValue: String

        /// Creates a name from a string known only at run time. If the name of a header is not a token, the request
        /// fails with ``APIError/Kind-swift.enum/invalidRoute``.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates the name from a literal, which is checked when the request is built.
        public init(stringLiteral value: String) { rawValue = value }

        /// The ``rawValue``.
        public var description: String { rawValue }
    }
}

extension HTTPHeaders.Name: Hashable {
    // The following functions are not inlined, because headers are searched in very many places.

    /// Compares names without regard to ASCII letter case.
    @inline(never)
    public static func == (a: Self, b: Self) -> Bool {
        guard a.rawValue.utf8.count == b.rawValue.utf8.count else { return false }
        return a.rawValue == b.rawValue
            || a.rawValue.utf8.lazy.map(\.lowercasedASCII).elementsEqual(b.rawValue.utf8.lazy.map(\.lowercasedASCII))
    }

    /// Hashes the name without regard to the case of its letters.
    @inline(never)
    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte.lowercasedASCII) }
    }
}

extension HTTPHeaders.Name {
    /// Media types that the client accepts (RFC 9110 section 12.5.1).
    public static var accept: Self { "Accept" }
    /// Credentials for the server (RFC 9110 section 11.6.2).
    public static var authorization: Self { "Authorization" }
    /// Length of the body in bytes. The connection sets this field (RFC 9110 section 8.6).
    public static var contentLength: Self { "Content-Length" }
    /// Media type of the body (RFC 9110 section 8.3).
    public static var contentType: Self { "Content-Type" }
    /// Cookies that the client sends back to the server (RFC 6265 section 4.2).
    public static var cookie: Self { "Cookie" }
    /// Identifier of the resource's version (RFC 9110 section 8.8.3).
    public static var etag: Self { "ETag" }
    /// Behaviour that the server must support, such as `100-continue` (RFC 9110 section 10.1.1).
    public static var expect: Self { "Expect" }
    /// Makes the server proceed only if no entity tag matches, to revalidate a cached response (RFC 9110 section
    /// 13.1.2).
    public static var ifNoneMatch: Self { "If-None-Match" }
    /// Links to related resources, such as the next page (RFC 8288 section 3).
    public static var link: Self { "Link" }
    /// URL of a redirect or of a created resource (RFC 9110 section 10.2.2).
    public static var location: Self { "Location" }
    /// When to retry: seconds or a date (RFC 9110 section 10.2.3).
    public static var retryAfter: Self { "Retry-After" }
    /// Authentication challenge from the server (RFC 9110 section 11.6.1).
    public static var wwwAuthenticate: Self { "WWW-Authenticate" }

    // The following names are used by the library's own rules. An app writes them as literals.
    static var contentEncoding: Self { "Content-Encoding" }
    static var date: Self { "Date" }
    static var host: Self { "Host" }
    static var idempotencyKey: Self { "Idempotency-Key" }
    static var setCookie: Self { "Set-Cookie" }
    static var transferEncoding: Self { "Transfer-Encoding" }

    /// The separator between several values with the same name (RFC 9110 section 5.3, RFC 6265 section 5.4).
    var separator: String { self == .cookie ? "; " : ", " }
}

extension UInt8 {
    /// This byte, converted to lower case if it is an ASCII letter.
    var lowercasedASCII: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
extension HTTPHeaders.Name {
    /// True if the field's value is a credential. Credentials are redacted, and are not sent to another origin.
    var isSensitive: Bool { SensitiveName.isHeader(rawValue) }

    /// True if a header with this name may be sent to another origin. ``HTTPHeaders/Field/mayFollow(authorization:)``
    /// also checks the value.
    ///
    /// - Parameter authorization: the names of the client's authorization headers. These names may look harmless.
    package func mayFollow(authorization: Set<HTTPHeaders.Name>) -> Bool {
        !isSensitive && !authorization.contains(self)
    }
}
