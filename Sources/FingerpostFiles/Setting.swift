/// One key of an environment after its layers were put together.
package struct Setting: Sendable {
    /// The value; nil for a dictionary, whose keys are settings of their own.
    package var value: Node.Value
    package var source: ValueSource
    /// Where the values stood that this one replaced, the nearest layer first.
    package var replaced: [ValueSource] = []
    /// The keys of a dictionary, in the order of their first appearance.
    package var keys: [String] = []
    package var children: [String: Setting] = [:]

    package var isDictionary: Bool {
        if case .dictionary = value { true } else { false }
    }

    /// The value as one node, with everything that was merged into it.
    package var node: Node {
        let offset = if case .file(_, let offset) = source { offset } else { Int?.none }
        guard isDictionary else { return Node(value, offset: offset) }
        let entries = keys.compactMap { key in children[key].map { Node.Entry(key: key, node: $0.node) } }
        return Node(.dictionary(entries), offset: offset)
    }

    init(_ node: Node, _ source: ValueSource) {
        value = node.value
        self.source = source
        guard let entries = node.entries else { return }
        value = .dictionary([])
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
            if children[key] == nil, newValue != nil { keys.append(key) }
            if newValue == nil { keys.removeAll { $0 == key } }
            children[key] = newValue
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

    /// Calls the body with each key that is no dictionary, by its dotted path and in order.
    package func forEachLeaf(below path: String = "", _ body: (String, Setting) -> Void) {
        for key in keys {
            guard let child = children[key] else { continue }
            let childPath = path.isEmpty ? key : "\(path).\(key)"
            if child.isDictionary { child.forEachLeaf(below: childPath, body) } else { body(childPath, child) }
        }
    }
}
