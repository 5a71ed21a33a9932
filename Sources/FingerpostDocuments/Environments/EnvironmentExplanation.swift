package import FingerpostFiles

/// Explains where an environment value comes from: its source, and the lower layers whose values it replaces.
package struct EnvironmentExplanation: CustomStringConvertible {
    /// False when no layer contains the key.
    package let isKnown: Bool
    /// The key's value, followed by its sources, one per line. For an unknown key, names the `$unset` that removed the
    /// key, or suggests a similar key. Ends with the process variables that are wrong.
    package let description: String

    /// - Parameter key: the dotted path of the key.
    package init(_ environment: LayeredEnvironment, key: String) {
        isKnown = environment[key] != nil
        description = Self.description(of: key, in: environment)
    }

    private static func description(of key: String, in environment: LayeredEnvironment) -> String {
        guard let setting = environment[key] else {
            let missing = "\(key) is not in any layer" + NearestName.hint(key, in: environment.paths)
            return ([environment.removal(of: key) ?? missing] + variables(of: environment)).joined(separator: "\n")
        }
        var lines = ["\(key) = \(environment.shown(setting.value, at: key).printable)", "  from \(setting.source)"]
        lines += setting.replaced.map { "  over \($0.source)" }
        if setting.isDictionary {
            lines += setting.members.map(\.key).sorted().map { "  has \(key).\($0)" }
        } else {
            switch setting.source {
            case .file where !key.hasPrefix("$") && key != LayeredEnvironment.descriptionKey:
                let name = EnvironmentVariables.name(for: key)
                if !environment.problems.contains(where: { $0.path == ValueSource.variable(name).description }) {
                    lines.append("  \(name) is not set")
                }
            default: break
            }
        }
        return (lines + variables(of: environment)).joined(separator: "\n")
    }

    /// The process variables that the app refuses: they are set, and no value comes from them.
    private static func variables(of environment: LayeredEnvironment) -> [String] {
        environment.problems.filter { $0.path?.begins(with: ValueSource.variable("").description) == true }
            .map { "  \($0)" }
    }
}

extension LayeredEnvironment {
    /// Describes which `$unset` removed a key that a lower layer sets. Returns nil when no layer removed the key.
    fileprivate func removal(of key: String) -> String? {
        for (index, document) in documents.enumerated().reversed() {
            let texts = document.root[EnvironmentRules.Key.unset.rawValue]?.texts ?? []
            guard let (_, offset) = texts.first(where: { key == $0.text || key.hasPrefix($0.text + ".") }),
                let lower = documents[..<index].last(where: { $0.root.descendant(key) != nil })
            else { continue }
            return """
                \(key) is removed
                  by \(ValueSource.file(document, offset: offset))
                  over \(ValueSource.file(lower, offset: lower.root.descendant(key)?.offset))
                """
        }
        return nil
    }
}

extension Node {
    /// The value at a dotted path.
    func descendant(_ path: String) -> Node? {
        path.words(between: ".").reduce(Optional(self)) { $0?[String($1)] }
    }
}
