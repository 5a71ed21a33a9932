/// Where a value of an environment came from.
package enum ValueSource: Sendable, CustomStringConvertible {
    /// A file, and the place in it.
    case file(Document, offset: Int?)
    /// A process variable.
    case variable(String)

    /// `Environments/Staging-Env.json:3`
    package var description: String {
        switch self {
        case .file(let document, let offset):
            document.path + (document.line(of: offset).map { ":\($0)" } ?? "")
        case .variable(let name): "process variable \(name)"
        }
    }

    /// A problem of the value.
    package func problem(_ message: String, fix: String?) -> FileProblem {
        switch self {
        case .file(let document, let offset): document.problem(at: offset, message, fix: fix)
        case .variable(let name): FileProblem(path: "process variable \(name)", message: message, fix: fix)
        }
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
