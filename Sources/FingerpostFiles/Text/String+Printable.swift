extension String {
    /// The text with control characters escaped, so that it cannot control a terminal, forge a line in a log, or change
    /// the order in which a line is read.
    package var printable: String { escaping { $0.isControl } }

    /// The ``printable`` text, with its line breaks kept. For text of several lines that this library wrote.
    package var printableLines: String { escaping { $0.isControl && $0 != "\n" } }

    /// The ``printable`` text in quotes, for untrusted text in messages.
    package var quoted: String { "\"\(printable)\"" }

    private func escaping(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: isEscaped) else { return self }
        return unicodeScalars.map { isEscaped($0) ? $0.escaped(asASCII: true) : String($0) }.joined()
    }
}

extension Unicode.Scalar {
    /// True for characters that act on a terminal or a line instead of being shown: control characters, line and
    /// paragraph separators, and the marks that reverse the direction of text (Unicode Standard Annex 9).
    fileprivate var isControl: Bool {
        if value < 0x7F { return value < 0x20 }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return properties.isBidiControl
        }
    }
}
