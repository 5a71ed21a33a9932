import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import Foundation

/// The values of the call's environment that mocks may show.
struct EnvironmentValues {
    private let environment: Environment?

    init(_ environment: Environment?) {
        self.environment = environment
    }

    /// Replaces each `{env.<key>}` in a header.
    ///
    /// - Throws: ``FileProblem`` for a key that does not exist, is not text, or is a secret.
    func filled(header name: String, _ value: String) throws(FileProblem) -> String {
        var (filled, rest) = ("", value[...])
        do throws(FileProblem) {
            while let start = rest.firstRange(ofBytes: EnvironmentPlaceholder.start),
                let (key, end) = rest[start.upperBound...].cut(at: "}")
            {
                filled += rest[..<start.lowerBound] + (try text(of: String(key)))
                rest = end
            }
        } catch {
            throw FileProblem("the header \(name): \(error.message)", fix: error.fix)
        }
        return filled + rest
    }

    /// The value of a key.
    ///
    /// - Throws: ``FileProblem`` for a key that does not exist, or is a secret.
    func node(of key: String) throws(FileProblem) -> Node {
        guard let environment, let setting = environment.layers.root[path: key] else {
            throw FileProblem(missing: "key of the environment", key, of: environment?.keys ?? [])
        }
        guard !environment.isSecret(key) else {
            throw FileProblem(
                "\"\(key)\" is or contains a secret, which mocks must not show",
                fix: "write an invented value into the mock")
        }
        return setting.node
    }

    /// A value as text; a base URL without its query and the slash at its end, so that a path can follow it.
    private func text(of key: String) throws(FileProblem) -> String {
        let value = try node(of: key)
        if let baseURL = environment?.baseURLs[key] { return baseURL.prefix }
        guard let text = value.typed(like: Node(.string("")))?.string else {
            throw FileProblem("\"\(key)\" is \(value.value.kind), which is not text", fix: "name another key")
        }
        return text
    }
}
