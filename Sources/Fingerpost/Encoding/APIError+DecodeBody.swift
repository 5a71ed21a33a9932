public import Foundation

extension APIError {
    /// Decodes the body of an error response as the given type. Use this method if only one endpoint responds with this
    /// type.
    /// If all endpoints share the type, set ``ClientConfiguration/errorResponse`` instead.
    ///
    /// - Parameters:
    ///   - type: the type to decode.
    ///   - decoder: by default a decoder that reads ISO 8601 dates.
    /// - Throws: `DecodingError` if the body is missing, was cut off at ``maximumBodySize``, or cannot be decoded as
    ///   the type.
    public func decodeBody<Body: Decodable>(as type: Body.Type, decoder: JSONDecoder? = nil) throws -> Body {
        try (decoder ?? .standard).decode(type, from: body ?? Data())
    }
}
