extension Node.Entry {
    /// The problem of a value that is not of the right kind.
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

    /// The problem of a key that is not one of the given names.
    ///
    /// - Parameter owner: a phrase that says where the key is, such as ` in "recorded"`.
    package func unknown(among names: [String], _ owner: String = "", fix: String? = nil) -> FileProblem {
        FileProblem(
            "unknown key \"\(key)\"\(owner)" + NearestName.hint(key, in: names),
            fix: fix ?? "use one of \(names.joined(separator: ", "))")
    }

    /// The problem of a value that is not one of the given names; nil if it is one.
    ///
    /// - Parameter fix: by default, a list of the names.
    package func misfit(in names: [String], fix: String? = nil) -> FileProblem? {
        let fix = fix ?? "use \(names.joined(separator: ", "))"
        guard let text = node.string else { return mismatch("text", fix: fix) }
        if names.contains(where: text.isSame) { return nil }
        return FileProblem(
            "\"\(text)\" is not a valid value of \"\(key)\"" + NearestName.hint(text, in: names), fix: fix)
    }

    /// The problem of a value that is not a positive number of seconds; nil if it is one.
    package var misfitOfSeconds: FileProblem? {
        if let seconds = node.number, seconds > 0, seconds.isFinite { return nil }
        return mismatch("a positive number of seconds", fix: "write a number such as 30 or 2.5")
    }

    /// The problem of an element of the wrong kind.
    package func misfit(_ element: Node, of name: String, fix: String) -> FileProblem {
        FileProblem("\"\(key)\" contains \(element.value.kind) where \(name) are expected", fix: fix)
    }
}
