import FingerpostFiles
import Foundation

/// The file `_scenarios.json` of a mocks folder, which names sets of variants and failures.
///
/// ```json
/// { "locked out": { "login": "locked" }, "offline": { "*": { "failure": "notConnectedToInternet" } } }
/// ```
package struct MockScenarios: Sendable {
    /// The maximum size of the file, in bytes. A larger file is not read.
    private static let maximumSize = 1_000_000

    /// The names of the scenarios, in the order of the file.
    package private(set) var names: [String] = []
    private var scenarios: [ByteName: MockChanges] = [:]

    /// No scenarios.
    package init() {}

    /// What a scenario changes; nil if the file has no such scenario.
    package subscript(name: String) -> MockChanges? { scenarios[ByteName(name)] }

    /// - Throws: an error that lists all problems in the file.
    init(of folder: MockFolder) throws(InvalidFile) {
        let document: Document
        do throws(FileProblem) {
            let data = try folder.contents(of: MockFileName.scenarios, maximumSize: Self.maximumSize)
            document = try Document(json: data, path: folder.path(of: MockFileName.scenarios))
        } catch {
            throw InvalidFile([error])
        }
        var reader = MockChangesReader(document, folder)
        guard let entries = document.root.entries else {
            reader.reader.report(
                document.root.offset, "the file contains \(document.root.value.kind), not scenarios",
                fix: "write { \"offline\": { \"*\": { \"failure\": \"notConnectedToInternet\" } } }")
            throw InvalidFile(reader.reader.problems)
        }
        reader.reader.checkDuplicates(entries)
        for entry in entries where !entry.key.isSame(as: "$schema") {
            if entry.key.isEmpty {
                reader.reader.report(entry.keyOffset, "the name of a scenario is empty", fix: "give it a name")
            }
            let changes = reader.changes(entry)
            if scenarios.updateValue(changes, forKey: ByteName(entry.key)) == nil { names.append(entry.key) }
        }
        if !reader.reader.problems.isEmpty { throw InvalidFile(reader.reader.problems) }
    }
}
