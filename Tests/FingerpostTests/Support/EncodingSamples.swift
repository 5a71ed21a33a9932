import Foundation

// Values of every shape that `Encodable` supports.

enum Hue: String, Codable, Sendable {
    case red, green
}

enum Level: Int, Codable, Sendable {
    case low = 1
    case high = 10
}

/// Synthesized by the compiler: `{"circle": {"radius": 1}}`, `{"text": {"_0": "a"}}`, `{"none": {}}`.
enum Shape: Codable, Sendable {
    case circle(radius: Int)
    case text(String)
    case none
}

/// A key type that defines its own coding key.
struct Tag: Hashable, Codable, CodingKeyRepresentable, Sendable {
    var name: String
    var codingKey: any CodingKey { Key(stringValue: "tag-\(name)") }

    init(name: String) { self.name = name }
    init?(codingKey: some CodingKey) { self.init(name: String(codingKey.stringValue.dropFirst(4))) }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

struct Address: Codable, Sendable {
    var city: String
    var zip: String?
}

struct Person: Codable, Sendable {
    var name: String
    var age: Int?
    var address: Address?
    var tags: [String] = []

    private enum CodingKeys: String, CodingKey {
        case name = "full_name"
        case age, address, tags
    }
}

/// A class hierarchy that encodes its superclass under the key `super`, or under a key of the subclass.
class Animal: Encodable, @unchecked Sendable {
    // Safe to share: no property changes after init, and the only subclass adds a constant.
    let legs: Int
    init(legs: Int) { self.legs = legs }
}

final class Dog: Animal, @unchecked Sendable {
    // Safe to share: both properties are constants.
    enum Style { case superKey, ownKey, sameContainer }
    let name: String
    let style: Style

    init(name: String, style: Style) {
        self.name = name
        self.style = style
        super.init(legs: 4)
    }

    private enum CodingKeys: String, CodingKey { case name, animal }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        switch style {
        case .superKey: try super.encode(to: container.superEncoder())
        case .ownKey: try super.encode(to: container.superEncoder(forKey: .animal))
        case .sameContainer: try super.encode(to: encoder)
        }
    }
}

/// Nested containers, encoded by hand.
struct Handwritten: Encodable, Sendable {
    private enum Keys: String, CodingKey { case list, object, inner, deep, gone }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        var list = container.nestedUnkeyedContainer(forKey: .list)
        try list.encode(1)
        try list.encodeNil()
        var inList = list.nestedContainer(keyedBy: Keys.self)
        try inList.encode(true, forKey: .inner)
        var listInList = list.nestedUnkeyedContainer()
        try listInList.encode("x")
        try "super".encode(to: list.superEncoder())
        var object = container.nestedContainer(keyedBy: Keys.self, forKey: .object)
        var inner = object.nestedContainer(keyedBy: Keys.self, forKey: .inner)
        try inner.encode(UInt8(7), forKey: .deep)
        try inner.encodeNil(forKey: .gone)
    }
}

/// Ignores the error of a part that cannot be encoded, and continues.
struct Tolerant: Encodable, Sendable {
    private enum Keys: String, CodingKey { case first, bad, last }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode("a", forKey: .first)
        try? container.encode(["x": 1, "y": Double.nan], forKey: .bad)
        try container.encode("z", forKey: .last)
    }
}

/// Throws an error of its own when encoded.
struct Refusing: Encodable, Sendable {
    struct Reason: Error {}
    func encode(to encoder: any Encoder) throws { throw Reason() }
}
