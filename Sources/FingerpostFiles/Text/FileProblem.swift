/// Something wrong in what a user wrote: where it is, what it is, and how to correct it.
///
/// Its description is one line in the form compilers use (`path:line:column: error: …`), so that terminals and editors
/// can jump to the place.
package struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's path as the user knows it: relative to the working directory when it lies below it. nil for a problem of a
    /// text or a value alone; whoever read it from a file adds the place.
    package var path: String?
    /// 1-based; nil where the format has no lines (binary property lists) or the problem is the whole file.
    package var line: Int?
    /// 1-based, counted in bytes of UTF-8; nil where unknown.
    package var column: Int?
    package var message: String
    package var fix: String?
    /// False for a warning, which is reported and stops nothing.
    package var isError = true

    package init(path: String?, line: Int? = nil, column: Int? = nil, message: String, fix: String? = nil) {
        self.path = path
        self.line = line
        self.column = column
        self.message = message
        self.fix = fix
    }

    /// A problem of a text or a value alone.
    package init(_ message: String, fix: String? = nil) {
        self.init(path: nil, message: message, fix: fix)
    }

    /// A problem at an offset of a text.
    init(at offset: Int, in text: UnsafeBufferPointer<UInt8>, _ message: String, fix: String? = nil) {
        let before = text[..<offset]
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        self.init(
            path: nil, line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: offset - start + 1,
            message: message, fix: fix)
    }

    /// The same problem in a file.
    func located(in path: String) -> FileProblem {
        var problem = self
        problem.path = path
        return problem
    }

    /// `path`, `path:line` or `path:line:column`, as far as it is known.
    package var location: String {
        [path, line.map(String.init), line == nil ? nil : column.map(String.init)]
            .compactMap { $0 }
            .joined(separator: ":")
    }

    package var description: String {
        (location.isEmpty ? "" : "\(location): ") + "\(isError ? "error" : "warning"): \(message)"
            + (fix.map { ". Fix: \($0)" } ?? "")
    }
}

extension [FileProblem] {
    /// Each problem once, in the order of the files and their lines.
    var inOrder: [FileProblem] {
        var seen: Set<FileProblem> = []
        return filter { seen.insert($0).inserted }.sorted {
            ($0.path ?? "", $0.line ?? 0, $0.column ?? 0) < ($1.path ?? "", $1.line ?? 0, $1.column ?? 0)
        }
    }
}

/// Everything that is wrong with a file, at once.
package struct FileProblems: Error, Sendable {
    package let problems: [FileProblem]

    init(_ problems: [FileProblem]) {
        self.problems = problems
    }
}
