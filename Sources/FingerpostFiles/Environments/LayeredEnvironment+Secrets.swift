import Foundation

extension LayeredEnvironment {
    /// True for a value that messages must not show: a value that `$secrets` lists or that is inside one, and every
    /// value from a secrets file, whether `$secrets` lists it or not.
    package func isSecret(_ path: String) -> Bool {
        if rules.isSecret(path) { return true }
        guard !secretsDocuments.isEmpty, case .file(let document, _)? = root[path: path]?.source else { return false }
        return secretsDocuments.contains(where: document.isSame)
    }

    /// A value, formatted for messages. A secret is shown as `<secret path>`, where `path` is the secret's dotted path.
    /// The user information of a URL is not shown, because it can contain a password.
    package func shown(_ value: Node.Value, at path: String) -> String {
        // A secret that is null is shown as `null`, because a missing value reveals nothing.
        if isSecret(path), !value.isNull { return "<secret \(path)>" }
        return switch value {
        case .null: "null"
        case .boolean(let flag): flag ? "true" : "false"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .string(let text): URLText.hidingUserInfo(text)
        case .date(let date): ISO8601Text.text(of: date)
        case .data(let data): "\(data.count) bytes"
        case .array(let elements): "a list of \(elements.count)"
        case .dictionary: "a dictionary"
        }
    }

    /// True for a required secret of a sealed environment: if the secret is null, a placeholder text is read instead.
    /// A sealed environment may omit its secrets, because mocks need no credentials.
    package func hasStandIn(for key: String) -> Bool {
        rules.secrets.contains(key) && isSealed && !rules.optional.contains(key)
    }

    /// The text in place of a secret without a value in a sealed environment.
    package static func standIn(for key: String) -> String { "<secret \(key)>" }

    /// Gives every key that `$secrets` lists a place: a key that no file contains is null, and so is an empty text,
    /// because a property list has no null. A name that is similar to a key that is not listed is not declared:
    /// `checkRuleNames` reports it as a typo, which would show the value of the other key.
    mutating func declareSecrets() {
        let hints = NameHints()
        lazy var plain = paths.filter { !rules.isSecret($0) }
        for document in documents {
            for (path, offset) in document.root[EnvironmentRules.Key.secrets.rawValue]?.texts ?? [] {
                let parts = path.words(between: ".").map(String.init)
                if path == Self.descriptionKey || parts.joined(separator: ".") != path || path.hasPrefix("$") {
                    continue
                }
                if root[path: path] == nil {
                    if rules.unset.contains(pathOrParentOf: path) { continue }
                    // A name that was not searched for, because there are too many, is a typo until it is declared.
                    guard case .some(.none) = hints.look({ NearestName.find(path, in: plain) }) else { continue }
                }
                root.declare(parts[...], .file(document, offset: offset))
            }
        }
    }

    /// All secret values as text, so that they can be redacted from logs and messages. The passwords in URLs are secret
    /// too.
    package var secretTexts: [(key: String, text: String)] {
        var texts: [(key: String, text: String)] = []
        root.forEachLeaf { path, setting in
            let path = path()
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
            case .integer(let number): texts.append("\(number)")
            case .real(let number): texts.append("\(number)")
            case .string(let text): texts.append(text)
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
    package init(_ ask: (@Sendable (_ key: String) throws -> String?)?) {
        self.ask = ask
    }

    /// Gives the secrets without a value those of the app's code. A sealed environment needs none.
    func apply(to environment: inout LayeredEnvironment) {
        environment.asksForSecrets = ask != nil
        guard let ask, !environment.isSealed else { return }
        for path in Array(environment.rules.secrets).sorted() {
            guard let declared = environment.root[path: path], declared.isNull else { continue }
            do {
                guard let text = try ask(path) else { continue }
                if text.isEmpty { throw FileProblem("it is empty", fix: "return nil for a secret without a value") }
                let value = try EnvironmentVariables.value(
                    text, like: declared.typical, desk: environment.desk)
                environment.replace(path, with: Node(value), from: .secretSource)
            } catch let problem as FileProblem {
                environment.report(
                    ValueSource.secretSource.problem(
                        "the secret \"\(path)\" cannot be used: \(problem.message)", fix: problem.fix))
            } catch {
                environment.report(
                    ValueSource.secretSource.problem(
                        "the secret \"\(path)\" could not be read: \((error as? any LocalizedError)?.errorDescription ?? "\(error)")",
                        fix: nil))
            }
        }
    }
}
