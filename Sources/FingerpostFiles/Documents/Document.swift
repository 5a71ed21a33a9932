/// A file's parsed content and the positions of its lines. The positions are needed to report problems in the file.
///
/// Every value in an environment keeps the document that it comes from.
package final class Document: Sendable {
    /// Converts a byte offset in a file's text to a line and a column, both 1-based; columns are counted in bytes.
    typealias Position = @Sendable (_ offset: Int) -> (line: Int, column: Int)

    /// The kind of a text decides what an error may quote, and which numbers are read.
    package enum Kind: Sendable {
        /// A file that everybody may see, or values from code.
        case file
        /// A file that may contain secrets. No error quotes the file.
        case secrets
        /// A body that is only searched for values. A number that does not fit in 64 bits loses digits.
        case body
    }

    /// The file's path as shown in messages.
    package let path: String
    /// The value at the top level of the file.
    package let root: Node
    /// Converts the offsets of `root`; nil if the offsets are not known.
    let position: Position?

    package init(path: String, root: Node, position: (@Sendable (_ offset: Int) -> (line: Int, column: Int))? = nil) {
        self.path = path
        self.root = root
        self.position = position
    }

    /// True for a property list, which cannot contain null.
    package var isPropertyList: Bool { path.ends(with: ".plist") }

    /// The line that contains a byte offset, 1-based; nil when the line is unknown.
    package func line(of offset: Int?) -> Int? { offset.flatMap { position?($0).line } }

    /// Returns a problem at a byte offset in this document as one line, because names in the file can contain line
    /// breaks.
    func problem(at offset: Int?, _ problem: FileProblem) -> FileProblem {
        self.problem(at: offset, problem.message.printable, fix: problem.fix?.printable)
    }

    /// A problem at a byte offset in this document.
    package func problem(at offset: Int?, _ message: String, fix: String? = nil) -> FileProblem {
        let position = offset.flatMap { self.position?($0) }
        return FileProblem(path: path, line: position?.line, column: position?.column, message: message, fix: fix)
    }
}
