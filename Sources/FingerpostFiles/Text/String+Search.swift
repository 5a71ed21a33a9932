/// Loops over the bytes of texts that are not inlined where they are used: each use would be a copy of the loop.
extension String {
    /// True if all bytes of the text fulfill a condition; also for an empty text.
    @inline(never)
    package func hasOnly(_ isAllowed: (UInt8) -> Bool) -> Bool { withBytes { $0.allSatisfy(isAllowed) } }
}

extension Substring {
    /// The number that ASCII digits form; nil for any other text, and for a number that is too large.
    package var wholeNumber: Int? {
        @inline(never) get {
            var number = 0
            for byte in utf8 {
                let (tens, areTooMany) = number.multipliedReportingOverflow(by: 10)
                let (sum, isTooLarge) = tens.addingReportingOverflow(Int(byte) - Int(UInt8(ascii: "0")))
                guard byte.isASCIIDigit, !areTooMany, !isTooLarge else { return nil }
                number = sum
            }
            return isEmpty ? nil : number
        }
    }
}

extension StringProtocol where SubSequence == Substring {
    /// True if the text contains one of some ASCII characters.
    package func hasAny(of characters: StaticString) -> Bool { prefix(before: characters).endIndex < endIndex }
}
