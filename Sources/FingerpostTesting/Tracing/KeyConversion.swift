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

    /// Returns the body's spelling of a key that a model reads. If the strategy cannot be reversed, returns the model's
    /// key.
    func written(_ name: String, in path: BodyPath) -> String {
        guard case .convertFromSnakeCase = strategy else { return name }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        // Foundation's key conversion is not public, so encode an object that contains only this key.
        let body = try? encoder.encode(OneKey(name: name))
        let written = body.flatMap { try? JSONDecoder().decode(Keys.self, from: $0) }?.names.first ?? name
        return convert(written, in: path) == name ? written : name
    }

    /// Returns the key that is most similar to a missing key, in the body's spelling and in the model's spelling.
    ///
    /// - Parameter keys: the keys of the object.
    func nearest(to missing: String, in keys: [String], at path: BodyPath) -> (written: String, name: String)? {
        let names = keys.map { convert($0, in: path) }
        guard let name = NearestName.find(missing, in: names.filter { $0 != missing }),
            let index = names.firstIndex(of: name)
        else { return nil }
        return (keys[index], name)
    }

    private struct OneKey: Encodable {
        let name: String

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyCodingKey.self)
            try container.encode(true, forKey: AnyCodingKey(stringValue: name))
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
