import FingerpostDocuments
import FingerpostFiles
import Foundation

/// The file `_scenarios.json` of a mocks folder. A scenario is a named set of variants and failures.
///
/// ```json
/// { "locked out": { "login": "locked" }, "offline": { "*": { "failure": "notConnectedToInternet" } } }
/// ```
struct MockScenarios: Sendable {
    /// The names of the scenarios, in the order of the file.
    private(set) var names: [String] = []
    private var scenarios: [ByteName: MockChanges] = [:]

    /// Creates a value without scenarios.
    init() {}

    /// Returns the changes of a scenario, or nil if the file has no scenario with this name.
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
