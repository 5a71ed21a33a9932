import Fingerpost
import FingerpostFiles
import Foundation

/// Converts the keys of a body as a decoder's `keyDecodingStrategy` does.
struct KeyConversion: Sendable {
    private let strategy: JSONDecoder.KeyDecodingStrategy

    init(_ decoder: any BodyDecoder) {
        strategy = (decoder as? JSONDecoder)?.keyDecodingStrategy ?? .useDefaultKeys
    }

    /// - Parameter path: the path of the object with the key, in converted keys.
    func convert(_ key: String, in path: BodyPath) -> String {
        switch strategy {
        case .useDefaultKeys: return key
        case .custom(let convert):
            let above = path.parts.map { part -> any CodingKey in
                switch part {
                case .key(let key): AnyCodingKey(key)
                case .index(let index): AnyCodingKey(index)
                case .each: AnyCodingKey(0)
                }
            }
            return convert(above + [AnyCodingKey(key)]).stringValue
        default:
            // Foundation does not expose its conversion, so decode an object with this single key and read the key
            // back.
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
