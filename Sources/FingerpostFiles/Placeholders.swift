/// The placeholders of a text: `{name}`, where a value is filled in.
package enum Placeholders {
    /// A piece of a text.
    package enum Piece: Hashable, Sendable {
        case text(String)
        case placeholder(String)
    }

    /// The text in pieces. Braces that form no placeholder are text.
    package static func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var plain = ""
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "{") {
            plain += rest[..<open]
            let inside = rest[rest.index(after: open)...]
            guard let close = inside.firstIndex(of: "}"), isName(inside[..<close]) else {
                plain.append("{")
                rest = inside
                continue
            }
            if !plain.isEmpty { pieces.append(.text(plain)) }
            plain = ""
            pieces.append(.placeholder(String(inside[..<close])))
            rest = inside[inside.index(after: close)...]
        }
        plain += rest
        if !plain.isEmpty { pieces.append(.text(plain)) }
        return pieces
    }

    /// The first brace that belongs to no placeholder, with what follows it.
    package static func malformed(in text: String) -> String? {
        for case .text(let plain) in pieces(of: text) {
            if let brace = plain.firstIndex(where: { $0 == "{" || $0 == "}" }) { return String(plain[brace...]) }
        }
        return nil
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    }
}
