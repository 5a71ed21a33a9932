import FingerpostFiles
public import Foundation

extension JSONDecoder.DateDecodingStrategy {
    /// Decodes ISO 8601 dates with or without fractional seconds. The client's default decoder uses this strategy;
    /// Foundation's `.iso8601` rejects fractional seconds.
    public static var lenientISO8601: Self {
        .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            if let date = ISO8601Text.date(text) { return date }
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is not an ISO 8601 date such as 2026-01-31T12:00:00Z")
        }
    }
}
