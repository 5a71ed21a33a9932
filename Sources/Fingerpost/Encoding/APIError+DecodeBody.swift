public import Foundation

extension APIError {
    /// Decodes the body of an error response as a type that only one endpoint uses. For a type that all endpoints
    /// share, set ``ClientConfiguration/errorResponse``.
    ///
    /// - Parameters:
    ///   - type: the type of the body.
    ///   - decoder: by default a decoder that reads ISO 8601 dates.
    /// - Throws: `DecodingError` if the body is missing, was cut at ``maximumBodySize``, or has another format.
    public func decodeBody<Body: Decodable>(as type: Body.Type, decoder: JSONDecoder? = nil) throws -> Body {
        try (decoder ?? .standard).decode(type, from: body ?? Data())
    }
}
