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
/// Some services report errors with a success status, such as `200` and `{"success": false, "message": "…"}`. Make the
/// error type an `Error` too, decode it in ``ClientConfiguration/validate`` and throw it: the ``APIError`` then has it
/// as ``APIError/response`` and has its message.
///
/// For an error body that only one endpoint sends, use ``APIError/decodeBody(as:decoder:)`` instead.
public protocol ErrorResponse: Decodable, Sendable {
    /// The human-readable message, which becomes ``APIError/serverMessage``.
    var message: String { get }

    /// The messages about single fields of the request, by the name of the field; empty by default. They are part of
    /// the text of the ``APIError``, for logs and support. An app reads them from ``APIError/response``.
    var fieldErrors: [String: [String]] { get }
}

extension ErrorResponse {
    /// Empty: the service does not say which fields are wrong.
    public var fieldErrors: [String: [String]] { [:] }
}
