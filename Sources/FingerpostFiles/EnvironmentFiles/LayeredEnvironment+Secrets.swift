import Foundation

extension LayeredEnvironment {
    /// True for a value that messages must not show: a value that `$secrets` lists or that is inside one, and every
    /// value from a secrets file, whether `$secrets` lists it or not.
    package func isSecret(_ path: String) -> Bool {
        rules.isSecret(path) || origin(of: root[path: path]?.source) == .secrets
    }

    /// The text that is read for a required secret of a sealed environment that has no value; nil for any other key. A
    /// sealed environment may omit its secrets, because mocks need no credentials.
    package func standIn(for key: String) -> String? {
        rules.secrets.contains(key) && isSealed && !rules.optional.contains(key) ? "<secret \(key)>" : nil
    }

    /// The keys that the files list in a reserved key.
    package func names(in key: EnvironmentRules.Key) -> [(path: String, document: Document, offset: Int?)] {
        documents.flatMap { document in
            (document[key]?.elements ?? []).compactMap { name in name.string.map { ($0, document, name.offset) } }
        }
    }

    /// Gives every key that `$secrets` lists a place: a key that no file contains is null, and so is an empty text,
    /// because a property list has no null. The strict parser reports the names that it takes for typos instead.
    package mutating func declareSecrets() {
        let names = names(in: .secrets).filter { path, _, _ in
            // Most keys have a place.
            switch root[path: path]?.value {
            case .string("")?: path != Self.descriptionKey
            case nil:
                path != Self.descriptionKey && !path.hasPrefix("$") && !path.parts(between: ".").contains("")
                    && !rules.unset.covers(path)
            default: false
            }
        }
        let typos = parser?.typos(in: names.map(\.path), of: self) ?? []
        for (path, document, offset) in names where !typos.contains(path) {
            let source = ValueSource.file(document, offset: offset)
            root = root.changing(path[...], from: source) { old in
                guard let old else { return Setting(.null, source) }
                // Another name can have declared a key inside.
                return old.isDictionary ? old : Setting(.null, old.source)
            }
        }
    }

    /// All secret values as text, so that they can be redacted from logs and messages. The passwords in URLs are secret
    /// too.
    package var secretTexts: [(key: String, text: String)] {
        var texts: [(key: String, text: String)] = []
        root.forEachLeaf { place, setting in
            let path = place.path
            let found = isSecret(path) ? setting.node.secretTexts : setting.node.passwords
            texts += found.filter { !$0.isEmpty }.map { (path, $0) }
        }
        return texts.ordered { $0.key < $1.key }
    }
}

extension Node {
    /// The password in the user information of a URL, verbatim and without escapes.
    fileprivate var passwords: [String] {
        guard let text = string, let range = URLText.userInfo(of: text) else { return [] }
        let password = text[range].cut(at: ":")?.after ?? ""
        return [String(password), password.removingPercentEncoding ?? ""]
    }

    /// The texts of this value and of all values inside it.
    fileprivate var secretTexts: [String] {
        var texts: [String] = []
        visit { node in
            switch node.value {
            case .null, .boolean, .array, .dictionary: break
            case .integer, .real, .string: texts += [node.value.scalarText].compactMap { $0 }
            case .date(let date): texts.append(ISO8601Text.text(of: date))
            case .data(let data):
                texts.append(data.base64EncodedString())
                if let text = String(bytes: data, encoding: .utf8) { texts.append(text) }
            }
        }
        return texts
    }
}

/// Asks the app's code for the secrets that no file and no process variable gave a value.
package struct SecretProvider: Sendable {
    private let ask: (@Sendable (_ key: String) throws -> String?)?

    /// - Parameter ask: nil if the app has no code that gives secrets.
    package init(_ ask: (@Sendable (_ key: String) throws -> String?)?) { self.ask = ask }

    /// Gives the secrets without a value those of the app's code. A sealed environment needs none.
    func apply(to environment: inout LayeredEnvironment) {
        environment.asksForSecrets = ask != nil
        guard let ask, !environment.isSealed else { return }
        for path in environment.rules.secrets.ordered(by: <) {
            guard let declared = environment.root[path: path], declared.isNull else { continue }
            do {
                guard let text = try ask(path) else { continue }
                if text.isEmpty { throw FileProblem("it is empty", fix: "return nil for a secret without a value") }
                let value = try EnvironmentVariables.value(
                    text, like: declared.typical, parser: environment.parser)
                environment.replace(path, with: Node(value), from: .secretSource)
            } catch {
                let problem = error as? FileProblem
                let reason =
                    problem.map { "cannot be used: \($0.message)" }
                    ?? "could not be read: \((error as? any LocalizedError)?.errorDescription ?? "\(error)")"
                environment.problems.append(
                    ValueSource.secretSource.problem("the secret \"\(path)\" \(reason)", fix: problem?.fix)
                        .ofValue(at: path))
            }
        }
    }
}
