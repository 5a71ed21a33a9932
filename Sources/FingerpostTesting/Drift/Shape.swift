import FingerpostFiles

/// What a JSON value looks like, its values left out: the kinds it has, the keys of its objects, the elements of its lists taken together.
struct Shape: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable {
        case null, boolean, number, string, list, object
    }

    enum Change: Hashable, Sendable {
        case added(Set<Kind>)
        case removed
        case type(from: Set<Kind>, to: Set<Kind>)
        /// The same text, of other characters of Unicode.
        case spelling(String)
    }

    struct Difference: Hashable, Sendable {
        let path: BodyPath
        let change: Change
    }

    /// A part of a value. Keys are the same only byte for byte, as for servers.
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

    /// Several where the elements of a list differ.
    private var kinds: Set<Kind>
    /// By key; and what all elements of a list, or all values of a dictionary, have between them.
    private var parts: [Part: Shape] = [:]

    /// - Parameter isDictionary: true for the object at a place whose keys are data; its values count as elements.
    init(_ node: Node, at path: BodyPath = BodyPath(), isDictionary: (BodyPath) -> Bool = { _ in false }) {
        switch node.value {
        case .null: kinds = [.null]
        case .boolean: kinds = [.boolean]
        case .integer, .real: kinds = [.number]
        case .string, .date, .data: kinds = [.string]
        case .array(let elements):
            kinds = [.list]
            for element in elements { add(element, as: .each, at: path, isDictionary) }
        case .dictionary(let entries):
            kinds = [.object]
            let isDictionaryHere = isDictionary(path)
            for entry in entries {
                add(entry.node, as: isDictionaryHere ? .each : .key(ByteName(entry.key)), at: path, isDictionary)
            }
        }
    }

    private mutating func add(
        _ node: Node, as part: Part, at path: BodyPath, _ isDictionary: (BodyPath) -> Bool
    ) {
        let shape = Shape(node, at: path.appending(part.place), isDictionary: isDictionary)
        parts[part] = parts[part]?.union(shape) ?? shape
    }

    /// Everything that either has.
    func union(_ other: Shape) -> Shape {
        var union = self
        union.kinds.formUnion(other.kinds)
        union.parts.merge(other.parts) { $0.union($1) }
        return union
    }

    /// What is other in another shape, in the order of the keys. Null says nothing of a type, and an empty list nothing of its elements.
    func differences(to other: Shape, at path: BodyPath = BodyPath()) -> [Difference] {
        let (known, found) = (kinds.subtracting([.null]), other.kinds.subtracting([.null]))
        if known.isEmpty || found.isEmpty { return [] }
        guard found.isSubset(of: known) else {
            return [Difference(path: path, change: .type(from: kinds, to: other.kinds))]
        }
        let places = Set(parts.keys).union(other.parts.keys).map { (part: $0, path: path.appending($0.place)) }
        return places.sorted { a, b in
            a.path.description.utf8.lexicographicallyPrecedes(b.path.description.utf8)
        }.flatMap { part, path -> [Difference] in
            switch (parts[part], other.parts[part]) {
            case (let old?, let new?): return old.differences(to: new, at: path)
            case (nil, let new?) where part != .each:
                // It is told of the key that it stands for.
                let isSpelling = other.spelling(of: part, in: self) != nil
                return isSpelling ? [] : [Difference(path: path, change: .added(new.kinds))]
            // Lists alone here hold no object that could lack the key.
            case (let old?, nil) where part != .each && found.contains(.object):
                guard let (key, new) = spelling(of: part, in: other) else {
                    return [Difference(path: path, change: .removed)]
                }
                return [Difference(path: path, change: .spelling(key))] + old.differences(to: new, at: path)
            default: return []
            }
        }
    }

    /// A key of another shape that reads the same as one of this, and that this does not have.
    private func spelling(of part: Part, in other: Shape) -> (key: String, shape: Shape)? {
        guard other.parts[part] == nil else { return nil }
        return other.parts.lazy.compactMap { found, shape in
            guard case .key(let key) = found, found.place == part.place, parts[found] == nil else { return nil }
            return (key.text, shape)
        }.first
    }
}

extension Set<Shape.Kind> {
    /// `string or null`
    var text: String {
        map(\.rawValue).sorted { ($0 == "null" ? 1 : 0, $0) < ($1 == "null" ? 1 : 0, $1) }.joined(separator: " or ")
    }
}
