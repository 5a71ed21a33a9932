import FingerpostFiles

/// The keys that a model requests while the model is decoded. ``Traced`` records these keys.
final class DecodingTrace: Sendable {
    /// The trace of the current decoding. The property is task-local because `Decodable.init(from:)` has no parameter
    /// for a trace.
    @TaskLocal static var current: DecodingTrace?

    /// The type that an object is decoded into, and the path of that object.
    struct Owner: Sendable {
        let name: String
        /// Distinguishes types with the same name.
        let id: ObjectIdentifier
        let path: BodyPath

        init(_ type: Any.Type, at path: BodyPath) {
            name = String(describing: type)
            id = ObjectIdentifier(type)
            self.path = path
        }
    }

    enum Event: Sendable {
        /// A model began to decode the object at this path. `keys` lists all keys that the object contains.
        case object(BodyPath, keys: [String])
        /// The keys of the object at this path are data, because the model is a dictionary or a type that accepts any
        /// key.
        case dictionary(BodyPath)
        /// The model accepts any value at this path.
        case anything(BodyPath)
        /// A model requested a key.
        case key(String, in: BodyPath, isRequired: Bool, by: Owner)
    }

    private struct Entry: Sendable {
        let event: Event
        var isTentative = false
    }

    private let entries = Locked<[Entry]>([])

    func note(_ event: Event) {
        entries.withLock { $0.append(Entry(event: event)) }
    }

    /// Runs one attempt to decode a value. If the attempt fails, the model can try another type, as an enum with
    /// several payload types does. Keys that a failed attempt requested count as read but not as required.
    func attempt<Value>(_ decode: () throws -> Value) throws -> Value {
        let start = entries.withLock { $0.count }
        do { return try decode() } catch {
            entries.withLock { entries in
                for index in entries.indices[start...] { entries[index].isTentative = true }
            }
            throw error
        }
    }

    func forEachEvent(_ body: (_ event: Event, _ isTentative: Bool) -> Void) {
        for entry in entries.withLock({ $0 }) { body(entry.event, entry.isTentative) }
    }
}
