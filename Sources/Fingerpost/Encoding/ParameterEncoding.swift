/// Where a route's parameters go.
///
/// Leave it nil for the usual place: the query for GET, HEAD and DELETE, and a JSON body for every other method.
public enum ParameterEncoding: Sendable, Hashable {
    /// In the URL's query, as the ``QueryDialect`` says.
    case query
    /// As one JSON object in the body, with the content type `application/json`.
    case json
    /// As a body of the content type `application/x-www-form-urlencoded`, written as the ``QueryDialect`` says, with `+`
    /// for a space as HTML forms have it (WHATWG URL, section 5.2).
    case form
    /// As a body of the content type `multipart/form-data`, with a text field for each value. Use ``MultipartForm`` for files.
    case multipart
}
