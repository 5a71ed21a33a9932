import Foundation

extension JSONDecoder {
    /// The client's default: ISO 8601 dates with and without fractional seconds.
    static let standard: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .lenientISO8601
        return decoder
    }()
}
