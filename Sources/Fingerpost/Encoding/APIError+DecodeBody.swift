public import Foundation

extension APIError {
    /// Decodes the body of an error response.
    ///
    /// - Throws: `DecodingError` when the body is something else, absent, or was longer than ``maximumBodySize``.
    public func decodeBody<Body: Decodable>(as type: Body.Type, decoder: JSONDecoder? = nil) throws -> Body {
        try (decoder ?? .standard).decode(type, from: body ?? Data())
    }
}
