/// A request method (RFC 9110 section 9).
///
/// Common methods are static members. Write any other method as a string literal, such as `"OPTIONS"`. Methods are
/// case-sensitive (RFC 9110 section 9.1) and sent as written. Building the request fails with
/// ``APIError/Kind-swift.enum/invalidRoute`` if the method is not a token (section 5.6.2). The same applies to a method
/// in lower case (`"get"`), and to a method that differs from a static member only in letter case (`"PoSt"`).
public struct HTTPMethod: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The method as sent.
    public let rawValue: String

    /// Creates a method from a string known only at run time.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a method from a literal.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// Retrieves a resource (RFC 9110 section 9.3.1). GET is safe and idempotent.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Like ``get`` but without a response body (RFC 9110 section 9.3.2). HEAD is safe and idempotent.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Processes the body, for example to create a resource or to submit a form (RFC 9110 section 9.3.3). POST is
    /// neither safe nor idempotent.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces a resource (RFC 9110 section 9.3.4). PUT is idempotent.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Changes part of a resource (RFC 5789 section 2). PATCH is neither safe nor idempotent.
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes a resource (RFC 9110 section 9.3.5). DELETE is idempotent.
    public static let delete = HTTPMethod(rawValue: "DELETE")

    /// True if sending the request several times has the same effect as sending it once (RFC 9110 section 9.2.2, and
    /// draft-ietf-httpbis-safe-method-w-body for QUERY). Unknown methods are assumed not to be idempotent.
    var isIdempotent: Bool {
        switch self {
        case .get, .head, .put, .delete, "OPTIONS", "TRACE", "QUERY": true
        default: false
        }
    }

    /// True if ``Parameters`` go into the query by default, as for GET, HEAD and DELETE. For any other method, the
    /// parameters go into the body.
    var placesParametersInQuery: Bool { self == .get || self == .head || self == .delete }

    /// True if a request with this method must not have a body. URLSession rejects GET requests with a body, and RFC
    /// 9110 defines no meaning for the body of a GET, HEAD, TRACE or CONNECT request.
    var forbidsBody: Bool { self == .get || self == .head || self == "TRACE" || self == "CONNECT" }

    /// The ``rawValue``.
    public var description: String { rawValue }
}
