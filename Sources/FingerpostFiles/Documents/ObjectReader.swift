/// Reads objects in a file and collects all problems found in these objects.
package struct ObjectReader {
    package let document: Document
    package private(set) var problems: [FileProblem] = []

    package init(_ document: Document) {
        self.document = document
    }

    // MARK: Keys

    /// The entries of an object whose valid keys are the cases of an enum. Unknown keys are reported and left out of
    /// the result; duplicate keys are reported but included.
    ///
    /// - Parameters:
    ///   - owner: a phrase for messages that says where the keys are, such as `in "recorded"`.
    ///   - known: the valid keys.
    package mutating func entries<Key: RawRepresentable<String>>(
        of node: Node, _ owner: String, known: [Key]
    ) -> [(key: Key, entry: Node.Entry)] {
        let entries = node.entries ?? []
        let found = entries.compactMap { entry -> (key: Key, entry: Node.Entry)? in
            // The keys are compared byte for byte, because `String` treats different encodings of the same letter as
            // equal.
            guard let key = known.first(where: { entry.key.isSame(as: $0.rawValue) }) else {
                reportUnknown(entry, among: known.map(\.rawValue), owner)
                return nil
            }
            return (key, entry)
        }
        checkDuplicates(found.map(\.entry))
        return found
    }

    /// The entries of an object whose keys the user can choose freely. Duplicate keys are reported.
    package mutating func members(_ entry: Node.Entry, ignoringCase: Bool = false, fix: String) -> [Node.Entry]? {
        guard let members = entry.node.entries else {
            reportKind(entry, "a dictionary", fix: fix)
            return nil
        }
        checkDuplicates(members, ignoringCase: ignoringCase)
        return members
    }

    /// Reports keys that occur more than once.
    package mutating func checkDuplicates(_ entries: [Node.Entry], ignoringCase: Bool = false) {
        var seen: Set<String> = []
        for entry in entries where !seen.insert(ignoringCase ? entry.key.lowercased() : entry.key).inserted {
            reportDuplicate(entry)
        }
    }

    // MARK: Values

    /// The text of an entry. A value of any other kind is reported.
    package mutating func text(_ entry: Node.Entry, fix: String? = nil) -> String? {
        if let text = entry.node.string { return text }
        reportKind(entry, "text", fix: fix)
        return nil
    }

    /// The text of an entry, if the text is one of the given names. Any other value is reported.
    ///
    /// - Parameter fix: the fix to report for any other value; by default, a list of the names.
    package mutating func choice(_ entry: Node.Entry, _ names: [String], fix: String? = nil) -> String? {
        let fix = fix ?? "use \(names.joined(separator: ", "))"
        guard let text = text(entry, fix: fix) else { return nil }
        if names.contains(where: text.isSame) { return text }
        report(
            entry.node.offset,
            "\"\(text)\" is not a valid value of \"\(entry.key)\"" + NearestName.hint(text, in: names), fix: fix)
        return nil
    }

    /// The text of an entry, parsed by `parse`. An error thrown by `parse` is reported at the entry's position.
    package mutating func parse<Value>(
        _ entry: Node.Entry, _ parse: (String) throws(FileProblem) -> Value
    ) -> Value? {
        guard let text = text(entry) else { return nil }
        do throws(FileProblem) { return try parse(text) } catch {
            report(entry.node.offset, "\"\(entry.key)\" is \"\(text)\": \(error.message)", fix: error.fix)
            return nil
        }
    }

    /// The integer value of an entry, if the integer is in a range. Any other value is reported.
    package mutating func integer(_ entry: Node.Entry, in range: ClosedRange<Int>) -> Int? {
        if case .integer(let number) = entry.node.value, let number = Int(exactly: number), range.contains(number) {
            return number
        }
        reportKind(entry, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    /// Reports an entry whose value is not a positive number.
    package mutating func checkSeconds(_ entry: Node.Entry) {
        switch entry.node.value {
        case .integer(let seconds) where seconds > 0: break
        case .real(let seconds) where seconds > 0 && seconds.isFinite: break
        default: reportKind(entry, "a positive number of seconds", fix: "write a number such as 30 or 2.5")
        }
    }

    /// The elements of a list. Elements of the wrong kind are reported and left out of the result.
    ///
    /// - Parameters:
    ///   - name: the plural noun for the elements in messages, such as `keys`.
    ///   - read: converts an element. Returns nil when the element is of the wrong kind.
    package mutating func elements<Element>(
        _ entry: Node.Entry, _ name: String, fix: String, as read: (Node) -> Element?
    ) -> [Element] {
        guard case .array(let elements) = entry.node.value else {
            reportKind(entry, "a list of \(name)", fix: fix)
            return []
        }
        return elements.compactMap { element in
            if let value = read(element) { return value }
            report(
                element.offset, "\"\(entry.key)\" contains \(element.value.kind) where \(name) are expected", fix: fix)
            return nil
        }
    }

    // MARK: Reports

    /// The maximum number of problems to report. Nobody reads more of them, and a file can have a million.
    package static let maximumCount = 1_000

    package mutating func report(_ offset: Int?, _ message: String, fix: String?) {
        guard problems.count < Self.maximumCount else {
            if problems.count == Self.maximumCount {
                let message = "there are more problems, which are not listed"
                problems.append(document.problem(at: offset, message, fix: "correct the others first"))
            }
            return
        }
        // The message and the fix can contain text from the file, and this text can contain line breaks.
        problems.append(document.problem(at: offset, message.printable, fix: fix?.printable))
    }

    package mutating func reportUnknown(
        _ entry: Node.Entry, among names: [String], _ owner: String = "", fix: String? = nil
    ) {
        report(
            entry.keyOffset,
            "unknown key \"\(entry.key)\"" + (owner.isEmpty ? "" : " \(owner)")
                + NearestName.hint(entry.key, in: names),
            fix: fix ?? "use one of \(names.joined(separator: ", "))")
    }

    package mutating func reportDuplicate(_ entry: Node.Entry) {
        report(entry.keyOffset, "duplicate key \"\(entry.key)\"", fix: "keep one of them")
    }

    package mutating func reportKind(_ entry: Node.Entry, _ expected: String, fix: String? = nil) {
        // The message shows the value of a number, because a number can be of the right kind but out of range.
        let found =
            switch entry.node.value {
            case .integer(let number): "\(number)"
            case .real(let number): "\(number)"
            default: entry.node.value.kind
            }
        report(entry.node.offset, "\"\(entry.key)\" is \(found) where \(expected) is expected", fix: fix)
    }
}
