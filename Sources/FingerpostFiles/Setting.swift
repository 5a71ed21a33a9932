import Foundation

/// One key of an environment after its layers were put together.
package struct Setting: Sendable {
    /// The value; an empty dictionary for a dictionary, whose keys are settings of their own.
    package var value: Node.Value
    package var source: ValueSource
    /// Where the values stood that this one replaced, the nearest layer first.
    package var replaced: [ValueSource] = []
    /// The keys of a dictionary, in the order of their first appearance.
    package var keys: [String] = []
    package var children: [String: Setting] = [:]
    /// What stood below a null: its type is that of the key.
    private var belowNull: Node.Value?

    package var isDictionary: Bool {
        if case .dictionary = value { true } else { false }
    }

    package var isNull: Bool {
        if case .null = value { true } else { false }
    }

    /// A value of the key's type: its own, or for null the last one of the layers below; null where no layer has any.
    var typical: Node.Value { isNull ? belowNull ?? .null : value }

    /// The value as one node, with everything that was merged into it.
    package var node: Node {
        let offset = if case .file(_, let offset) = source { offset } else { Int?.none }
        guard isDictionary else { return Node(value, offset: offset) }
        let entries = keys.compactMap { key in children[key].map { Node.Entry(key: key, node: $0.node) } }
        return Node(.dictionary(entries), offset: offset)
    }

    package init(_ node: Node, _ source: ValueSource) {
        value = node.value
        self.source = source
        guard let entries = node.entries else { return }
        value = .dictionary([])
        keys.reserveCapacity(entries.count)
        children.reserveCapacity(entries.count)
        for entry in entries { self[entry.key] = Setting(entry.node, source.moved(to: entry)) }
    }

    /// An empty dictionary.
    init(_ source: ValueSource) {
        self.init(Node(.dictionary([])), source)
    }

    /// A key of a dictionary.
    subscript(key: String) -> Setting? {
        get { children[key] }
        set {
            let old = children.updateOrRemove(newValue, forKey: key)
            if old == nil, newValue != nil { keys.append(key) }
            if newValue == nil { keys.removeAll { $0 == key } }
        }
    }

    /// A key at any depth, by its dotted path.
    package subscript(path path: String) -> Setting? {
        path.split(separator: ".").reduce(Optional(self)) { $0?.children[String($1)] }
    }

    /// Removes a key at any depth.
    ///
    /// - Returns: false when there is none.
    mutating func remove(path: some Collection<Substring>) -> Bool {
        guard let first = path.first.map(String.init), var child = children[first] else { return false }
        if path.count == 1 {
            self[first] = nil
            return true
        }
        let isRemoved = child.remove(path: path.dropFirst())
        self[first] = child
        return isRemoved
    }

    /// Calls the body with each key that is no dictionary, by its dotted path and in order; with the setting itself when it is none.
    ///
    /// - Parameter path: the dotted path of the setting, empty for a whole environment.
    package func forEachLeaf(below path: String = "", _ body: (String, Setting) -> Void) {
        guard isDictionary else { return body(path, self) }
        for key in keys {
            guard let child = children[key] else { continue }
            let childPath = Self.path(of: key, in: path)
            if child.isDictionary { child.forEachLeaf(below: childPath, body) } else { body(childPath, child) }
        }
    }
}

// MARK: Layers

extension Setting {
    /// Lays another over this one: dictionaries merge, all else replaces, and the type stays.
    ///
    /// It does not matter in which order three are put together: (a, b), c is a, (b, c).
    ///
    /// - Parameter path: the dotted path of both, empty for that of a whole environment.
    package mutating func lay(
        _ new: consuming Setting, at path: @autoclosure () -> String = "", _ problems: inout [FileProblem]
    ) {
        if isDictionary, new.isDictionary {
            for key in new.keys {
                if let child = new.children[key] { lay(child, as: key, in: path(), &problems) }
            }
            return
        }
        if isNull || new.isNull || !value.hasKind(of: new.value) {
            guard let value = typical.replaced(by: new.typical) else {
                problems.append(new.typeChange(of: self, at: path()))
                // That the null has no value is not worth another problem.
                if isNull { self = new }
                return
            }
            if new.isNull { new.belowNull = value } else { new.value = value }
        }
        new.replaced.append(source)
        new.replaced.append(contentsOf: replaced)
        self = new
    }

