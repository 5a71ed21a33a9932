import Fingerpost
import FingerpostFiles
import FingerpostMockFiles

/// In the headers of mocks, replaces each placeholder `{env.<key>}` by the key's value in the call's environment. The
/// escape `{env.{}` becomes the text `{env.`.
package struct HeaderPlaceholders {
    /// The base URL of a request that the app sends without an `APIClient`. This URL replaces the environment's base
    /// URL.
    @TaskLocal package static var baseURL: String?

    let environment: Environment?

    /// Replaces each placeholder in headers.
    ///
    /// - Throws: ``FileProblem`` for a key that does not exist, is not text, or is a secret.
    func fill(_ headers: inout [(name: String, value: String)]) throws(FileProblem) {
        for place in headers.indices {
            let name = headers[place].name
            headers[place].value = try filled(header: name, headers[place].value)
            try StubResponse.checkLines(of: headers[place].value, inHeader: name)
        }
    }

    private func filled(header name: String, _ value: String) throws(FileProblem) -> String {
        var (filled, rest) = ("", value[...])
        do throws(FileProblem) {
            while let start = rest.firstRange(ofBytes: LayeredEnvironment.keyStart),
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

    /// Returns the value of a key as text. The query and the last slash of a base URL are removed, so that a path can
    /// be appended.
    private func text(of key: String) throws(FileProblem) -> String {
        if key == "baseURL", let baseURL = Self.baseURL { return baseURL }
        if "\(LayeredEnvironment.keyStart)\(key)}" == StubResponse.escapedKeyStart {
            return LayeredEnvironment.keyStart
        }
        guard let environment, let setting = environment.layers.root[path: key] else {
            let keys = environment?.keys ?? []
            throw FileProblem(
                "there is no key of the environment \"\(key)\"" + NearestName.hint(key, in: keys),
                fix: keys.isEmpty ? nil : "use one of \(keys.ordered(by: <).prefix(20).joined(separator: ", "))")
        }
        guard !environment.isSecret(key) else {
            throw FileProblem(
                "\"\(key)\" is or contains a secret, which mocks must not show",
                fix: "write an invented value into the mock")
        }
        if let baseURL = environment.baseURLs[key] { return baseURL.prefix }
        if let text = setting.value.scalarText { return text }
        throw FileProblem("\"\(key)\" is \(setting.value.kind), which is not text", fix: "name another key")
    }
}
