import Foundation

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
        for path in environment.rules.secrets.sorted() {
            guard let declared = environment.root[path: path], declared.isNull else { continue }
            do {
                guard let text = try ask(path) else { continue }
                let value = try EnvironmentVariables.value(text, like: declared.typical)
                if text.isEmpty { throw FileProblem("it is empty", fix: "return nil for a secret without a value") }
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
