package import FingerpostFiles

extension Node {
    /// The value as text that is the same for equal values: an integral real number is written as an integer, and keys
    /// are sorted. As in Foundation, the last of several equal keys counts.
    package var normal: String {
        switch value {
        case .array(let elements): "[" + elements.map(\.normal).joined(separator: ", ") + "]"
        case .dictionary(let entries):
            "{"
                + Dictionary(entries.map { ($0.key, $0.node.normal) }) { $1 }
                .map { "\($0.key.debugDescription): \($0.value)" }.sorted().joined(separator: ", ") + "}"
        case .data(let data): data.base64EncodedString()
        case .real(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        case .string(let text): text.debugDescription
        default: "\(value)"
        }
    }
}
