extension String {
    /// The text with its control characters made visible, so that it cannot steer a terminal or start another line of a log.
    package var printable: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.map { $0.isControl ? $0.escaped(asASCII: true) : String($0) }.joined()
    }

    /// Text from elsewhere in a message: printable and in quotes.
    package var quoted: String { "\"\(printable)\"" }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
