import FingerpostFiles
public import Foundation

extension JSONDecoder {
    /// The library's own decoder, which reads ISO 8601 dates with or without fractional seconds.
    static let standard = makeStandard()

    /// Creates a decoder like ``standard`` that an app may change.
    static func makeStandard() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .lenientISO8601
        return decoder
    }
}

extension JSONDecoder.DateDecodingStrategy {
    /// Decodes ISO 8601 dates; the fraction of a second, the seconds and the time of day are optional. The client's
    /// default decoder uses this strategy. Foundation's `.iso8601` also accepts days that do not exist, and ignores
    /// text after the date.
    static var lenientISO8601: Self {
        .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text: String
            do { text = try container.decode(String.self) } catch {
                guard (try? container.decode(Double.self)) != nil else { throw error }
                let reason = "a number is not an ISO 8601 date: set a decoder whose dateDecodingStrategy reads it, "
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: reason + "such as .secondsSince1970 or .millisecondsSince1970")
            }
            if let date = ISO8601Text.date(text) { return date }
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is not an ISO 8601 date such as 2026-01-31T12:00:00Z")
        }
    }
}

extension JSONEncoder {
    /// The library's own encoder, which writes ISO 8601 dates and sorts the keys so that equal values give equal
    /// bodies.
    package static let standard = makeStandard()

    /// Creates an encoder like ``standard`` that an app may change.
    static func makeStandard() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            guard ISO8601Text.canWrite(date) else {
                throw EncodingError(unwritable: date, codingPath: encoder.codingPath)
            }
            var container = encoder.singleValueContainer()
            try container.encode(ISO8601Text.text(of: date))
        }
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

extension APIError {
    /// Decodes the body of an error response as the given type. Use this method if only one endpoint responds with this
    /// type. If all endpoints share the type, set ``ClientConfiguration/errorResponse`` instead.
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
