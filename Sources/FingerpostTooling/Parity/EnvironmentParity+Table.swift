import FingerpostBuilding
import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles

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
