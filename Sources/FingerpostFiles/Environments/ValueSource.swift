/// Where a value of an environment came from.
package enum ValueSource: Sendable, CustomStringConvertible {
    /// A file, and the place in it.
    case file(Document, offset: Int?)
    /// A process variable.
    case variable(String)
    /// A line of the program.
    case code

    /// `Environments/Staging-Env.json:3`
    package var description: String {
        switch self {
        case .file(let document, let offset):
            document.path + (document.line(of: offset).map { ":\($0)" } ?? "")
        case .variable(let name): "process variable \(name)"
        case .code: "code"
        }
    }

    /// A problem of the value.
    package func problem(_ message: String, fix: String?) -> FileProblem {
        switch self {
        case .file(let document, let offset): document.problem(at: offset, message, fix: fix)
        case .variable(let name): FileProblem(path: "process variable \(name)", message: message, fix: fix)
        case .code: FileProblem(path: "code", message: message, fix: fix)
        }
    }

    func isSameFile(as other: ValueSource) -> Bool {
        if case .file(let a, _) = self, case .file(let b, _) = other { a.isSame(as: b) } else { false }
    }

    /// The same file at another place.
    func moved(to entry: Node.Entry) -> ValueSource {
        if case .file(let document, _) = self {
            .file(document, offset: entry.keyOffset ?? entry.node.offset)
        } else {
            self
        }
    }
}
