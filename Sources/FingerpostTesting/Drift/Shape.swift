import FingerpostFiles
import FingerpostShared

/// The structure of a JSON value without its contents: the kind of the value, the keys of its objects, and the combined
/// shape of its list elements.
struct Shape: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable {
        case null, boolean, number, string, list, object
    }

    enum Change: Hashable, Sendable {
        case added(Set<Kind>)
        case removed
        case type(from: Set<Kind>, to: Set<Kind>)
        /// The server's key is canonically equivalent to the mock's key but consists of different Unicode scalars. The
        /// associated value is the server's key.
        case spelling(String)
    }

    struct Difference: Hashable, Sendable {
        let path: BodyPath
        let change: Change
    }

    /// A key of an object, or `each` for all elements of a list or all values of a dictionary. Keys are compared byte
    /// for byte, as servers compare keys.
    private enum Part: Hashable {
        case key(ByteName)
        case each

        var place: BodyPath.Part {
            switch self {
            case .key(let key): .key(key.text)
            case .each: .each
            }
        }
    }

    /// The kinds of the value; none for a value that may be of any kind. A shape created by ``union(_:)`` can have
    /// several kinds.
    private var kinds: Set<Kind>
    /// The shapes of an object's values, keyed by the values' keys. The shape under `.each` is the union of the shapes
    /// of all elements of a list, or of all values of a dictionary.
    private var parts: [Part: Shape] = [:]

    /// What models say of the value at a path.
    enum Rule {
        /// An object whose keys are data. Its values are combined like the elements of a list.
        case dictionary
        /// A value of any kind.
        case anything
    }

    /// - Parameter rule: returns what models say of a path; nil for an ordinary value.
    init(_ node: Node, at path: BodyPath = BodyPath(), rule: (BodyPath) -> Rule? = { _ in nil }) {
        let ruleHere = rule(path)
        if ruleHere == .anything {
            kinds = []
            return
        }
        switch node.value {
        case .null: kinds = [.null]
        case .boolean: kinds = [.boolean]
        case .integer, .real: kinds = [.number]
        case .string, .date, .data: kinds = [.string]
        case .array(let elements):
            kinds = [.list]
            for element in elements { add(element, as: .each, at: path, rule) }
        case .dictionary(let entries):
            kinds = [.object]
            for entry in entries {
                add(entry.node, as: ruleHere == .dictionary ? .each : .key(ByteName(entry.key)), at: path, rule)
            }
        }
    }

    private mutating func add(
        _ node: Node, as part: Part, at path: BodyPath, _ rule: (BodyPath) -> Rule?
    ) {
        let shape = Shape(node, at: path.appending(part.place), rule: rule)
        parts[part] = parts[part]?.union(shape) ?? shape
    }

    /// Returns a shape with all kinds and parts of this shape and of the other shape.
    func union(_ other: Shape) -> Shape {
        var union = self
        union.kinds.formUnion(other.kinds)
        union.parts.merge(other.parts) { $0.union($1) }
        return union
    }

    /// Returns the differences from this shape to another shape, sorted by path. Null is compatible with every type,
    /// and an empty list is compatible with every list.
    func differences(to other: Shape, at path: BodyPath = BodyPath()) -> [Difference] {
        let (known, found) = (kinds.subtracting([.null]), other.kinds.subtracting([.null]))
        if known.isEmpty || found.isEmpty { return [] }
        guard found.isSubset(of: known) else {
            return [Difference(path: path, change: .type(from: kinds, to: other.kinds))]
        }
        let places = Set(parts.keys).union(other.parts.keys).map { (part: $0, path: path.appending($0.place)) }
        return places.sorted { a, b in
            a.path.description.precedes(b.path.description)
        }.flatMap { part, path -> [Difference] in
            switch (parts[part], other.parts[part]) {
            case (let old?, let new?): return old.differences(to: new, at: path)
            case (nil, let new?) where part != .each:
                // If this shape contains a canonically equivalent key, the difference is reported only once, at that
                // key.
                let isSpelling = other.spelling(of: part, in: self) != nil
                return isSpelling ? [] : [Difference(path: path, change: .added(new.kinds))]
            // A key counts as removed only if the kinds of the other shape include an object.
            case (let old?, nil) where part != .each && found.contains(.object):
                guard let (key, new) = spelling(of: part, in: other) else {
                    return [Difference(path: path, change: .removed)]
                }
                return [Difference(path: path, change: .spelling(key))] + old.differences(to: new, at: path)
            default: return []
            }
        }
    }

    /// Finds a key in the other shape that is canonically equivalent to `part` and missing from this shape.
    private func spelling(of part: Part, in other: Shape) -> (key: String, shape: Shape)? {
        guard other.parts[part] == nil else { return nil }
        return other.parts.lazy.compactMap { found, shape in
            guard case .key(let key) = found, found.place == part.place, parts[found] == nil else { return nil }
            return (key.text, shape)
        }.first
    }
}

extension Set<Shape.Kind> {
    /// The kinds as text for a report: `string or null`.
    var text: String {
        map(\.rawValue).sorted { ($0 == "null" ? 1 : 0, $0) < ($1 == "null" ? 1 : 0, $1) }.joined(separator: " or ")
    }
}
