/// Byte-for-byte comparison and splitting. A `Character` can combine a dot or a slash with an adjacent combining mark.
extension String {
    func begins(with prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    func ends(with suffix: String) -> Bool { utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }

    /// The text without a suffix that it is known to have.
    func withoutEnd(_ suffix: String) -> String { String(Substring(utf8.dropLast(suffix.utf8.count))) }

    /// True when two texts have the same UTF-8 bytes. `==` would also match other encodings of the same letters.
    package func isSame(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

    /// The parts between an ASCII separator, including empty parts.
    func parts(between separator: Unicode.Scalar) -> [Substring] {
        utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false).map { Substring($0) }
    }
}
