import FingerpostFiles
import FingerpostShared

/// The structure of a JSON value without its contents: the kind of the value, the keys of its objects, and the combined
/// structure of its list elements.
struct JSONStructure: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable {
        case null, boolean, number, string, list, object
    }

    enum Change: Hashable, Sendable, CustomStringConvertible {
        case added
        case removed
        /// The value is now null, and was of another kind before.
        case null
        case type(from: Set<Kind>, to: Set<Kind>)

        /// Describes the change in a report, such as `gone` in `"plan" is gone`.
        var description: String {
            switch self {
            case .added: "new"
            case .removed: "gone"
            case .null: "null"
            case .type(let old, let new): "\(new.text), not \(old.text)"
            }
        }
    }

    struct Difference: Hashable, Sendable {
        let path: BodyPath
        let change: Change
    }

    /// How a model treats the value at a path.
    enum Rule {
        /// An object whose keys are data. The object's values are combined like the elements of a list.
        case dictionary
        /// A value of any kind.
        case anything
    }

    /// The kinds of the value. A structure that combines several values can have several kinds. The set is empty if the
    /// value may be of any kind.
    private var kinds: Set<Kind> = []
    /// The structures of an object's values, by key. Keys are compared byte for byte, because servers also compare keys
    /// byte for byte. The key nil contains the combined structure of all list elements or of all values of a
    /// dictionary.
    private var parts: [ByteName?: JSONStructure] = [:]

    /// - Parameter rule: returns the model's rule for a path, or nil for an ordinary value.
    init(_ node: Node, at path: BodyPath = BodyPath(), rule: (BodyPath) -> Rule? = { _ in nil }) {
        let ruleHere = rule(path)
        if ruleHere == .anything { return }
        func add(_ node: Node, as key: ByteName?) {
            let shape = JSONStructure(node, at: path.appending(key), rule: rule)
            parts[key] = parts[key]?.union(shape) ?? shape
        }
        switch node.value {
        case .null: kinds = [.null]
        case .boolean: kinds = [.boolean]
        case .integer, .real: kinds = [.number]
        case .string, .date, .data: kinds = [.string]
        case .array(let elements):
            kinds = [.list]
            for element in elements { add(element, as: nil) }
        case .dictionary(let entries):
            kinds = [.object]
            for entry in entries { add(entry.node, as: ruleHere == .dictionary ? nil : ByteName(entry.key)) }
        }
    }

    /// Returns a structure with the kinds and parts of both structures.
    private func union(_ other: JSONStructure) -> JSONStructure {
        var union = self
        union.kinds.formUnion(other.kinds)
        union.parts.merge(other.parts) { $0.union($1) }
        return union
    }

    /// Returns the differences between this structure and another, sorted by path. A structure that is only null, or
    /// that allows any kind, is compatible with every other structure. An empty list is compatible with every list.
    func differences(to other: JSONStructure, at path: BodyPath = BodyPath()) -> [Difference] {
        let (known, found) = (kinds.subtracting([.null]), other.kinds.subtracting([.null]))
        if known.isEmpty || other.kinds.isEmpty { return [] }
        if found.isEmpty { return known == kinds ? [Difference(path: path, change: .null)] : [] }
        guard found.isSubset(of: known) else {
            return [Difference(path: path, change: .type(from: kinds, to: other.kinds))]
        }
        let places = Set(parts.keys).union(other.parts.keys).map { (key: $0, path: path.appending($0)) }
        return places.ordered { $0.path.description.precedes($1.path.description) }.flatMap { key, path in
            switch (parts[key], other.parts[key]) {
            case (let old?, let new?): return old.differences(to: new, at: path)
            case (nil, _?) where key != nil: return [Difference(path: path, change: .added)]
            // A key counts as removed only if the other value can be an object.
            case (_?, nil) where key != nil && found.contains(.object):
                return [Difference(path: path, change: .removed)]
            default: return []
            }
        }
    }
}

extension BodyPath {
    fileprivate func appending(_ key: ByteName?) -> BodyPath { appending(key.map { .key($0.text) } ?? .each) }
}

extension Set<JSONStructure.Kind> {
    /// The kinds as text for a report: `string or null`.
    fileprivate var text: String {
        map(\.rawValue).sorted { ($0 == "null" ? 1 : 0, $0) < ($1 == "null" ? 1 : 0, $1) }.joined(separator: " or ")
    }
}
