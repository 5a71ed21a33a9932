import FingerpostFiles

/// A value that is filled into a mock's body when the mock answers. In a settings file, a substitution is written as
/// `"/items/*/owner": "query.user"`.
package struct MockSubstitution: Sendable {
    /// The source of the value that is filled in.
    package enum Source: Sendable, Equatable {
        /// `arg.<label>`: an associated value of the enum case that describes the call. The value is identified by its
        /// label, or by its position if there is no label.
        case argument(String)
        /// `query.<name>`: a query parameter of the request.
        case query(String)
        /// `header.<name>`: a header of the request.
        case header(String)
        /// `body/<pointer>`: a value in the JSON body of the request, or a field of its form.
        case body(JSONPointer)
        /// `env.<key>`: a value of the environment that is not a secret.
        case environment(String)
        /// The current time in ISO 8601.
        case now
        /// A generated UUID.
        case uuid
        /// The number of calls that the mock has answered so far, including this call: 1, 2, 3 and so on.
        case count
    }

    /// Where in the body the value is filled in.
    package var pointer: JSONPointer
    /// The source of the value that is filled in.
    package var source: Source
    /// The line of the substitution in its settings file, 1-based.
    package var line: Int?

    init(pointer: JSONPointer, source: Source, line: Int? = nil) {
        self.pointer = pointer
        self.source = source
        self.line = line
    }
}

extension MockSubstitution.Source {
    /// How each source is written in a settings file; this list is shown in messages.
    static let forms = [
        "arg.<label>", "query.<name>", "header.<name>", "body/<pointer>", "env.<key>", "now", "uuid", "count",
    ]

    /// Parses a source as it is written in settings.
    ///
    /// - Throws: an error when the text is not a valid source. The error contains no file path.
    init(_ text: String) throws(FileProblem) {
        switch text {
        case "now": self = .now
        case "uuid": self = .uuid
        case "count": self = .count
        case _ where text.begins(with: "body/"):
            let pointer = try JSONPointer(String(text.dropFirst("body".count)))
            if pointer.parts.contains("*") {
                throw FileProblem("a source is a single value, but * matches several", fix: "write an index or a key")
            }
            self = .body(pointer)
        default: self = try Self.named(text)
        }
    }

    private static func named(_ text: String) throws(FileProblem) -> Self {
        guard let dot = text.firstIndex(of: ".") else { throw unknown(kind: text) }
        let kind = String(text[..<dot])
        let name = String(text[text.index(after: dot)...])
        let source: Self
        switch kind {
        case "arg": source = .argument(name)
        case "query": source = .query(name)
        case "header": source = .header(name)
        case "env": source = .environment(name)
        default: throw unknown(kind: kind)
        }
        if name.isEmpty { throw FileProblem("it has no name after the dot", fix: "write \(kind).name") }
        if kind == "header", !HTTPSyntax.isToken(name) {
            throw FileProblem("\"\(name)\" is not a valid header name")
        }
        return source
    }

    private static func unknown(kind: String) -> FileProblem {
        let kinds = forms.map { String($0.prefix { $0 != "." && $0 != "/" }) }
        let nearest = NearestName.find(kind, in: kinds).flatMap { kinds.firstIndex(of: $0) }.map { forms[$0] }
        return FileProblem(
            "it is not a valid source" + NearestName.hint(nearest),
            fix: "use \(forms.joined(separator: ", "))")
    }
}
