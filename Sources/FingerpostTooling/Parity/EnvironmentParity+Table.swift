import FingerpostBuilding
import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles

extension EnvironmentParity {
    /// A table of the differences, or a table of all keys and their types if there are no problems.
    ///
    /// - Parameter isClean: false if the report that contains the table lists other problems, so that the table must
    ///   not begin with "no problems".
    ///
    /// ```
    /// Environments: 1 problem in 3 environments
    ///   host   App String | Staging -missing- | Testing String   add it, give Base a value, or list it in "$optional"
    /// ```
    func table(isClean: Bool = true) -> String {
        let count = differences.count + schema.layerProblems.count
        let targets = Self.count(schema.targets.count, "environment")
        guard count == 0 else {
            let rows = Self.aligned(differences)
            return (["Environments: \(Self.count(count, "problem")) in \(targets)"] + TextTable.lines(rows))
                .joined(separator: "\n")
        }
        var rows: [[String]] = []
        schema.forEachKey { key, _ in
            guard key.type != .dictionary else { return }
            let settings = Dictionary(key.settings.map { ($0.target.name, $0.setting) }) { first, _ in first }
            rows.append([key.path] + schema.targets.map { Self.cell(key, settings[$0.name]) })
        }
        let heading = rows.isEmpty ? [] : [[""] + schema.targets.map(\.name)]
        let result = (isClean ? "no problems, " : "") + Self.count(rows.count, "key")
        return (["Environments: \(result) in \(targets)"] + TextTable.lines(heading + rows)).joined(separator: "\n")
    }

    private static func cell(_ key: EnvironmentSchema.Key, _ setting: Setting?) -> String {
        guard let setting else { return "-" }
        if key.isSecret { return "secret" }
        if case .null = setting.value { return "-" }
        return KeyType(key.value(of: setting)).shown
    }

    /// The rows of the table. All states of the same environment are aligned in one column.
    private static func aligned(_ differences: [Difference]) -> [[String]] {
        let most = differences.map(\.states.count).max() ?? 0
        let widths = (0..<most).map { column in
            TextTable.width(
                of: differences.filter { $0.states.count > 1 }.compactMap { $0.states.dropFirst(column).first })
        }
        return differences.map { difference in
            let states = difference.states.enumerated().map { index, state in
                index == difference.states.count - 1 ? state : TextTable.padded(state, to: widths[index])
            }
            return [difference.key, states.joined(separator: " | "), difference.note]
        }
    }

    static func count(_ number: Int, _ noun: String) -> String { number.inWords(noun) }
}
