extension Node {
    /// Calls a closure with this value and with every value inside it, a container before its contents, in the order of
    /// the file.
    ///
    /// - Parameters:
    ///   - state: the state for this value.
    ///   - entry: the entry that contains this value.
    ///   - body: receives each value, its entry (nil for the first value and for the elements of a list), and the state
    ///     that the closure returned for the container. Returns the state for the contents; nil to skip them.
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

    /// Calls a closure with this value and with every value inside it, a container before its contents, in the order of
    /// the file.
    package func visit(_ body: (Node) -> Void) {
        visit(()) { node, _, _ in body(node) }
    }

    /// Changes this value and every value inside it, a container before its contents.
    ///
    /// - Parameters:
    ///   - path: the path of this value: the keys and indices that lead to it.
    ///   - change: changes a value. It does not receive the contents of a container that it puts in place of a scalar.
    package mutating func update<Failure>(
        at path: [String] = [], _ change: (inout Node, _ path: [String]) throws(Failure) -> Void
    ) throws(Failure) {
        let isContainer = elements != nil || entries != nil
        try change(&self, path)
        guard isContainer else { return }
        switch value {
        case .array(var elements):
            for index in elements.indices { try elements[index].update(at: path + ["\(index)"], change) }
            value = .array(elements)
        case .dictionary(var entries):
            for index in entries.indices {
                let path = path + [entries[index].key]
                try entries[index].node.update(at: path, change)
            }
            value = .dictionary(entries)
        default: break
        }
    }
}
