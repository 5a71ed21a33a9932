extension [UInt8] {
    /// Appends the decimal digits of an integer. This function is several times faster than appending the integer's
    /// `description`.
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
