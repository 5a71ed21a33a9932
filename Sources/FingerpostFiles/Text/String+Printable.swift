extension String {
    /// The text with control characters escaped, so that it cannot control a terminal or forge a line in a log.
    package var printable: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.map { $0.isControl ? $0.escaped(asASCII: true) : String($0) }.joined()
    }

    /// The ``printable`` text in quotes, for untrusted text in messages.
    package var quoted: String { "\"\(printable)\"" }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
