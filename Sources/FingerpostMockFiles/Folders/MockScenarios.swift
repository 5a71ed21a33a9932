import FingerpostDocuments
import FingerpostFiles
import Foundation

/// The file `_scenarios.json` of a mocks folder, which names sets of variants and failures.
///
/// ```json
/// { "locked out": { "login": "locked" }, "offline": { "*": { "failure": "notConnectedToInternet" } } }
/// ```
struct MockScenarios: Sendable {
    /// The names of the scenarios, in the order of the file.
    private(set) var names: [String] = []
    private var scenarios: [ByteName: MockChanges] = [:]

    /// No scenarios.
    init() {}

    /// The changes of a scenario; nil if the file has no such scenario.
    subscript(name: String) -> MockChanges? { scenarios[ByteName(name)] }

    /// - Throws: an error that lists all problems in the file.
    init(of folder: MockIndex) throws(InvalidFile) {
        var reader = try ObjectReader(path: folder.path(of: MockFileName.scenarios)) { () throws(FileProblem) in
            try folder.settings(in: MockFileName.scenarios)
        }
        let fix = "write { \"offline\": { \"*\": { \"failure\": \"notConnectedToInternet\" } } }"
        let entries = reader.rootEntries(as: "scenarios", fix: fix) ?? []
        reader.checkDuplicates(entries)
        for entry in entries where !entry.key.isSame(as: "$schema") {
            if entry.key.isEmpty {
                reader.report(entry.keyOffset, "the name of a scenario is empty", fix: "give it a name")
            }
            let changes = MockChanges(entry, in: folder, &reader)
            if scenarios.updateValue(changes, forKey: ByteName(entry.key)) == nil { names.append(entry.key) }
        }
        try reader.throwProblems()
    }
}
