/// Text compared byte for byte. A character of `String` can hold a dot or a slash together with what stands beside it.
extension String {
    func begins(with prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    func ends(with suffix: String) -> Bool { utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }

    /// The text before an end that it has.
    func withoutEnd(_ suffix: String) -> String { String(Substring(utf8.dropLast(suffix.utf8.count))) }

    package func isSame(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

    /// What stands between an ASCII character, empty parts too.
    func parts(between separator: Unicode.Scalar) -> [Substring] {
        utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false).map { Substring($0) }
    }
}
