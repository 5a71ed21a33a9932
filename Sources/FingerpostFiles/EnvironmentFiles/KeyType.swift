import Foundation

/// The Swift type of a key's values.
package indirect enum KeyType: Hashable, Sendable {
    case boolean, integer, real, text, url, date, data, dictionary
    /// Integers that need more than 32 bits, such as milliseconds since 1970. On a watch, `Int` can have 32 bits.
    case longInteger
    /// A list whose elements all have the given type. The element type is nil for the empty list, which is compatible
    /// with any element type.
    case list(KeyType?)
    /// Used only as the element type of a list, when the list's elements have no common type, or when a generated
    /// accessor cannot return the common type.
    case mixed

    /// - Parameter value: a value of the key; null counts as text.
    package init(_ value: Node.Value) {
        switch value {
        case .null: self = .text
        case .boolean: self = .boolean
        case .integer(let number): self = Int32(exactly: number) == nil ? .longInteger : .integer
        case .real: self = .real
        case .string(let text): self = URLText.url(text) == nil ? .text : .url
        case .date: self = .date
        case .data: self = .data
        case .dictionary: self = .dictionary
        case .array(let elements):
            self = elements.reduce(.list(nil)) { $0.joined(with: .list(KeyType(ofElement: $1.value))) ?? .list(.mixed) }
        }
    }

    private init(ofElement value: Node.Value) {
        switch value {
        case .null, .array, .dictionary: self = .mixed
        default: self.init(value)
        }
    }

    /// The type that can represent the values of this type and of `other`; nil when there is no such type.
    package func joined(with other: KeyType) -> KeyType? {
        switch (self, other) {
        case (.integer, .real), (.real, .integer), (.longInteger, .real), (.real, .longInteger): .real
        case (.integer, .longInteger), (.longInteger, .integer): .longInteger
        case (.text, .url), (.url, .text): .text
        case (.list(let a?), .list(let b?)): .list(a.joined(with: b) ?? .mixed)
        case (.list(let element), .list(nil)), (.list(nil), .list(let element)): .list(element)
        default: self == other ? self : nil
        }
    }

    /// The type with its article, for messages that say what a value must be.
    package var demand: String {
        switch self {
        case .boolean: "a boolean"
        case .integer, .longInteger, .real: "a number"
        case .text: "text"
        case .url: "a URL"
        case .date: "a date"
        case .data: "data"
        case .list: "a list"
        case .dictionary: "a dictionary"
        case .mixed: "of one type"
        }
    }
}
