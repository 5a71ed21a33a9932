import FingerpostFiles

extension HTTPHeaders {
    /// The name of a header field: a token (RFC 9110 section 5.6.2), compared without regard to letter case.
    ///
    /// Registered names that apps commonly use are static members. Write any other name as a string literal, such as
    /// `"X-Trace"`.
    public struct Name: Sendable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The name in its original spelling. Requests contain the name in this spelling.
        public let rawValue: String

        /// Creates a name from a string known only at run time. A request with a name that is not a token fails with
        /// ``APIError/Kind-swift.enum/invalidRoute``.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates the name from a literal, which is checked when the request is built.
        public init(stringLiteral value: String) { rawValue = value }

        /// The ``rawValue``.
        public var description: String { rawValue }
    }
}

extension HTTPHeaders.Name: Hashable {
    // Not inlined: headers are searched in very many places.

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
    /// Charsets that the client accepts; deprecated (RFC 9110 section 12.5.2).
    public static var acceptCharset: Self { "Accept-Charset" }
    /// Content codings that the client accepts, such as `gzip` (RFC 9110 section 12.5.3).
    public static var acceptEncoding: Self { "Accept-Encoding" }
    /// Languages that the user prefers (RFC 9110 section 12.5.4).
    public static var acceptLanguage: Self { "Accept-Language" }
    /// Units for `Range` that the server supports (RFC 9110 section 14.3).
    public static var acceptRanges: Self { "Accept-Ranges" }
    /// How many seconds the response has spent in caches (RFC 9111 section 5.1).
    public static var age: Self { "Age" }
    /// Methods that the resource supports (RFC 9110 section 10.2.1).
    public static var allow: Self { "Allow" }
    /// Credentials for the server (RFC 9110 section 11.6.2).
    public static var authorization: Self { "Authorization" }
    /// Directives for caches (RFC 9111 section 5.2).
    public static var cacheControl: Self { "Cache-Control" }
    /// Options for this connection only (RFC 9110 section 7.6.1).
    public static var connection: Self { "Connection" }
    /// How to present the body, and the body's file name (RFC 6266 section 4).
    public static var contentDisposition: Self { "Content-Disposition" }
    /// Codings applied to the body, such as `gzip` (RFC 9110 section 8.4).
    public static var contentEncoding: Self { "Content-Encoding" }
    /// Language of the body's intended audience (RFC 9110 section 8.5).
    public static var contentLanguage: Self { "Content-Language" }
    /// Length of the body in bytes. The connection sets this field (RFC 9110 section 8.6).
    public static var contentLength: Self { "Content-Length" }
    /// URL of the representation in the body (RFC 9110 section 8.7).
    public static var contentLocation: Self { "Content-Location" }
    /// Position of a partial body in the complete body (RFC 9110 section 14.4).
    public static var contentRange: Self { "Content-Range" }
    /// Media type of the body (RFC 9110 section 8.3).
    public static var contentType: Self { "Content-Type" }
    /// Cookies that the client sends back to the server (RFC 6265 section 4.2).
    public static var cookie: Self { "Cookie" }
    /// When the message was created (RFC 9110 section 6.6.1).
    public static var date: Self { "Date" }
    /// Identifier of the resource's version (RFC 9110 section 8.8.3).
    public static var etag: Self { "ETag" }
    /// Behaviour that the server must support, such as `100-continue` (RFC 9110 section 10.1.1).
    public static var expect: Self { "Expect" }
    /// When the response becomes stale (RFC 9111 section 5.3).
    public static var expires: Self { "Expires" }
    /// Email address of the person in control of the client (RFC 9110 section 10.1.2).
    public static var from: Self { "From" }
    /// Host and port of the target. The connection sets this field (RFC 9110 section 7.2).
    public static var host: Self { "Host" }
    /// Key by which the server recognises a repeated request (draft-ietf-httpapi-idempotency-key-header).
    public static var idempotencyKey: Self { "Idempotency-Key" }
    /// Makes the server proceed only if the entity tag matches, to avoid lost updates (RFC 9110 section 13.1.1).
    public static var ifMatch: Self { "If-Match" }
    /// Makes the server send the body only if the resource has changed since this date (RFC 9110 section 13.1.3).
    public static var ifModifiedSince: Self { "If-Modified-Since" }
    /// Makes the server proceed only if no entity tag matches, to revalidate a cached response (RFC 9110 section
    /// 13.1.2).
    public static var ifNoneMatch: Self { "If-None-Match" }
    /// Makes the server apply `Range` only if the resource is unchanged (RFC 9110 section 13.1.5).
    public static var ifRange: Self { "If-Range" }
    /// Makes the server proceed only if the resource has not changed since this date (RFC 9110 section 13.1.4).
    public static var ifUnmodifiedSince: Self { "If-Unmodified-Since" }
    /// When the resource last changed (RFC 9110 section 8.8.2).
    public static var lastModified: Self { "Last-Modified" }
    /// Links to related resources, such as the next page (RFC 8288 section 3).
    public static var link: Self { "Link" }
    /// URL of a redirect or of a created resource (RFC 9110 section 10.2.2).
    public static var location: Self { "Location" }
    /// Origin that caused the request (RFC 6454 section 7).
    public static var origin: Self { "Origin" }
    /// HTTP/1.0 cache directives; deprecated (RFC 9111 section 5.4).
    public static var pragma: Self { "Pragma" }
    /// Optional behaviour that the client asks for (RFC 7240 section 2).
    public static var prefer: Self { "Prefer" }
    /// Authentication challenge from a proxy (RFC 9110 section 11.7.1).
    public static var proxyAuthenticate: Self { "Proxy-Authenticate" }
    /// Credentials for a proxy (RFC 9110 section 11.7.2).
    public static var proxyAuthorization: Self { "Proxy-Authorization" }
    /// Parts of the resource that the client requests (RFC 9110 section 14.2).
    public static var range: Self { "Range" }
    /// URL of the resource that linked to the target (RFC 9110 section 10.1.3).
    public static var referer: Self { "Referer" }
    /// When to retry: seconds or a date (RFC 9110 section 10.2.3).
    public static var retryAfter: Self { "Retry-After" }
    /// Name of the server's software (RFC 9110 section 10.2.4).
    public static var server: Self { "Server" }
    /// Cookie that the server stores on the client (RFC 6265 section 4.1).
    public static var setCookie: Self { "Set-Cookie" }
    /// Transfer codings that the client accepts (RFC 9110 section 10.1.4).
    public static var te: Self { "TE" }
    /// Names of the fields in the trailer section (RFC 9110 section 6.6.2).
    public static var trailer: Self { "Trailer" }
    /// Transfer codings applied to the body. The connection sets this field (RFC 9112 section 6.1).
    public static var transferEncoding: Self { "Transfer-Encoding" }
    /// Protocols that the connection can switch to (RFC 9110 section 7.8).
    public static var upgrade: Self { "Upgrade" }
    /// Name of the client's software (RFC 9110 section 10.1.5).
    public static var userAgent: Self { "User-Agent" }
    /// Request headers that the response depends on (RFC 9110 section 12.5.5).
    public static var vary: Self { "Vary" }
    /// Intermediaries that forwarded the message (RFC 9110 section 7.6.3).
    public static var via: Self { "Via" }
    /// Authentication challenge from the server (RFC 9110 section 11.6.1).
    public static var wwwAuthenticate: Self { "WWW-Authenticate" }

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

    /// True if a header with this name may follow a call to another origin: see
    /// ``HTTPHeaders/Field/mayFollow(authorization:)``, which also knows its value.
    ///
    /// - Parameter authorization: the headers of the client's authorization, whose names may look harmless.
    package func mayFollow(authorization: Set<HTTPHeaders.Name>) -> Bool {
        !isSensitive && !authorization.contains(self)
    }
}
