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
        switch node.value {
        case .array(let elements):
            for element in elements { check(element, in: document, &problems) }
        case .dictionary(let entries):
            var keys = FoldedKeys(minimumCapacity: entries.count)
            var areDifferent = true
            for entry in entries {
                if !keys.insert(entry.key) { areDifferent = false }
                if let (message, fix) = objection(to: entry.key, isTop: isTop) {
                    problems.append(document.problem(at: entry.keyOffset, message, fix: fix))
                }
                check(entry.node, in: document, &problems)
            }
            if !areDifferent { findTwins(entries, in: document, &problems) }
        default: break
        }
    }

    private static func objection(to key: String, isTop: Bool) -> (message: String, fix: String)? {
        if key.isEmpty { return ("a key is empty", "give it a name") }
        if key.utf8.contains(UInt8(ascii: ".")) {
            return (
                "the key \"\(key)\" holds a dot, which separates nested keys", "rename it, or nest it in a dictionary"
            )
        }
        if !isTop, key.utf8.first == UInt8(ascii: "$") {
            return ("the key \"\(key)\" starts with $, as only keys at the top may", "move it to the top, or rename it")
        }
        return nil
    }

    private static func findTwins(_ entries: [Node.Entry], in document: Document, _ problems: inout [FileProblem]) {
        var seen: Set<String> = []
        var folded: [String: String] = [:]
        for entry in entries {
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
        }
    }
}
