/// The body that a service sends in its error responses: see ``ClientConfiguration/errorResponse``.
///
/// ```swift
/// struct Problem: ErrorResponse {
///     var message: String
///     var code: Int
/// }
/// configuration.errorResponse = Problem.self
/// // In a catch:
/// if let problem = error.response as? Problem { show(problem.code) }
/// ```
///
/// Some services report errors with a success status, such as `200` and `{"success": false, "message": "…"}`. For such
/// a service, let the error type conform to `Error` too. In ``ClientConfiguration/validate``, decode a value of this
/// type and throw the value. ``APIError/response`` then contains the thrown value, and the ``APIError`` shows the
/// value's message.
///
/// For an error body that only one endpoint sends, use ``APIError/decodeBody(as:decoder:)`` instead.
public protocol ErrorResponse: Decodable, Sendable {
    /// The human-readable message, which becomes ``APIError/serverMessage``.
    var message: String { get }

    /// The messages about single fields of the request, by the name of the field; empty by default. The text of the
    /// ``APIError`` contains these messages, for logs and support. An app reads the messages from
    /// ``APIError/response``.
    var fieldErrors: [String: [String]] { get }
}

extension ErrorResponse {
    /// The default: no messages about single fields.
    public var fieldErrors: [String: [String]] { [:] }
}
