/// A file's parsed content and the positions of its lines. The positions are needed to report problems in the file.
///
/// The content is held by reference, so copying a document is cheap. Copies must be cheap because every value in an
/// environment keeps the document that it comes from.
package struct Document: Sendable {
    private final class Content: Sendable {
        let path: String
        let root: Node
        let lines: LineIndex?

        init(path: String, root: Node, lines: LineIndex?) {
            self.path = path
            self.root = root
            self.lines = lines
        }
    }

    private let content: Content

    /// The file's path as shown in messages.
    package var path: String { content.path }
    /// The value at the top level of the file.
    package var root: Node { content.root }

    /// - Parameter text: the bytes that the offsets of `root` refer to; nil for formats that have no lines.
    package init(path: String, root: Node, text: [UInt8]?) {
        content = Content(path: path, root: root, lines: text.map { LineIndex($0) })
    }

    /// True for a property list, in which null cannot be written.
    var isPropertyList: Bool { path.ends(with: ".plist") }

    func isSame(as other: Document) -> Bool { content === other.content }

    /// The line that contains a byte offset, 1-based; nil when the line is unknown.
    package func line(of offset: Int?) -> Int? {
        guard let offset, let lines = content.lines else { return nil }
        return lines.position(of: offset).line
    }

    /// A problem at a byte offset in this document.
    package func problem(at offset: Int?, _ message: String, fix: String? = nil) -> FileProblem {
        let position = offset.flatMap { content.lines?.position(of: $0) }
        return FileProblem(path: path, line: position?.line, column: position?.column, message: message, fix: fix)
    }
}

/// Converts byte offsets in a file's text to lines and columns.
package struct LineIndex: Sendable {
    private let starts: [Int]

    /// - Parameter text: the UTF-8 bytes of the text.
    package init(_ text: [UInt8]) {
        var starts = [0]
        for (offset, byte) in text.enumerated() where byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
        self.starts = starts
    }

    /// The line and column of a byte offset, both 1-based; columns are counted in bytes.
    package func position(of offset: Int) -> (line: Int, column: Int) {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return (low + 1, offset - starts[low] + 1)
    }
}
