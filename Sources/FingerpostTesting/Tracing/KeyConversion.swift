import Fingerpost
import FingerpostFiles
import Foundation

/// Converts a body's keys with a decoder's `keyDecodingStrategy`.
struct KeyConversion: Sendable {
    private let strategy: JSONDecoder.KeyDecodingStrategy

    init(_ decoder: any BodyDecoder) {
        strategy = (decoder as? JSONDecoder)?.keyDecodingStrategy ?? .useDefaultKeys
    }

    /// - Parameter path: the path of the object that contains the key. The keys in this path are already converted.
    func convert(_ key: String, in path: BodyPath) -> String {
        switch strategy {
        case .useDefaultKeys: return key
        case .custom(let convert):
            let above = path.parts.map { part -> any CodingKey in
                switch part {
                case .key(let key): AnyCodingKey(stringValue: key)
                case .index(let index): AnyCodingKey(intValue: index)
                case .each: AnyCodingKey(intValue: 0)
                }
            }
            return convert(above + [AnyCodingKey(stringValue: key)]).stringValue
        default:
            // Foundation's key conversion is not public, so decode an object that contains only this key, and read the
            // converted key from the result.
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = strategy
            let body = try? JSONEncoder().encode([key: true])
            return body.flatMap { try? decoder.decode(Keys.self, from: $0) }?.names.first ?? key
        }
    }

    private struct Keys: Decodable {
        let names: [String]

        init(from decoder: any Decoder) throws {
            names = try decoder.container(keyedBy: AnyCodingKey.self).allKeys.map(\.stringValue)
        }
    }
}

extension KeyConversion {
    /// Converts a path in the JSON text to the path that a model sees, with converted keys.
    func convert(_ path: BodyPath) -> BodyPath {
        path.parts.reduce(BodyPath()) { converted, part in
            guard case .key(let key) = part else { return converted.appending(part) }
            return converted.appending(.key(convert(key, in: converted)))
        }
    }
}
