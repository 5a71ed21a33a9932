/// Where a value of an environment comes from.
package enum ValueSource: Sendable, CustomStringConvertible {
    /// A file, with the byte offset of the value in it.
    case file(Document, offset: Int?)
    /// The process variable with this name.
    case variable(String)
    /// Code that sets the value.
    case code

    /// The source as shown in messages: `Environments/Staging-Env.json:3`, `process variable ENV__HOST` or `code`.
    package var description: String {
        switch self {
        case .file(let document, let offset):
            document.path + (document.line(of: offset).map { ":\($0)" } ?? "")
        case .variable(let name): "process variable \(name)"
        case .code: "code"
        }
    }

    /// A problem located at this source.
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

    /// For a file, the same file at the offset of one of its entries. Any other source is returned unchanged.
    func moved(to entry: Node.Entry) -> ValueSource {
        if case .file(let document, _) = self {
            .file(document, offset: entry.keyOffset ?? entry.node.offset)
        } else {
            self
        }
    }
}
