/// A place in a JSON value (RFC 6901): `/items/0/id`. A part `*` stands for every element of a list or every value of an object.
package struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    /// The parts between slashes, unescaped.
    package let parts: [String]

    package init(parts: [String]) {
        self.parts = parts
    }

    /// - Parameter text: the written form; empty for the whole value.
    package init(_ text: String) throws(FileProblem) {
        if text.isEmpty {
            parts = []
            return
        }
        guard text.utf8.first == UInt8(ascii: "/") else {
            throw FileProblem("a JSON Pointer starts with /", fix: "write /\(text)")
        }
        for after in text.utf8.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false).dropFirst() {
            guard after.first == UInt8(ascii: "0") || after.first == UInt8(ascii: "1") else {
                throw FileProblem("a ~ in a JSON Pointer is followed by 0 or 1", fix: "write ~0 for ~, and ~1 for /")
            }
        }
        parts = text.parts(between: "/").dropFirst().map { part in
            String(part).replacing("~1", with: "/").replacing("~0", with: "~")
        }
    }

    package var description: String {
        parts.map { part in
            "/" + part.replacing("~", with: "~0").replacing("/", with: "~1")
        }.joined()
    }

    /// True where the value has what the pointer names; a `*` may stand for nothing.
    func leadsSomewhere(in node: Node) -> Bool { Self.leadsSomewhere(parts[...], in: node) }

    private static func leadsSomewhere(_ parts: ArraySlice<String>, in node: Node) -> Bool {
        guard let part = parts.first else { return true }
        let found: [Node]
        switch node.value {
        case .array(let elements):
            found = part == "*" ? elements : elements.indices.filter { "\($0)" == part }.map { elements[$0] }
        case .dictionary(let entries):
            found = entries.filter { part == "*" || $0.key == part }.map(\.node)
        default: return false
        }
        return (part == "*" || !found.isEmpty) && found.allSatisfy { leadsSomewhere(parts.dropFirst(), in: $0) }
    }
}
