package import Foundation

/// A value read from a JSON file or a property list, with its position in the text.
package struct Node: Sendable {
    /// The maximum number of dictionaries and lists around a value, which is the same as in Foundation's readers.
    package static let maximumDepth = 512

    package var value: Value
    /// The byte offset of the value in the file's text; nil for values in binary property lists and for values created
    /// in code.
    package var offset: Int?

    /// - Parameter offset: the byte offset of the value in the file's text; nil for a value created in code.
    package init(_ value: Value, offset: Int? = nil) {
        self.value = value
        self.offset = offset
    }

    /// The values that JSON or property lists can contain. Dictionaries keep the order of their keys in the file.
    package enum Value: Sendable {
        case null
        case boolean(Bool)
        case integer(Int64)
        case real(Double)
        case string(String)
        case date(Date)
        case data(Data)
        case array([Node])
        case dictionary([Entry])

        /// True for null.
        package var isNull: Bool { if case .null = self { true } else { false } }

        /// A text, a number or a boolean as text; nil for any other kind of value.
        package var scalarText: String? {
            switch self {
            case .string(let text): text
            case .integer(let number): "\(number)"
            case .real(let number): "\(number)"
            case .boolean(let flag): "\(flag)"
            case .null, .date, .data, .array, .dictionary: nil
            }
        }

        /// The name of the value's kind with its article, for messages.
        package var kind: String {
            switch self {
            case .null: "null"
            case .boolean: "a boolean"
            case .integer: "an integer"
            case .real: "a real number"
            case .string: "a string"
            case .date: "a date"
            case .data: "data"
            case .array: "a list"
            case .dictionary: "a dictionary"
            }
        }
    }

    /// One key of a dictionary and its value.
    package struct Entry: Sendable {
        package var key: String
        /// The byte offset of the key in the file's text; nil for keys in binary property lists and for keys created in
        /// code.
        package var keyOffset: Int?
        package var node: Node

        package init(key: String, keyOffset: Int? = nil, node: Node) {
            self.key = key
            self.keyOffset = keyOffset
            self.node = node
        }
    }

    /// The entries of a dictionary; nil for any other kind of value.
    package var entries: [Entry]? { if case .dictionary(let entries) = value { entries } else { nil } }

    /// The elements of a list; nil for any other kind of value.
    package var elements: [Node]? { if case .array(let elements) = value { elements } else { nil } }

    /// The value of a key in a dictionary. If the dictionary contains the key more than once, the first value is
    /// returned, which is the one that `JSONDecoder` reads.
    package subscript(key: String) -> Node? { entries?.first { $0.key == key }?.node }

    /// The number, with a fraction or without; nil for any other kind of value.
    package var number: Double? {
        switch value {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    /// The text of a string; nil for any other kind of value.
    package var string: String? { if case .string(let text) = value { text } else { nil } }
}

/// Encodes values as JSON text that ``JSONReader`` can read. Dates are encoded as ISO 8601 text and data as base64
/// text.
extension Node: Encodable {
    /// Encodes the value with any encoder. To get JSON text, use ``json()``.
    package func encode(to encoder: any Encoder) throws {
        switch value {
        case .array(let elements): try elements.encode(to: encoder)
        case .dictionary(let entries):
            var container = encoder.container(keyedBy: AnyCodingKey.self)
            for entry in entries { try container.encode(entry.node, forKey: AnyCodingKey(stringValue: entry.key)) }
        case .null: try Bool?.none.encode(to: encoder)
        case .boolean(let flag): try flag.encode(to: encoder)
        case .integer(let number): try number.encode(to: encoder)
        case .real(let number): try number.encode(to: encoder)
        case .string(let text): try text.encode(to: encoder)
        case .date(let date): try ISO8601Text.text(of: date).encode(to: encoder)
        case .data(let data): try data.base64EncodedString().encode(to: encoder)
        }
    }

    /// The value as JSON text with sorted keys.
    package func json() throws -> Data { try Self.encoder.encode(self) }

    private static let encoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Property lists can contain numbers that are not finite, but JSON cannot.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return encoder
    }()
}

extension Node.Entry {
    /// The error for a value of the wrong kind.
    package func mismatch(_ expected: String, fix: String?) -> FileProblem {
        // The message shows the value of a number, because a number can be of the right kind but out of range.
        let found =
            switch node.value {
            case .integer(let number): "\(number)"
            case .real(let number): "\(number)"
            default: node.value.kind
            }
        return FileProblem("\"\(key)\" is \(found) where \(expected) is expected", fix: fix)
    }

    /// The error for a key that is not one of the given names.
    ///
    /// - Parameter owner: a phrase with the location of the key, such as ` in "recorded"`.
    package func unknown(among names: [String], _ owner: String = "", fix: String? = nil) -> FileProblem {
        FileProblem(
            "unknown key \"\(key)\"\(owner)" + NearestName.hint(key, in: names),
            fix: fix ?? "use one of \(names.joined(separator: ", "))")
    }

    /// The error for a value that is not one of the given names; nil for a valid value.
    ///
    /// - Parameter fix: by default, a list of the names.
    package func misfit(in names: [String], fix: String? = nil) -> FileProblem? {
        let fix = fix ?? "use \(names.joined(separator: ", "))"
        guard let text = node.string else { return mismatch("text", fix: fix) }
        // Names of scenarios are compared byte for byte.
        if names.contains(where: text.isSame) { return nil }
        return FileProblem(
            "\"\(text)\" is not a valid value of \"\(key)\"" + NearestName.hint(text, in: names), fix: fix)
    }

    /// The error for a value that is not a positive number of seconds; nil for a valid value.
    package var misfitOfSeconds: FileProblem? {
        if let seconds = node.number, seconds > 0, seconds.isFinite { return nil }
        return mismatch("a positive number of seconds", fix: "write a number such as 30 or 2.5")
    }

    /// The error for a list element of the wrong kind.
    package func misfit(_ element: Node, of name: String, fix: String) -> FileProblem {
        FileProblem("\"\(key)\" contains \(element.value.kind) where \(name) are expected", fix: fix)
    }
}

extension Node {
    /// Calls a closure with this value and with every value inside it, in the order of the file. A container comes
    /// before its contents.
    ///
    /// - Parameters:
    ///   - state: the state for this value.
    ///   - entry: the entry that contains this value.
    ///   - body: receives each value, its entry (nil for the first value and for the elements of a list), and the state
    ///     that the closure returned for the container. Returns the state for the contents; nil to skip the contents.
    package func visit<State>(
        _ state: State, in entry: Entry? = nil, _ body: (Node, _ entry: Entry?, State) -> State?
    ) {
        guard let inner = body(self, entry, state) else { return }
        switch value {
        case .array(let elements):
            for element in elements { element.visit(inner, body) }
        case .dictionary(let entries):
            for entry in entries { entry.node.visit(inner, in: entry, body) }
        default: break
        }
    }

    /// Calls a closure with every entry inside this value, in the order of the file. This method takes a fraction of
    /// the time of `visit`, because it copies no entries.
    func forEachEntry(_ body: (Entry) -> Void) {
        for element in elements ?? [] { element.forEachEntry(body) }
        guard let entries else { return }
        for index in entries.indices {
            body(entries[index])
            entries[index].node.forEachEntry(body)
        }
    }

    /// Calls a closure with this value and with every value inside it, in the order of the file. A container comes
    /// before its contents.
    package func visit(_ body: (Node) -> Void) { visit(()) { node, _, _ in body(node) } }
}

/// Reads a value through a `JSONDecoder`, with the keys as the decoder converts them. A decoder checks a value only
/// when a model reads the value, so other values in the body may be invalid. A value that the decoder cannot read
/// becomes the text `…`. Values have no offsets, and keys are in alphabetical order.
extension Node: Decodable {
    package init(from decoder: any Decoder) throws {
        // Each failed attempt only means that the value is of another kind.
        if let object = try? decoder.container(keyedBy: AnyCodingKey.self) {
            let keys = object.allKeys.ordered { $0.stringValue < $1.stringValue }
            let entries = try keys.map { Entry(key: $0.stringValue, node: try object.decode(Node.self, forKey: $0)) }
            self.init(.dictionary(entries))
        } else if (try? decoder.unkeyedContainer()) != nil {
            self.init(.array(try [Node](from: decoder)))
        } else {
            let scalar = try decoder.singleValueContainer()
            let text = (try? scalar.decode(String.self)).map(Value.string)
            let flag = text ?? (try? scalar.decode(Bool.self)).map(Value.boolean)
            let number =
                flag ?? (try? scalar.decode(Int64.self)).map(Value.integer)
                ?? (try? scalar.decode(Double.self)).map(Value.real)
            self.init(scalar.decodeNil() ? .null : number ?? .string("…"))
        }
    }
}
