package import FingerpostFiles
import Foundation

/// Converts byte offsets in a file's text to lines and columns.
struct LineIndex: Sendable {
    private let starts: [Int]

    /// - Parameter text: the UTF-8 bytes of the text.
    init(_ text: [UInt8]) {
        var starts = [0]
        // `memchr` has the same speed in a debug build as in a release build.
        text.withUnsafeBytes { bytes in
            guard let begin = bytes.baseAddress else { return }
            while let end = memchr(begin + starts[starts.count - 1], 0x0A, bytes.count - starts[starts.count - 1]) {
                starts.append(UnsafeRawPointer(end) - begin + 1)
            }
        }
        self.starts = starts
    }

    /// The line and column of a byte offset, both 1-based; columns are counted in bytes.
    func position(of offset: Int) -> (line: Int, column: Int) {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return (low + 1, offset - starts[low] + 1)
    }
}

extension [UInt8] {
    /// The lines of byte offsets in this text, 1-based.
    package func lines(at offsets: [Int]) -> [Int] {
        if offsets.isEmpty { return [] }
        let index = LineIndex(self)
        return offsets.map { index.position(of: $0).line }
    }
}

extension Document {
    /// - Parameter text: the bytes that the offsets of `root` refer to; nil for formats that have no lines.
    package convenience init(path: String, root: Node, text: [UInt8]?) {
        self.init(path: path, root: root, position: text.map { LineIndex($0).position })
    }
}
