package import FingerpostFiles

/// A JSON Pointer (RFC 6901): `/items/0/id`. As an extension to the RFC, the part `*` matches every element of a list,
/// or every value of an object.
package struct JSONPointer: Sendable, Equatable, CustomStringConvertible {
    /// The unescaped parts of the pointer. In a pointer's written form, the parts are separated by slashes.
    package let parts: [String]

    /// - Parameter parts: the unescaped parts of the pointer.
    package init(parts: [String]) {
        self.parts = parts
    }

    /// Parses the written form of a pointer.
    ///
    /// - Parameter text: the written form of the pointer. An empty string points at the whole value.
    /// - Throws: an error when the text is not a JSON Pointer. The error's file path is nil.
    init(_ text: String) throws(FileProblem) {
        if text.isEmpty {
            parts = []
            return
        }
        guard text.utf8.first == UInt8(ascii: "/") else {
            throw FileProblem("a JSON Pointer must start with /", fix: "write /\(text)")
        }
        for after in text.parts(between: "~").dropFirst() {
            guard after.begins(with: "0") || after.begins(with: "1") else {
                throw FileProblem(
                    "a ~ in a JSON Pointer must be followed by 0 or 1", fix: "write ~0 for ~, and ~1 for /")
            }
        }
        parts = text.parts(between: "/").dropFirst().map(Self.unescaped)
    }

    /// Replaces `~1` and `~0` byte by byte: a digit and a combining mark after it form a single `Character`.
    private static func unescaped(_ part: Substring) -> String {
        let pieces = part.parts(between: "~")
        let rest = pieces.dropFirst().map { piece in
            (piece.begins(with: "1") ? "/" : "~") + String(Substring(piece.utf8.dropFirst()))
        }
        return String(pieces[0]) + rest.joined()
    }

    /// The written form, with `~` and `/` escaped.
    package var description: String {
        var text = ""
        for part in parts {
            text += "/" + part.replacing(bytesOf: "~", with: "~0").replacing(bytesOf: "/", with: "~1")
        }
        return text
    }

    /// The index of a list's element that a part of a pointer denotes: digits without a sign or leading zeros (RFC 6901
    /// section 4). nil for any other part, and for an index outside the list.
    private static func index(_ part: String, in elements: [Node]) -> Int? {
        Int(digits: part[...]).flatMap { elements.indices.contains($0) && "\($0)" == part ? $0 : nil }
    }

    /// The value in a list or an object that a part of a pointer denotes; nil if there is none.
    package static func value(of part: String, in node: Node) -> Node? {
        guard let elements = node.elements else { return node[part] }
        return index(part, in: elements).map { elements[$0] }
    }

    /// Changes the values in `node` that the pointer leads to.
    ///
    /// - Returns: false when the pointer leads nowhere. Nothing is changed then. The parts after a `*` must lead to a
    ///   value in every element of the list or object, so a `*` for an empty list or object always leads somewhere.
    package func update<Failure>(
        _ node: inout Node, _ change: (inout Node) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        try Self.update(parts[...], in: &node, change)
    }

    private static func update<Failure>(
        _ parts: ArraySlice<String>, in node: inout Node, _ change: (inout Node) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard let part = parts.first else {
            try change(&node)
            return true
        }
        switch node.value {
        case .array(var elements):
            let indices = part == "*" ? Array(elements.indices) : index(part, in: elements).map { [$0] } ?? []
            guard part == "*" || !indices.isEmpty else { return false }
            for index in indices {
                guard try update(parts.dropFirst(), in: &elements[index], change) else { return false }
            }
            node.value = .array(elements)
        case .dictionary(var entries):
            let indices = entries.indices.filter { part == "*" || entries[$0].key == part }
            guard part == "*" || !indices.isEmpty else { return false }
            for index in indices {
                guard try update(parts.dropFirst(), in: &entries[index].node, change) else { return false }
            }
            node.value = .dictionary(entries)
        default: return false
        }
        return true
    }
}
