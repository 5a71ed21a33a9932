package import FingerpostFiles
package import Foundation

/// Reads objects in a file and collects all problems found in these objects.
package struct ObjectReader {
    package let document: Document
    package private(set) var problems: [FileProblem] = []

    init(_ document: Document) {
        self.document = document
    }

    /// Reads a JSON file whose bytes the closure returns.
    package init(path: String, json data: () throws(FileProblem) -> Data) throws(InvalidFile) {
        do throws(FileProblem) { document = try Document(json: data(), path: path) } catch {
            throw InvalidFile([error])
        }
    }

    /// - Throws: an error that lists all problems, if there are any.
    package func throwProblems() throws(InvalidFile) {
        if !problems.isEmpty { throw InvalidFile(problems) }
    }

    // MARK: Objects

    /// Returns the entries of the whole file. If the file does not contain an object, reports a problem.
    ///
    /// - Parameter name: the plural noun for what the file contains, such as `settings`.
    package mutating func rootEntries(as name: String, fix: String) -> [Node.Entry]? {
        if let entries = document.root.entries { return entries }
        report(document.root.offset, "the file contains \(document.root.value.kind), not \(name)", fix: fix)
        return nil
    }

    /// Returns the entries of an object that may contain only the known keys. Unknown keys are reported and left out of
    /// the result. Duplicate keys are reported but included.
    ///
    /// - Parameters:
    ///   - owner: a phrase for messages that says where the keys are, such as `in "recorded"`.
    ///   - known: the valid keys.
    package mutating func entries(of node: Node, _ owner: String, known: [String]) -> [Node.Entry] {
        let found = (node.entries ?? []).filter { entry in
            // The keys are compared byte for byte, because `String` treats different encodings of the same letter as
            // equal.
            if known.contains(entry.key) { return true }
            let problem = entry.unknown(among: known, " \(owner)")
            report(entry.keyOffset, problem.message, fix: problem.fix)
            return false
        }
        checkDuplicates(found)
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
        for entry in entries {
            let (isNew, other) = seen.insert(ignoringCase ? entry.key.lowercased() : entry.key)
            if !isNew { reportDuplicate(entry, of: ignoringCase ? entry.key : other) }
        }
    }

    // MARK: Values

    /// Returns the text of an entry. Reports a value of any other kind.
    package mutating func text(_ entry: Node.Entry, fix: String? = nil) -> String? {
        if let text = entry.node.string { return text }
        reportKind(entry, "text", fix: fix)
        return nil
    }

    /// Returns the text of an entry if the text is one of the given names. Reports any other value.
    ///
    /// - Parameter fix: the fix to report for any other value; by default, a list of the names.
    package mutating func choice(_ entry: Node.Entry, _ names: [String], fix: String? = nil) -> String? {
        guard let problem = entry.misfit(in: names, fix: fix) else { return entry.node.string }
        report(entry.node.offset, problem.message, fix: problem.fix)
        return nil
    }

    /// Returns the integer of an entry if the integer is in a range. Reports any other value.
    package mutating func integer(_ entry: Node.Entry, in range: ClosedRange<Int>) -> Int? {
        if case .integer(let number) = entry.node.value, let number = Int(exactly: number), range.contains(number) {
            return number
        }
        reportKind(entry, range.inWords)
        return nil
    }

    /// Returns the elements of a list. Elements of the wrong kind are reported and left out of the result.
    ///
    /// - Parameters:
    ///   - name: the plural noun for the elements in messages, such as `keys`.
    ///   - read: converts an element. Returns nil when the element is of the wrong kind.
    package mutating func elements<Element>(
        _ entry: Node.Entry, _ name: String, fix: String, as read: (Node) -> Element?
    ) -> [Element] {
        guard let elements = entry.node.elements else {
            reportKind(entry, "a list of \(name)", fix: fix)
            return []
        }
        return elements.compactMap { element in
            if let value = read(element) { return value }
            report(element.offset, entry.misfit(element, of: name, fix: fix).message, fix: fix)
            return nil
        }
    }

    // MARK: Reports

    /// The maximum number of problems to report. A file can have a million problems, and nobody reads that many.
    static let maximumCount = 1_000

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

    /// - Parameter other: the earlier key. If two different keys are equal in Unicode, the keys look the same. The
    ///   message then escapes their characters.
    private mutating func reportDuplicate(_ entry: Node.Entry, of other: String) {
        let texts = [entry.key, other].map { $0.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() }
        let message =
            entry.key.isSame(as: other)
            ? "\"\(entry.key)\"" : "\"\(texts[0])\", which is equal to \"\(texts[1])\" by Unicode normalization"
        report(entry.keyOffset, "duplicate key \(message)", fix: "keep one of them")
    }

    package mutating func reportKind(_ entry: Node.Entry, _ expected: String, fix: String? = nil) {
        report(entry.node.offset, entry.mismatch(expected, fix: fix).message, fix: fix)
    }
}

extension FileProblem {
    /// Creates an error if a number is outside its range; nil if the number is in the range.
    package init?(of key: String, _ number: Int, in range: ClosedRange<Int>) {
        if range.contains(number) { return nil }
        self.init("\"\(key)\" is \(number) where \(range.inWords) is expected")
    }
}

extension ClosedRange<Int> {
    fileprivate var inWords: String { "a whole number from \(lowerBound) to \(upperBound)" }
}

extension [Node.Entry] {
    package func named(_ key: String) -> Node.Entry? { first { $0.key.isSame(as: key) } }
}

/// The error for a file with problems.
package struct InvalidFile: Error, Sendable {
    /// All problems found in the file.
    package let problems: [FileProblem]

    package init(_ problems: [FileProblem]) {
        self.problems = problems
    }
}
