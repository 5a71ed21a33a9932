/// Where a value in an environment comes from.
package enum ValueSource: Sendable, CustomStringConvertible {
    /// The value comes from a file, at this byte offset; nil if the offset is unknown.
    case file(Document, offset: Int?)
    /// The value comes from the process variable with this name.
    case variable(String)
    /// The value comes from the app's `SecretSource`.
    case secretSource
    /// The value was set in code.
    case code

    /// The source as shown in messages: `Environments/Staging-Env.json:3`, `process variable ENV__HOST` or `code`.
    package var description: String {
        switch self {
        case .file(let document, let offset):
            document.path + (document.line(of: offset).map { ":\($0)" } ?? "")
        case .variable(let name): "process variable \(name)"
        case .secretSource: "the app's SecretSource"
        case .code: "code"
        }
    }

    /// A problem with the value, located at this source.
    package func problem(_ message: String, fix: String?) -> FileProblem {
        switch self {
        case .file(let document, let offset): document.problem(at: offset, message, fix: fix)
        case .variable(let name): FileProblem(path: "process variable \(name)", message: message, fix: fix)
        case .secretSource, .code: FileProblem(path: description, message: message, fix: fix)
        }
    }

    func isSameFile(as other: ValueSource) -> Bool {
        if case .file(let a, _) = self, case .file(let b, _) = other { a.isSame(as: b) } else { false }
    }

    /// If this source is a file, returns the same file with the offset of `entry`; otherwise returns this source.
    func moved(to entry: Node.Entry) -> ValueSource {
        if case .file(let document, _) = self {
            .file(document, offset: entry.keyOffset ?? entry.node.offset)
        } else {
            self
        }
    }
}
