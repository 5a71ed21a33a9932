import Fingerpost
import FingerpostFiles

/// The path of a value in a JSON body.
struct BodyPath: Hashable, Sendable, CustomStringConvertible {
    enum Part: Hashable, Sendable {
        case key(String)
        case index(Int)
        /// Every element of a list, or every value of a dictionary.
        case each
    }

    var parts: [Part]

    init(_ parts: [Part] = []) {
        self.parts = parts
    }

    init(_ path: [any CodingKey]) {
        parts = path.map { key in key.intValue.map { .index($0) } ?? .key(key.stringValue) }
    }

    func appending(_ part: Part) -> BodyPath { BodyPath(parts + [part]) }

    /// Returns the path with `.each` in place of list indexes and dictionary keys. In collapsed paths, all elements of
    /// a list have the same path, and so do all values of a dictionary.
    func collapsed(_ dictionaries: Set<BodyPath>) -> BodyPath {
        parts.reduce(BodyPath()) { path, part in
            if case .key = part, !dictionaries.contains(path) { return path.appending(part) }
            return path.appending(.each)
        }
    }

    /// The path as text: `items[*].owner.name`, `items[3].id`.
    var description: String {
        parts.reduce("") { text, part in
            switch part {
            case .key(let key):
                (text.isEmpty ? "" : "\(text).") + key
            case .index(let index): "\(text)[\(index)]"
            case .each: "\(text)[*]"
            }
        }
    }
}
