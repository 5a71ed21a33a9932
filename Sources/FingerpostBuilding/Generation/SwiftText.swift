/// Builds indented lines of Swift code.
struct SwiftText {
    private(set) var lines: [String] = []
    private var depth = 0

    mutating func line(_ text: String = "") {
        lines.append(text.isEmpty ? "" : String(repeating: "    ", count: depth) + text)
    }

    /// Adds a line that opens a block in braces.
    mutating func open(_ head: String) {
        line(head + " {")
        depth += 1
    }

    /// Adds a line that closes the current block.
    mutating func close() {
        depth -= 1
        line("}")
    }

    /// Returns a Swift string literal for a text.
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

    /// Returns text that can be written in a line comment. Line breaks are replaced by spaces.
    static func comment(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}
