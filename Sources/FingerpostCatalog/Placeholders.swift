import FingerpostFiles

/// A text split at its placeholders: `{name}` stands for a value, whereas `{{` and `}}` are escaped literal braces.
package struct Placeholders: Hashable, Sendable {
    /// A literal part of a text, or a placeholder.
    package enum Piece: Hashable, Sendable {
        case text(String)
        case placeholder(String)
    }

    /// The pieces of the text, in order. A brace that is neither escaped nor part of a placeholder stays in a literal
    /// piece.
    package private(set) var pieces: [Piece] = []
    /// The rest of the text, starting at the first brace that is neither escaped nor part of a placeholder; nil when
    /// there is no such brace.
    private(set) var malformed: String?

    /// Splits a text into its pieces.
    package init(_ text: String) {
        var plain = ""
        var rest = Substring(text)
        // A combining mark after a brace is part of the text.
        while let start = rest.unicodeScalars.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            plain += rest[..<start]
            let brace = rest.unicodeScalars[start]
            let inside = Substring(rest.unicodeScalars[start...].dropFirst())
            if inside.unicodeScalars.first == brace {
                plain.unicodeScalars.append(brace)
                rest = Substring(inside.unicodeScalars.dropFirst())
            } else if brace == "{", let (name, after) = inside.cut(at: "}"), Self.isName(name) {
                if !plain.isEmpty { pieces.append(.text(plain)) }
                plain = ""
                pieces.append(.placeholder(String(name)))
                rest = after
            } else {
                malformed = malformed ?? String(rest[start...])
                plain.unicodeScalars.append(brace)
                rest = inside
            }
        }
        plain += rest
        if !plain.isEmpty { pieces.append(.text(plain)) }
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    }
}
