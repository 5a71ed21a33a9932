import FingerpostBuilding
import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles

/// Finds environments without a base URL, and texts that were meant to be URLs. Only `fingerpost-cli check` reports
/// them, because an app may set its base URL in code, and such a text may be a template.
enum EnvironmentURLCheck {
    static func problems(of schema: EnvironmentSchema) -> [FileProblem] {
        (schema.targets.flatMap { target in
            let layers = target.layers
            guard layers.isComparable else { return [FileProblem]() }
            var problems: [FileProblem] = []
            var hasURL = false
            layers.root.forEachLeaf { place, setting in
                let path = place.path
                hasURL = hasURL || BaseURLKey.isNamed(path)
                guard case .string(let text) = setting.value, isWeb(text) else { return }
                hasURL = true
                let isTemplate = text.contains("{") || text.contains("<") || text.contains("%@") || text.contains("%d")
                if isTemplate || layers.isSecret(path) || BaseURLKey.isNamed(path) || URLText.url(text) != nil {
                    return
                }
                let problem = URLCheck.problem(of: text)
                problems.append(
                    setting.source.problem("\"\(path)\" is text, not a URL: it \(problem.message)", fix: problem.fix))
            }
            if !hasURL, !layers.rules.optional.contains(BaseURLKey.standard) {
                problems.append(
                    layers.root.source.problem(
                        "the environment \"\(target.name)\" has no base URL",
                        fix: "add \"\(BaseURLKey.standard)\", or list it in \"$optional\" if the code sets it"))
            }
            return problems
        }).map { $0.with(.warning) }.inOrder
    }

    /// True for text that starts as an address of the web does.
    private static func isWeb(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}

extension EnvironmentParity {
    /// The number of problems, which the report lists, or a table of all keys and their types if there are none.
    ///
    /// - Parameter isClean: false if the report that contains the table lists other problems, so that the table must
    ///   not begin with "no problems".
    func table(isClean: Bool = true) -> String {
        let targets = schema.targets.count.inWords("environment")
        guard problems.isEmpty else { return "Environments: \(problems.count.inWords("problem")) in \(targets)" }
        var rows: [[String]] = []
        schema.forEachKey { key, _ in
            guard key.type != .dictionary else { return }
            let settings = Dictionary(key.settings.map { ($0.target.name, $0.setting) }) { first, _ in first }
            rows.append([key.path] + schema.targets.map { Self.cell(key, settings[$0.name]) })
        }
        let heading = rows.isEmpty ? [] : [[""] + schema.targets.map(\.name)]
        let result = (isClean ? "no problems, " : "") + rows.count.inWords("key")
        return (["Environments: \(result) in \(targets)"] + TextTable.lines(heading + rows)).joined(separator: "\n")
    }

    private static func cell(_ key: EnvironmentSchema.Key, _ setting: Setting?) -> String {
        guard let setting else { return "-" }
        if key.isSecret { return "secret" }
        if case .null = setting.value { return "-" }
        return KeyType(key.value(of: setting)).shown
    }
}
