import Foundation

extension JSONDecoder {
    /// The library's own decoder, which reads ISO 8601 dates with or without fractional seconds.
    static let standard = makeStandard()

    /// A new decoder like ``standard``, which an app may change.
    static func makeStandard() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .lenientISO8601
        return decoder
    }
}
