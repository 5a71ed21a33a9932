package import FingerpostFiles

extension Node {
    /// Changes this value and every value inside it, a container before its contents.
    ///
    /// - Parameters:
    ///   - path: the path of this value: the keys and indices that lead to it.
    ///   - change: changes a value. If `change` replaces a scalar by a container, the contents of the container are not
    ///     visited.
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