    /// Lays another over the one of this dictionary's keys.
    ///
    /// - Parameter path: the dotted path of the dictionary, empty for a whole environment.
    mutating func lay(
        _ new: consuming Setting, as key: String, in path: @autoclosure () -> String, _ problems: inout [FileProblem]
    ) {
        guard let index = children.index(forKey: key) else {
            keys.append(key)
            children[key] = new
            return
        }
        // A key that stands twice in its file is a problem by itself, and no second layer.
        if children.values[index].source.isSameFile(as: new.source) {
            children.values[index] = new
            return
        }
        children.values[index].lay(new, at: Self.path(of: key, in: path()), &problems)
    }

    private static func path(of key: String, in path: String) -> String {
        path.isEmpty ? key : "\(path).\(key)"
    }

    private func typeChange(of old: Setting, at path: String) -> FileProblem {
        let other = old.typical
        switch (value, other) {
        case (.null, .dictionary):
            return source.problem(
                "\"\(path)\" is null here and a dictionary in \(old.source)",
                fix: "list it in \"$unset\", or write null for its keys")
        case (.dictionary, .null) where old.belowNull == nil:
            return source.problem(
                "\"\(path)\" is a dictionary here and null in \(old.source)",
                fix: "declare its keys there, each with null")
        case (.string, .date), (.date, .string):
            return source.problem(
                "\"\(path)\" is \(value.kind) here and \(other.kind) in \(old.source), and the text is no date",
                fix: "write the text as 2026-01-31T12:00:00Z")
        case (.string, .data), (.data, .string):
            return source.problem(
                "\"\(path)\" is \(value.kind) here and \(other.kind) in \(old.source), and the text is not base64",
                fix: "write the text in base64")
        default:
            return source.problem(
                "\"\(path)\" is \(typical.kind) here and \(other.kind) in \(old.source)",
                fix: "give it the same type in both")
        }
    }
}

extension Node.Value {
    /// This value where `other` stood: as it is, or read as the other's kind; nil when they do not go together.
    func converted(toKindOf other: Node.Value) -> Node.Value? {
        switch (self, other) {
        case (.null, _), (_, .null): self
        case (.integer(let number), .real): .real(Double(number))
        case (.real, .integer): self
        case (.string(let text), .date): ISO8601Text.date(text).map(Node.Value.date)
        case (.string(let text), .data): Data(base64Encoded: text).map(Node.Value.data)
        case (.date, .string(let text)): ISO8601Text.date(text) == nil ? nil : self
        case (.data, .string(let text)): Data(base64Encoded: text) == nil ? nil : self
        default: hasKind(of: other) ? self : nil
        }
    }

    /// What is there when a higher layer has another value; a null says nothing of the type.
    fileprivate func replaced(by new: Node.Value) -> Node.Value? {
        switch (self, new) {
        // Else a null between two dictionaries would part them in one grouping and not in the other.
        case (.dictionary, .null), (.null, .dictionary): nil
        case (_, .null): self
        default: new.converted(toKindOf: self)
        }
    }

    fileprivate func hasKind(of other: Node.Value) -> Bool {
        switch (self, other) {
        case (.null, .null), (.boolean, .boolean), (.integer, .integer), (.real, .real), (.string, .string),
            (.date, .date), (.data, .data), (.array, .array), (.dictionary, .dictionary):
            true
        default: false
        }
    }
}

extension Dictionary {
    fileprivate mutating func updateOrRemove(_ value: Value?, forKey key: Key) -> Value? {
        if let value { updateValue(value, forKey: key) } else { removeValue(forKey: key) }
    }
}
