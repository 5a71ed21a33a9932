/// Decides where a route's parameters are written: to the query or to the body, and in which format.
///
/// If a route's encoding is nil, the default applies: the query for GET, HEAD and DELETE, and a JSON body for every
/// other method.
public enum ParameterEncoding: Sendable, Hashable {
    /// In the URL's query, in the format of the ``QueryDialect``.
    case query
    /// As one JSON object in the body, with the content type `application/json`.
    case json
    /// As a body of the content type `application/x-www-form-urlencoded`, in the format of the ``QueryDialect`` with
    /// `+` for a space, as in HTML forms (WHATWG URL, section 5.2).
    case form
}
