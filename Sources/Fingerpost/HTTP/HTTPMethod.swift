/// A request method (RFC 9110 section 9).
///
/// The registered methods are static members; any other is a string literal: `"PURGE"`. Methods are written in upper
/// case, so `"patch"` is `.patch`. A method that is not a token (RFC 9110 section 5.6.2) is refused with
/// ``APIError/Kind-swift.enum/invalidRoute`` when the request is built.
public struct HTTPMethod: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The method as it is sent, in upper case.
    public let rawValue: String

    public init(rawValue: String) {
        // Of ASCII letters alone: others would become methods that nobody wrote, as "ſ" would "S".
        let bytes = rawValue.utf8.map { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 ? $0 & ~0x20 : $0 }
        self.rawValue = String(decoding: bytes, as: UTF8.self)
    }

    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    private init(registered name: String) {
        rawValue = name
    }

    /// Retrieve. Safe and idempotent.
    public static let get = HTTPMethod(registered: "GET")
    /// Like ``get`` without the body of the response. Safe and idempotent.
    public static let head = HTTPMethod(registered: "HEAD")
    /// Process the body: create, submit. Neither safe nor idempotent.
    public static let post = HTTPMethod(registered: "POST")
    /// Replace. Idempotent.
    public static let put = HTTPMethod(registered: "PUT")
    /// Change in part (RFC 5789). Neither safe nor idempotent.
    public static let patch = HTTPMethod(registered: "PATCH")
    /// Remove. Idempotent.
    public static let delete = HTTPMethod(registered: "DELETE")
    /// Ask what is possible. Safe and idempotent.
    public static let options = HTTPMethod(registered: "OPTIONS")
    /// Echo the request. Safe and idempotent.
    public static let trace = HTTPMethod(registered: "TRACE")
    /// Open a tunnel. Neither safe nor idempotent.
    public static let connect = HTTPMethod(registered: "CONNECT")
    /// Retrieve, with the question in the body. Safe and idempotent.
    public static let query = HTTPMethod(registered: "QUERY")

    /// True when sending the request twice does no more than sending it once (RFC 9110 section 9.2.2).
    public var isIdempotent: Bool {
        switch self {
        case .get, .head, .put, .delete, .options, .trace, .query: true
        default: false
        }
    }

    /// True where ``Parameters`` go into the query by default: GET, HEAD and DELETE. Elsewhere they go into the body.
    var placesParametersInQuery: Bool {
        self == .get || self == .head || self == .delete
    }

    /// True where a body may not be sent: URLSession refuses one on GET, and RFC 9110 gives none a meaning.
    var forbidsBody: Bool {
        self == .get || self == .head || self == .trace || self == .connect
    }

    public var description: String { rawValue }
}
