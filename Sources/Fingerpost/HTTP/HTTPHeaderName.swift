extension HTTPHeaders {
    /// The name of a header field: a token (RFC 9110 section 5.6.2) in which letter case does not count.
    ///
    /// Registered names that apps use are static members; any other is a string literal: `"X-Trace"`.
    public struct Name: Sendable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The name as it was written, and as it is sent.
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public init(stringLiteral value: String) {
            rawValue = value
        }

        public var description: String { rawValue }
    }
}

extension HTTPHeaders.Name: Hashable {
    public static func == (a: Self, b: Self) -> Bool {
        guard a.rawValue.utf8.count == b.rawValue.utf8.count else { return false }
        return a.rawValue == b.rawValue
            || a.rawValue.utf8.lazy.map(\.lowercasedASCII).elementsEqual(b.rawValue.utf8.lazy.map(\.lowercasedASCII))
    }

    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte.lowercasedASCII) }
    }
}

extension HTTPHeaders.Name {
    public static let accept: Self = "Accept"
    public static let acceptCharset: Self = "Accept-Charset"
    public static let acceptEncoding: Self = "Accept-Encoding"
    public static let acceptLanguage: Self = "Accept-Language"
    public static let acceptRanges: Self = "Accept-Ranges"
    public static let age: Self = "Age"
    public static let allow: Self = "Allow"
    public static let authorization: Self = "Authorization"
    public static let cacheControl: Self = "Cache-Control"
    public static let connection: Self = "Connection"
    public static let contentDisposition: Self = "Content-Disposition"
    public static let contentEncoding: Self = "Content-Encoding"
    public static let contentLanguage: Self = "Content-Language"
    public static let contentLength: Self = "Content-Length"
    public static let contentLocation: Self = "Content-Location"
    public static let contentRange: Self = "Content-Range"
    public static let contentType: Self = "Content-Type"
    public static let cookie: Self = "Cookie"
    public static let date: Self = "Date"
    public static let etag: Self = "ETag"
    public static let expect: Self = "Expect"
    public static let expires: Self = "Expires"
    public static let from: Self = "From"
    public static let host: Self = "Host"
    public static let idempotencyKey: Self = "Idempotency-Key"
    public static let ifMatch: Self = "If-Match"
    public static let ifModifiedSince: Self = "If-Modified-Since"
    public static let ifNoneMatch: Self = "If-None-Match"
    public static let ifRange: Self = "If-Range"
    public static let ifUnmodifiedSince: Self = "If-Unmodified-Since"
    public static let lastModified: Self = "Last-Modified"
    public static let link: Self = "Link"
    public static let location: Self = "Location"
    public static let origin: Self = "Origin"
    public static let pragma: Self = "Pragma"
    public static let prefer: Self = "Prefer"
    public static let proxyAuthenticate: Self = "Proxy-Authenticate"
    public static let proxyAuthorization: Self = "Proxy-Authorization"
    public static let range: Self = "Range"
    public static let referer: Self = "Referer"
    public static let retryAfter: Self = "Retry-After"
    public static let server: Self = "Server"
    public static let setCookie: Self = "Set-Cookie"
    public static let te: Self = "TE"
    public static let trailer: Self = "Trailer"
    public static let transferEncoding: Self = "Transfer-Encoding"
    public static let upgrade: Self = "Upgrade"
    public static let userAgent: Self = "User-Agent"
    public static let vary: Self = "Vary"
    public static let via: Self = "Via"
    public static let wwwAuthenticate: Self = "WWW-Authenticate"

    /// What stands between the values of a name that has several.
    var separator: String { self == .cookie ? "; " : ", " }

    /// True when the value is a credential that must not be shown or sent to another origin.
    var isSensitive: Bool { SensitiveName.isSensitive(rawValue) }
}

extension UInt8 {
    var lowercasedASCII: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
