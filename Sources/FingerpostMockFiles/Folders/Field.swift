import FingerpostDocuments
import FingerpostFiles

/// A key of an object in a file. The field reads the key's value and stores it in the result for the object.
struct Field<Result> {
    let key: String
    let read: (inout ObjectReader, Node.Entry, inout Result) -> Void

    init(_ key: String, read: @escaping (inout ObjectReader, Node.Entry, inout Result) -> Void) {
        (self.key, self.read) = (key, read)
    }

    /// A key whose value is stored in a property. If the value is invalid, the property becomes nil.
    ///
    /// - Parameter value: reads the value of an entry. Returns nil for an invalid value, after reporting the problem.
    init<Value>(
        _ key: String, _ property: WritableKeyPath<Result, Value?>,
        _ value: @escaping (inout ObjectReader, Node.Entry) -> Value?
    ) {
        self.init(key) { reader, entry, result in result[keyPath: property] = value(&reader, entry) }
    }
}

extension ObjectReader {
    /// Reads entries into a value. Entries without a field are ignored.
    mutating func read<Result>(_ entries: [Node.Entry], _ fields: [Field<Result>], into result: inout Result) {
        for entry in entries {
            fields.first { entry.key == $0.key }?.read(&self, entry, &result)
        }
    }

    /// Reads an object whose valid keys are the keys of the fields.
    ///
    /// - Returns: the entries, as ``entries(of:_:known:)`` returns them.
    mutating func read<Result>(
        _ node: Node, _ owner: String, _ fields: [Field<Result>], into result: inout Result
    ) -> [Node.Entry] {
        let entries = entries(of: node, owner, known: fields.map(\.key))
        read(entries, fields, into: &result)
        return entries
    }

    /// Reads the object that is the value of an entry. If the value is not an object, reports the entry.
    mutating func object<Result>(
        _ entry: Node.Entry, _ fields: [Field<Result>], into result: inout Result, fix: String
    ) -> [Node.Entry]? {
        if entry.node.entries != nil { return read(entry.node, "in \"\(entry.key)\"", fields, into: &result) }
        reportKind(entry, "a dictionary", fix: fix)
        return nil
    }

    /// Returns the value that `parse` reads from an entry's text. An error thrown by `parse` is reported at the entry's
    /// position.
    mutating func parse<Value>(
        _ entry: Node.Entry, _ parse: (String) throws(FileProblem) -> Value
    ) -> Value? {
        guard let text = text(entry) else { return nil }
        do throws(FileProblem) { return try parse(text) } catch {
            report(entry.node.offset, "\"\(entry.key)\" is \"\(text)\": \(error.message)", fix: error.fix)
            return nil
        }
    }

    /// Returns the value of an entry if the value is true or false. Reports any other value.
    mutating func boolean(_ entry: Node.Entry, fix: String) -> Bool? {
        if case .boolean(let isTrue) = entry.node.value { return isTrue }
        reportKind(entry, "true or false", fix: fix)
        return nil
    }
}
