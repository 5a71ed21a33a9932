/// The body that a service sends with its errors: ``ClientConfiguration/errorResponse``.
///
/// ```swift
/// struct Problem: ErrorResponse {
///     var message: String
///     var code: Int
/// }
/// configuration.errorResponse = Problem.self
/// // … catch
/// if let problem = error.response as? Problem { … problem.code … }
/// ```
///
/// For the body of one endpoint alone use ``APIError/decodeBody(as:decoder:)``.
public protocol ErrorResponse: Decodable, Sendable {
    /// The sentence for people, which becomes ``APIError/serverMessage``.
    var message: String { get }
}
