package import FingerpostFiles

/// A pattern for the requests that a mock can answer, such as `GET /jobs/{id}` or `GET /jobs?page=2`. A segment in
/// braces matches any single segment, and the query matches every query that contains its items.
package struct MockRoute: Sendable, Equatable, CustomStringConvertible {
    /// The HTTP method, compared case-sensitively.
    package let method: String
    /// The percent-encoded segments of the path relative to the base URL. A segment in braces is stored as nil. The
    /// path `/` has no segments.
    let segments: [String?]
    /// The percent-encoded query items, as in `page=2`.
    package let query: [String]
    /// The route as written in the settings.
    package let description: String

    /// The segments that are compared with a path. Empty segments, as in `/a//b` and `/a/`, are left out of both paths.
    package var comparedSegments: [String?] { segments.filter { $0 != "" } }

    /// Parses a route as written in settings.
    ///
    /// - Parameter text: a method, a space and a path.
    /// - Throws: an error when the text is not a valid route. The error contains no file path.
    package init(_ text: String) throws(FileProblem) {
        let parts = text.parts(between: " ")
        guard parts.count == 2, let method = parts.first, let path = parts.last else {
            throw FileProblem(
                "it is not a method and a path separated by a space", fix: "write \"GET /jobs/{id}\"")
        }
        guard HTTPSyntax.isToken(String(method)) else {
            throw FileProblem("\"\(method)\" is not a valid method", fix: "write \"GET /jobs/{id}\"")
        }
        if let problem = HTTPSyntax.problem(ofMethod: String(method)) { throw problem }
        let (target, query) = path.cut(at: "?").map { ($0.before, Optional($0.after)) } ?? (path, nil)
        guard path.utf8.first == UInt8(ascii: "/") else {
            throw FileProblem("the path \"\(path)\" does not start with /", fix: "write the path below the base URL")
        }
        var segments: [String?] = []
        for segment in String(target).parts(between: "/").dropFirst() {
            segments.append(try Self.segment(segment))
        }
        self.method = String(method)
        self.segments = segments == [""] ? [] : segments
        self.query = try Self.items(query)
        description = text
    }

    /// Parses one segment of a path. Returns nil for a placeholder in braces.
    private static func segment(_ text: Substring) throws(FileProblem) -> String? {
        if text.hasPrefix("{"), text.hasSuffix("}"), text.utf8.count > 2,
            !text.dropFirst().dropLast().contains(where: { "{}".contains($0) })
        {
            return nil
        }
        if text.contains(where: { "{}".contains($0) }) {
            throw FileProblem(
                "\"\(text)\" is not a valid placeholder",
                fix: "put a whole segment in braces: {id}, or write %7B for a brace")
        }
        if text.hasAny(of: "#") {
            throw FileProblem("the path contains a fragment", fix: "remove it")
        }
        let name = text.dropFirst()
        if text == "*" || text.hasPrefix(":") && name.first?.isLetter == true {
            throw FileProblem(
                "\"\(text)\" is the placeholder of another tool",
                fix:
                    "write {\(name.isEmpty ? "id" : name)}, or \(name.isEmpty ? "%2A" : "%3A\(name)") for the text itself"
            )
        }
        try check(text)
        return String(text)
    }

    /// Parses a query.
    private static func items(_ query: Substring?) throws(FileProblem) -> [String] {
        guard let query else { return [] }
        if query.hasAny(of: "{}#") {
            throw FileProblem(
                "the query \"\(query)\" contains a brace or a fragment", fix: "write \"GET /jobs?page=2\"")
        }
        try check(query)
        let items = query.parts(between: "&").map(String.init)
        guard items.allSatisfy({ !$0.isEmpty }) else {
            throw FileProblem("the query \"\(query)\" has an empty item", fix: "write \"GET /jobs?page=2\"")
        }
        return items
    }

    private static func check(_ text: Substring) throws(FileProblem) {
        guard text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
            throw FileProblem("\"\(text)\" is not percent-encoded", fix: "percent-encode it, for example %C3%A4")
        }
    }
}
