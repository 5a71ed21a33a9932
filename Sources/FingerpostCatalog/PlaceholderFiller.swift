import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import Foundation

/// Fills one endpoint's placeholders in a single pass, so placeholders inside arguments are not expanded.
struct PlaceholderFiller {
    private let arguments: [String: Node]
    private var used: Set<String> = []
    private let endpoint: String
    private let file: String

    /// - Throws: ``APIError`` of the kind `encoding` if JSON cannot represent an argument.
    init(_ arguments: Parameters, endpoint: String, path: String) throws(APIError) {
        self.endpoint = endpoint
        file = path
        do {
            let json = try JSONReader.read(arguments.json())
            self.arguments = Dictionary((json.entries ?? []).map { ($0.key, $0.node) }) { $1 }
        } catch let error as FileProblem {
            throw APIError(.encoding, "the arguments of \"\(endpoint)\": \(error.message)", underlying: error)
        } catch {
            throw APIError(encoding: error)
        }
    }

    /// Fills a path. Each argument becomes one segment, or part of a segment. `RoutePath` escapes the argument in the
    /// same way as a value that a router interpolates.
    mutating func path(_ template: String) throws(APIError) -> RoutePath {
        var path = RoutePath.StringInterpolation(literalCapacity: template.utf8.count, interpolationCount: 2)
        for piece in Placeholders(template).pieces {
            switch piece {
            case .text(let text): path.appendLiteral(text)
            case .placeholder(let name): path.appendInterpolation(try text(of: name, in: "the path"))
            }
        }
        return RoutePath(stringInterpolation: path)
    }

    /// Fills the placeholders in a string.
    mutating func text(_ template: String, in place: String) throws(APIError) -> String {
        var filled = ""
        for piece in Placeholders(template).pieces {
            switch piece {
            case .text(let text): filled += text
            case .placeholder(let name): filled += try text(of: name, in: place)
            }
        }
        return filled
    }

    /// Fills the strings inside a JSON value. A string that consists of a single placeholder takes the argument's type.
    mutating func value(_ node: Node) throws(APIError) -> Node {
        var filled = node
        try filled.update { node, _ throws(APIError) in
            guard let template = node.string else { return }
            let pieces = Placeholders(template).pieces
            if pieces.count == 1, case .placeholder(let name) = pieces[0] {
                node = try argument(name)
            } else {
                node = Node(.string(try text(template, in: "a string")))
            }
        }
        return filled
    }

    func checkUnused() throws(APIError) {
        let unused = arguments.keys.filter { !used.contains($0) }.sorted()
        guard let first = unused.first else { return }
        throw APIError(
            .invalidRoute,
            "the endpoint \"\(endpoint)\" of \(file) has no placeholder {\(first)}" + NearestName.hint(first, in: used),
            fix: "remove the argument, or add {\(first)} to the endpoint")
    }

    // MARK: Arguments

    private mutating func argument(_ name: String) throws(APIError) -> Node {
        guard let argument = arguments[name] else {
            throw APIError(
                .invalidRoute,
                "the endpoint \"\(endpoint)\" of \(file) needs the argument \"\(name)\""
                    + NearestName.hint(name, in: arguments.keys),
                fix: "pass it: route(\"\(endpoint)\", [\"\(name)\": …])")
        }
        used.insert(name)
        return argument
    }

    private mutating func text(of name: String, in place: String) throws(APIError) -> String {
        let argument = try argument(name)
        if let text = argument.value.scalarText { return text }
        throw APIError(
            .encoding,
            "the argument \"\(name)\" of \"\(endpoint)\" is \(argument.value.kind), which \(place) cannot contain",
            fix: "pass text, a number or a boolean")
    }
}

/// A text split at its placeholders: `{name}` stands for a value, whereas `{{` and `}}` are escaped literal braces.
struct Placeholders: Hashable, Sendable {
    /// A literal part of a text, or a placeholder.
    enum Piece: Hashable, Sendable {
        case text(String)
        case placeholder(String)
    }

    /// The pieces of the text, in order. A brace that is neither escaped nor part of a placeholder stays in a literal
    /// piece.
    private(set) var pieces: [Piece] = []
    /// The rest of the text, starting at the first brace that is neither escaped nor part of a placeholder; nil when
    /// there is no such brace.
    private(set) var malformed: String?

    /// Splits a text into its pieces.
    init(_ text: String) {
        var plain = ""
        var rest = Substring(text)
        // A combining mark after a brace is part of the text.
        while let start = rest.unicodeScalars.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            plain += rest[..<start]
            let brace = rest.unicodeScalars[start]
            let inside = Substring(rest.unicodeScalars[start...].dropFirst())
            if inside.unicodeScalars.first == brace {
                plain.unicodeScalars.append(brace)
                rest = Substring(inside.unicodeScalars.dropFirst())
            } else if brace == "{", let (name, after) = inside.cut(at: "}"), Self.isName(name) {
                if !plain.isEmpty { pieces.append(.text(plain)) }
                plain = ""
                pieces.append(.placeholder(String(name)))
                rest = after
            } else {
                malformed = malformed ?? String(rest[start...])
                plain.unicodeScalars.append(brace)
                rest = inside
            }
        }
        plain += rest
        if !plain.isEmpty { pieces.append(.text(plain)) }
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    }
}
