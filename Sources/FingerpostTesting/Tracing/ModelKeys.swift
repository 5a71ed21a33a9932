import FingerpostFiles

/// The keys that models read from one or more bodies. The keys come from traces that are recorded while the bodies are
/// decoded.
struct ModelKeys: Sendable {
    /// A key that a type requests.
    struct Field: Hashable, Sendable {
        let owner: ObjectIdentifier
        let type: String
        /// The path of the key, relative to the object that is decoded into the type: `address.street`.
        let path: BodyPath

        var isGeneric: Bool { type.contains("<") }
        /// The name without type arguments, which all instances of a generic type share: `Page` for `Page<Event>`.
        var declared: String { String(type.prefix(before: "<")) }
    }

    /// A key in the body that no model requests.
    struct Unread: Hashable, Sendable {
        let object: BodyPath
        let key: String
    }

    /// The keys that types request. An entry is true if a body contains the key.
    private(set) var fields: [Field: Bool] = [:]
    /// The requested keys, identified by their collapsed paths in the body (see ``BodyPath/collapsed(_:)``).
    private(set) var requested: Set<BodyPath> = []
    /// The collapsed paths of objects whose keys are data, as in a dictionary.
    private(set) var dictionaries: Set<BodyPath> = []
    /// The collapsed paths of values of any kind, such as a ``JSONValue``.
    private(set) var anything: Set<BodyPath> = []
    private(set) var unread: [Unread] = []

    init() {}

    init(_ trace: DecodingTrace) {
        var objects: [BodyPath: Set<String>] = [:]
        var order: [BodyPath] = []
        var read: [BodyPath: Set<String>] = [:]
        var opened: [BodyPath] = []
        var accepted: [BodyPath] = []
        trace.forEachEvent { event, _ in
            switch event {
            case .object(let path, let keys):
                if objects.updateValue(Set(keys), forKey: path) == nil { order.append(path) }
            case .dictionary(let path): opened.append(path)
            case .anything(let path): accepted.append(path)
            case .key(let key, let path, _): read[path, default: []].insert(key)
            }
        }
        // Outer dictionaries come first, because the collapsed path of an inner dictionary depends on the outer
        // dictionaries.
        for path in opened.sorted(by: { $0.parts.count < $1.parts.count }) {
            dictionaries.insert(path.collapsed(dictionaries))
        }
        anything = Set(accepted.map { $0.collapsed(dictionaries) })
        for path in order where !isDictionary(path) {
            for key in (objects[path] ?? []).subtracting(read[path] ?? []).sorted() {
                unread.append(Unread(object: path, key: key))
            }
        }
        trace.forEachEvent { event, isTentative in
            guard !isTentative, case .key(let key, let path, let owner) = event, !isDictionary(path) else { return }
            let place = path.collapsed(dictionaries).appending(.key(key))
            let below = BodyPath(Array(place.parts.dropFirst(owner.path.parts.count)))
            let field = Field(owner: owner.id, type: owner.name, path: below)
            fields[field] = fields[field] == true || objects[path]?.contains(key) == true
            requested.insert(place)
        }
    }

    private func isDictionary(_ path: BodyPath) -> Bool { dictionaries.contains(path.collapsed(dictionaries)) }

    /// Returns the keys that no model reads in a body, in the order of the body.
    static func unread(by readings: [ModelKeys]) -> [Unread] {
        guard let first = readings.first else { return [] }
        let unread = readings.dropFirst().reduce(Set(first.unread)) { $0.intersection($1.unread) }
        return first.unread.filter(unread.contains)
    }

    /// Adds the keys that models read from another body.
    mutating func formUnion(_ other: ModelKeys) {
        fields.merge(other.fields) { $0 || $1 }
        requested.formUnion(other.requested)
        dictionaries.formUnion(other.dictionaries)
        anything.formUnion(other.anything)
        unread += other.unread
    }
}
