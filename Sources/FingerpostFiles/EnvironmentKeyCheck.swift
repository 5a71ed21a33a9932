/// Finds what is wrong with the keys of one environment file, wherever they stand.
enum EnvironmentKeyCheck {
    static func problems(of document: Document) -> [FileProblem] {
        var problems: [FileProblem] = []
        check(document.root, in: document, isTop: true, &problems)
        return problems
    }

    private static func check(
        _ node: Node, in document: Document, isTop: Bool = false, _ problems: inout [FileProblem]
    ) {
        var seen: Set<String> = []
        var folded: [String: String] = [:]
        for entry in node.entries ?? [] {
            let key = entry.key
            if !seen.insert(key).inserted {
                problems.append(
                    document.problem(at: entry.keyOffset, "the key \"\(key)\" stands twice", fix: "keep one of them"))
            } else if let other = folded.updateValue(key, forKey: key.lowercased()) {
                problems.append(
                    document.problem(
                        at: entry.keyOffset, "the keys \"\(other)\" and \"\(key)\" differ by letter case alone",
                        fix: "rename or remove one of them"))
            }
            if key.isEmpty || key.contains(".") {
                problems.append(
                    document.problem(
                        at: entry.keyOffset,
                        key.isEmpty ? "a key is empty" : "the key \"\(key)\" holds a dot, which separates nested keys",
                        fix: key.isEmpty ? "give it a name" : "rename it, or nest it in a dictionary"))
            }
            if !isTop, key.hasPrefix("$") {
                problems.append(
                    document.problem(
                        at: entry.keyOffset, "the key \"\(key)\" starts with $, as only keys at the top may",
                        fix: "move it to the top, or rename it"))
            }
            check(entry.node, in: document, &problems)
        }
        if case .array(let elements) = node.value {
            for element in elements { check(element, in: document, &problems) }
        }
    }
}
