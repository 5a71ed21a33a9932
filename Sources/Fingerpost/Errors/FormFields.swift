import FingerpostFiles

/// The fields of a form: names and values between `&`, without a space.
struct FormFields: Sequence, IteratorProtocol {
    let text: [UInt8]
    private var start = 0

    /// - Parameter isDeclared: true for a text that is known to be a form.
    /// - Returns: nil for a text that is no form.
    init?(_ text: [UInt8], isDeclared: Bool) {
        self.text = text
        if isDeclared { return }
        // One field alone is hardly a form: `status=404`.
        var (isInName, hasSign, fields) = (true, false, 0)
        let isForm = text.withUnsafeBufferPointer { bytes in
            for byte in bytes {
                if byte <= 0x20 { return false }
                if byte == UInt8(ascii: "&") {
                    (isInName, hasSign, fields) = (true, hasSign || !isInName, fields + 1)
                } else if byte == UInt8(ascii: "=") {
                    isInName = false
                } else if isInName, !byte.isASCIILetter, !byte.isASCIIDigit, !byte.isOne(of: "-._~*+%[]$!'()@") {
                    return false
                }
            }
            return fields > 0 && (hasSign || !isInName)
        }
        if !isForm { return nil }
    }

    mutating func next() -> (name: Range<Int>, value: Range<Int>)? {
        while start < text.count {
            let end = text[start...].firstIndex(of: UInt8(ascii: "&")) ?? text.endIndex
            defer { start = end + 1 }
            if let sign = text[start..<end].firstIndex(of: UInt8(ascii: "=")) { return (start..<sign, sign + 1..<end) }
        }
        return nil
    }
}
