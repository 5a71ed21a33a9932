/// Builds indented lines of Swift.
struct SwiftText {
    private(set) var lines: [String] = []
    private var depth = 0

    mutating func line(_ text: String = "") {
        lines.append(text.isEmpty ? "" : String(repeating: "    ", count: depth) + text)
    }

    /// Opens a block in braces.
    mutating func open(_ head: String) {
        line(head + " {")
        depth += 1
    }

    /// Closes a block.
    mutating func close() {
        depth -= 1
        line("}")
    }

    /// A Swift string literal with a text as its value.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    /// A text for a line comment, with line breaks replaced by spaces.
    static func comment(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}
