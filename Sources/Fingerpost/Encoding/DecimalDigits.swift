extension [UInt8] {
    /// Appends an integer in decimal digits, several times faster than by appending its description.
    mutating func append(decimal number: Int) {
        if number < 0 { append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var unit: UInt = 1
        while rest / unit > 9 { unit *= 10 }
        while unit > 0 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / unit))
            rest %= unit
            unit /= 10
        }
    }
}
