import FingerpostFiles
package import Foundation

extension JSONEncoder {
    /// The library's own encoder, which writes ISO 8601 dates and sorts the keys so that equal values give equal
    /// bodies.
    package static let standard = makeStandard()

    /// A new encoder like ``standard``, which an app may change.
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
