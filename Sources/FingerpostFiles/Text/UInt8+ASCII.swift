/// The kinds of ASCII characters. Only ASCII counts: other digits and letters have no meaning in URLs and headers.
extension UInt8 {
    /// True for 0 to 9.
    @inlinable package var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    /// True for A to Z and a to z.
    @inlinable package var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

    /// True for the digits of hexadecimal numbers, in upper and lower case.
    @inlinable package var isHexadecimalDigit: Bool {
        isASCIIDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20
    }
}
