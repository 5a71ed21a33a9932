/// Loops over the bytes of texts that are not inlined where they are used: each use would be a copy of the loop.
extension String {
    /// True if all bytes of the text fulfill a condition; also for an empty text.
    @inline(never)
    package func hasOnly(_ isAllowed: (UInt8) -> Bool) -> Bool { withBytes { $0.allSatisfy(isAllowed) } }
}

extension FixedWidthInteger {
    /// The number that ASCII digits form; nil for any other text, such as one with a sign, and for a number that is too
    /// large for the type.
    package init?(digits: Substring) {
        guard digits.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        self.init(digits)
    }
}

extension StringProtocol where SubSequence == Substring {
    /// True if the text contains one of some ASCII characters.
    package func hasAny(of characters: StaticString) -> Bool {
        // A loop over `utf8` is several times slower.
        utf8.withContiguousStorageIfAvailable { $0.contains { $0.isOne(of: characters) } }
            ?? utf8.contains { $0.isOne(of: characters) }
    }
}
