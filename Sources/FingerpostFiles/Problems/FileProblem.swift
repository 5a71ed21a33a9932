/// A finding about a file that a user wrote: what is wrong, on which line, and how to fix the file. Readers throw
/// problems, and checks, comparisons and audits report problems.
///
/// The description of a problem is one line in the format that compilers use (`path:line:column: error: …`), so that
/// terminals and editors can jump to the problem's position.
package struct FileProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The values of the problem's properties. The module `FingerpostDocuments` declares the properties `kind` and
    /// `key`.
    package struct Details: Equatable, Sendable {
        var path: String?
        var line: Int?
        var column: Int?
        package var message: String
        package var fix: String?
        package var severity = Severity.error
        /// True if the problem does not affect whether the environment is sealed: see
        /// ``LayeredEnvironment/knowsItsSeal``.
        var leavesSealCertain = false
        package var kind: String?
        package var key: String?
    }

    /// The values of the problem. To change a problem, change its details, because an accessor for each property would
    /// be large.
    ///
    /// The details are stored behind a reference. Every function that reads a file can throw a problem, and would
    /// otherwise contain code that copies each property.
    @Boxed package var details: Details

    package static func == (a: Self, b: Self) -> Bool { a.details == b.details }

    /// The file's path, as returned by ``FilePath/display(_:)``. The path is nil if the code that found the problem was
    /// not given the path. In this case, the caller that read the file adds the path.
    package var path: String? { details.path }

    /// The line, 1-based; nil when the problem concerns the whole file, or when the file is a binary property list,
    /// which has no lines.
    package var line: Int? { details.line }
    /// The column, 1-based and counted in UTF-8 bytes; nil when unknown.
    package var column: Int? { details.column }
    /// What is wrong.
    package var message: String { details.message }

    /// How to fix the problem, as an imperative; nil when there is no general advice.
    package var fix: String? { details.fix }

    package var severity: Severity { details.severity }

    /// The severity of a problem. The raw values are used in descriptions and reports.
    package enum Severity: String, Sendable {
        /// The problem fails the build or the test.
        case error
        /// The problem fails neither the build nor the test.
        case warning
        /// The message is not a problem, but useful information.
        case info
    }

    // This initializer is not inlined, because nearly every function of the readers creates a problem.
    @inline(never)
    package init(path: String?, line: Int? = nil, column: Int? = nil, message: String, fix: String? = nil) {
        details = Details(path: path, line: line, column: column, message: message, fix: fix)
    }

    /// A problem in a text or a value whose file is not known.
    package init(_ message: String, fix: String? = nil) { self.init(path: nil, message: message, fix: fix) }

    /// A copy of this problem with the file's path added.
    package func located(in path: String) -> FileProblem {
        var problem = self
        problem.details.path = path
        return problem
    }

    /// True if the problem fails the build or the test.
    package var isError: Bool { severity == .error }

    /// The problem's position, formatted as `path`, `path:line` or `path:line:column`, depending on what is known.
    package var location: String {
        [path, line.map(String.init), line == nil ? nil : column.map(String.init)]
            .compactMap { $0 }
            .joined(separator: ":")
    }

    package var description: String {
        // Text from a file or a server must not add a line to a report.
        ((location.isEmpty ? "" : "\(location): ") + "\(severity.rawValue): \(message)"
            + (fix.map { ". Fix: \($0)" } ?? "")).printable
    }
}

extension [FileProblem] {
    /// The problems sorted by file, line and column. If several problems have the same text, only the first is
    /// included.
    package var inOrder: [FileProblem] {
        var seen: Set<String> = []
        return filter { seen.insert($0.description).inserted }.ordered {
            ($0.path ?? "", $0.line ?? 0, $0.column ?? 0) < ($1.path ?? "", $1.line ?? 0, $1.column ?? 0)
        }
    }
}

extension HTTPSyntax {
    /// Returns the error for a registered method in another letter case, and for any method in lower case (section
    /// 9.1). Foundation sends some of these methods in upper case, and others unchanged. Returns nil for any other
    /// method.
    package static func problem(ofMethod name: String) -> FileProblem? {
        guard name.utf8.contains(where: { $0 >= UInt8(ascii: "a") && $0.isASCIILetter }) else { return nil }
        let upper = name.uppercased()
        guard registered.contains(upper) || name == name.lowercased() else { return nil }
        return FileProblem("methods are case-sensitive, and servers do not know \"\(name)\"", fix: "write \(upper)")
    }

    private static let registered: Set = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY",
    ]
}

extension URLText {
    /// Returns the error for a URL whose host is not a possible name of a server, or is the scheme of another URL.
    /// Returns nil for a valid host.
    package static func problem(ofHostIn text: String) -> FileProblem? {
        guard let host = host(of: text) else { return nil }
        // A host named `https` is possible, but not before the text that follows a scheme: `https://https//api`.
        let rest = text.utf8[host.endIndex...]
        if ["http", "https"].contains(host.lowercased()),
            rest.begins(with: "//") || rest.begins(with: ":") && rest.dropFirst().first.map(\.isASCIIDigit) != true
        {
            return FileProblem("has two schemes", fix: "remove the first")
        }
        if host.utf8.first == UInt8(ascii: ".") || host.contains(bytesOf: "..") {
            return FileProblem(
                "has the host \(String(host).quoted), in which a name between two dots is empty",
                fix: "write the missing name, or remove a dot")
        }
        guard !isHost(host) else { return nil }
        return FileProblem(
            "has the host \(String(host).quoted), which no server can have",
            fix: "write a name with its letters as they are or as xn--…, or an address")
    }
}
