import FingerpostFiles
package import Foundation

extension JSONEncoder {
    /// The client's default encoder, which writes ISO 8601 dates and sorts the keys so that equal values give equal
    /// bodies.
    package static let standard: JSONEncoder = {
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
    }()
}
