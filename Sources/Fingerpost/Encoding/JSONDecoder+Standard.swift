import Foundation

extension JSONDecoder {
    /// The client's default decoder, which reads ISO 8601 dates with or without fractional seconds.
    static let standard: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .lenientISO8601
        return decoder
    }()
}
