/// What a model reads of one body, made of the trace of its decoding.
struct ModelReading: Sendable {
    /// A key of a type.
    struct Field: Hashable, Sendable {
        let owner: ObjectIdentifier
        let type: String
        /// Below the type's own value: `address.street`.
        let path: BodyPath
    }

    struct Use: Sendable {
        /// Decoding fails without it.
        var isRequired: Bool
        /// The body has it.
        var isPresent: Bool
    }

    /// A key of an object that nothing asks for, at the first place where it stands.
    struct Unread: Hashable, Sendable {
        let object: BodyPath
        let key: String
    }

    /// The keys that types ask for.
    private(set) var fields: [Field: Use] = [:]
    /// The same keys by their places in the body, collapsed; whether decoding fails without them.
    private(set) var requirements: [BodyPath: Bool] = [:]
    /// The objects whose keys are data, collapsed.
    private(set) var dictionaries: Set<BodyPath> = []
    private(set) var unread: [Unread] = []

    init() {}

    init(_ trace: DecodingTrace) {
        var objects: [BodyPath: Set<String>] = [:]
        var order: [BodyPath] = []
        var read: [BodyPath: Set<String>] = [:]
        var opened: [BodyPath] = []
        trace.forEachEvent { event, _ in
            switch event {
            case .object(let path, let keys):
                if objects.updateValue(Set(keys), forKey: path) == nil { order.append(path) }
            case .dictionary(let path): opened.append(path)
            case .key(let key, let path, _, _): read[path, default: []].insert(key)
            }
        }
        // Those around first: a dictionary can be the value of one.
        for path in opened.sorted(by: { $0.parts.count < $1.parts.count }) {
            dictionaries.insert(path.collapsed(dictionaries))
        }
        for path in order where !isDictionary(path) {
            for key in (objects[path] ?? []).subtracting(read[path] ?? []).sorted() {
                unread.append(Unread(object: path, key: key))
            }
        }
        trace.forEachEvent { event, isTentative in
            guard !isTentative, case .key(let key, let path, let isRequired, let owner) = event, !isDictionary(path)
            else { return }
            let place = path.collapsed(dictionaries).appending(.key(key))
            let below = BodyPath(Array(place.parts.dropFirst(owner.path.parts.count)))
            let isPresent = objects[path]?.contains(key) ?? false
            add(
                Use(isRequired: isRequired, isPresent: isPresent),
                of: Field(owner: owner.id, type: owner.name, path: below))
            requirements[place] = (requirements[place] ?? true) && isRequired
        }
    }

    private func isDictionary(_ path: BodyPath) -> Bool { dictionaries.contains(path.collapsed(dictionaries)) }

    /// What several bodies are read for.
    mutating func formUnion(_ other: ModelReading) {
        for (field, use) in other.fields { add(use, of: field) }
        requirements.merge(other.requirements) { $0 && $1 }
        dictionaries.formUnion(other.dictionaries)
        unread += other.unread
    }

    private mutating func add(_ use: Use, of field: Field) {
        var known = fields[field] ?? use
        // A key that is looked for before it is decoded may be absent.
        known.isRequired = known.isRequired && use.isRequired
        known.isPresent = known.isPresent || use.isPresent
        fields[field] = known
    }
}
