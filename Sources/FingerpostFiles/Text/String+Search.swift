/// Searches for bytes that are not inlined where they are used: each use would be a copy of the whole loop.
extension String {
    /// True if all bytes of the text fulfill a condition; also for an empty text.
    @inline(never)
    package func hasOnly(_ isAllowed: (UInt8) -> Bool) -> Bool { withBytes { $0.allSatisfy(isAllowed) } }
}

extension Substring {
    /// The number that the text consists of; nil unless all its characters are ASCII digits.
    package var digits: Int? {
        @inline(never) get {
            let text = String(self)
            return text.hasOnly(\.isASCIIDigit) ? Int(text) : nil
        }
    }
}

extension StringProtocol where SubSequence == Substring {
    /// True if the text contains one of some ASCII characters.
    package func hasAny(of characters: StaticString) -> Bool { prefix(before: characters).endIndex < endIndex }
}
