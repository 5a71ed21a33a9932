import FingerpostFiles
import Foundation

/// JSON text in which single values are replaced. Every other byte stays as it is.
struct JSONText {
    private let bytes: [UInt8]
    private var replacements: [(range: Range<Int>, text: [UInt8])] = []

    /// - Parameter data: valid JSON, from which the nodes of the other methods were read.
    init(_ data: Data) {
        bytes = [UInt8](data)
    }

    /// The text with its replacements.
    var data: Data {
        var (data, start) = (Data(), 0)
        for (range, text) in replacements.ordered(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            data += bytes[start..<range.lowerBound] + text
            start = range.upperBound
        }
        return data + bytes[start...]
    }

    /// The source text of a value.
    subscript(node: Node) -> ArraySlice<UInt8> { bytes[range(of: node)] }

    /// Replaces a value.
    ///
    /// - Parameter node: a value that is neither replaced yet, nor in a value that is, nor around one.
    mutating func replace(_ node: Node, with text: some Sequence<UInt8>) {
        replacements.append((range(of: node), Array(text)))
    }

    private func range(of node: Node) -> Range<Int> {
        let start = node.offset ?? 0
        var (index, depth) = (start, 0)
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                if depth == 0 { return start..<index + 1 }
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth <= 0 { return start..<index + depth + 1 }
            case UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                if depth == 0 { return start..<index }
            default: break
            }
            index += 1
        }
        return start..<bytes.count
    }
}
