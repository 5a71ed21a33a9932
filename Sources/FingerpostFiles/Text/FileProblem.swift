/// Something wrong in a file that a user wrote: where it is, what it is, and how to mend it.
///
/// Its description is one line in the form compilers use (`path:line:column: error: …`), so that terminals and editors
/// can jump to the place.
package struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's path as the user knows it: relative to the working directory when it lies below it.
    package var path: String
    /// 1-based; nil where the format has no lines (binary property lists) or the problem is the whole file.
    package var line: Int?
    /// 1-based, counted in bytes of UTF-8; nil where unknown.
    package var column: Int?
    package var message: String
    package var fix: String?
    /// False for what may stay as it is: it is told and stops nothing.
    package var isError = true

    package init(path: String, line: Int? = nil, column: Int? = nil, message: String, fix: String? = nil) {
        self.path = path
        self.line = line
        self.column = column
        self.message = message
        self.fix = fix
    }

    /// `path`, `path:line` or `path:line:column`, as far as it is known.
    package var location: String {
        [path, line.map(String.init), line == nil ? nil : column.map(String.init)]
            .compactMap { $0 }
            .joined(separator: ":")
    }

    package var description: String {
        "\(location): \(isError ? "error" : "warning"): \(message)" + (fix.map { ". Fix: \($0)" } ?? "")
    }
}
