/// A file's content together with what is needed to point back into it.
///
/// Every value of an environment keeps the document it came from, so copying one is copying a reference.
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

    /// The path as shown to people.
    package var path: String { content.path }
    package var root: Node { content.root }

    /// - Parameter text: the bytes that the offsets of `root` count in; nil for formats without lines.
    package init(path: String, root: Node, text: [UInt8]?) {
        content = Content(path: path, root: root, lines: text.map { LineIndex($0) })
    }

    func isSame(as other: Document) -> Bool { content === other.content }

    /// The line that an offset stands in, 1-based; nil where unknown.
    package func line(of offset: Int?) -> Int? {
        guard let offset, let lines = content.lines else { return nil }
        return lines.position(of: offset).line
    }

    /// A problem of this document at an offset.
    package func problem(at offset: Int?, _ message: String, fix: String? = nil) -> FileProblem {
        let position = offset.flatMap { content.lines?.position(of: $0) }
        return FileProblem(path: path, line: position?.line, column: position?.column, message: message, fix: fix)
    }
}
