/// A file's content together with what is needed to point back into it.
package struct Document: Sendable {
    /// The path as shown to people.
    package let path: String
    package let root: Node
    private let lines: LineIndex?

    /// - Parameter text: the bytes that the offsets of `root` count in; nil for formats without lines.
    package init(path: String, root: Node, text: [UInt8]?) {
        self.path = path
        self.root = root
        lines = text.map { LineIndex($0) }
    }

    /// The line that an offset stands in, 1-based; nil where unknown.
    package func line(of offset: Int?) -> Int? {
        guard let offset, let lines else { return nil }
        return lines.position(of: offset).line
    }

    /// A problem of this document at an offset.
    package func problem(at offset: Int?, _ message: String, fix: String? = nil) -> FileProblem {
        let position = offset.flatMap { lines?.position(of: $0) }
        return FileProblem(path: path, line: position?.line, column: position?.column, message: message, fix: fix)
    }
}
