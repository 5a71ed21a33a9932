import FingerpostFiles

/// What a model asks for while it is decoded: see ``Traced``.
final class DecodingTrace: Sendable {
    /// The trace of the decoding under way. `Decodable` takes no argument, so it is passed beside it.
    @TaskLocal static var current: DecodingTrace?

    /// The type that reads an object, and where its value begins.
    struct Owner: Sendable {
        let name: String
        /// Two types can have one name.
        let id: ObjectIdentifier
        let path: BodyPath

        init(_ type: Any.Type, at path: BodyPath) {
            name = String(describing: type)
            id = ObjectIdentifier(type)
            self.path = path
        }
    }

    enum Event: Sendable {
        /// An object was opened that has these keys.
        case object(BodyPath, keys: [String])
        /// The keys of this object are data: a dictionary, or a type that takes any key.
        case dictionary(BodyPath)
        /// A key was asked for.
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

    /// Runs a decoding that may fail and be followed by another, as of an enum that tries one type after the other. What a failed one
    /// asked for was read, and yet is nothing that the model needs.
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
