/// Compares and splits texts byte for byte. Splitting by `Character` would miss a dot or a slash that is combined with
/// a following combining mark.
extension String {
    func begins(with prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    func ends(with suffix: String) -> Bool { utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }

    /// The text without `suffix`. The text must end with `suffix`.
    func withoutEnd(_ suffix: String) -> String { String(Substring(utf8.dropLast(suffix.utf8.count))) }

    /// True when two texts have the same UTF-8 bytes. Two texts that encode the same letters differently are equal
    /// according to `==`, but not according to this method.
    package func isSame(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

    /// The parts of the text between the occurrences of an ASCII character, including empty parts.
    func parts(between separator: Unicode.Scalar) -> [Substring] {
        utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false).map { Substring($0) }
    }
}
