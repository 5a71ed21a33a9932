package import FingerpostFiles
import Foundation

/// Reads what a scenario, or another process, changes in the answers of mocks, and reports every name that the folder
/// does not have.
package struct MockChangesReader {
    enum Key: String, CaseIterable {
        case variant, status, failure, delay, times, body
    }

    package var reader: ObjectReader
    private let folder: MockFolder
    private let keys: [Key]
    private static let fix = "write { \"login\": \"locked\", \"*\": { \"delay\": 2 } }"

    /// - Parameter allowsBodies: true if a change may contain a body; `times` is then not a valid key.
    package init(_ document: Document, _ folder: MockFolder, allowsBodies: Bool = false) {
        reader = ObjectReader(document)
        self.folder = folder
        keys = Key.allCases.filter { $0 != (allowsBodies ? .times : .body) }
    }

    /// The changes in an object whose keys are names of mocks, or `*`.
    package mutating func changes(_ entry: Node.Entry) -> MockChanges {
        var changes = MockChanges()
        for mock in reader.members(entry, fix: Self.fix) ?? [] {
            let name = mock.key.mockName
            guard checkName(mock), let change = change(mock, of: name) else { continue }
            changes[name] = change
        }
        return changes
    }

    /// Returns false if there is no mock with the name.
    private mutating func checkName(_ mock: Node.Entry) -> Bool {
        let name = mock.key.mockName
        if name.isSame(as: MockChanges.everyMock) || folder.hasMock(named: name) { return true }
        reader.report(
            mock.keyOffset,
            "there is no mock \"\(mock.key)\"" + folder.listing.hints.hint(name, in: folder.mockNames),
            fix: "correct or remove it")
        return false
    }

    private mutating func change(_ entry: Node.Entry, of mock: String) -> WrittenAnswer? {
        var change = WrittenAnswer()
        if let variant = entry.node.string {
            change.variant = checked(variant, of: mock, at: entry.node.offset)
            return change
        }
        guard entry.node.entries != nil else {
            reader.reportKind(entry, "a variant or a dictionary", fix: Self.fix)
            return nil
        }
        let entries = reader.entries(of: entry.node, "in the answer of \"\(mock)\"", known: keys)
        for (key, entry) in entries {
            switch key {
            case .variant:
                change.variant = reader.text(entry).flatMap { checked($0, of: mock, at: entry.node.offset) }
            case .status: change.status = reader.integer(entry, in: 100...599)
            case .failure:
                let fix = "use truncated, malformed, empty, or the name of a URLError.Code such as timedOut"
                change.failure = reader.choice(entry, MockFailure.names, fix: fix).flatMap { MockFailure($0) }
            case .delay: change.delay = delay(entry)
            case .times where mock.isSame(as: MockChanges.everyMock):
                reader.report(
                    entry.keyOffset, "\"times\" counts the calls of one mock, and * is every mock",
                    fix: "write it for each mock")
            case .times: change.times = reader.integer(entry, in: 0...1_000_000)
            case .body:
                guard let text = reader.text(entry, fix: "write the body as text") else { continue }
                let data = Data(text.utf8)
                change.data = MockBody(data: data)
                let isJSON = JSONReader.inspect(data) != nil
                change.headers = [("Content-Type", isJSON ? "application/json" : "text/plain")]
            }
        }
        let names = entries.map(\.key)
        if let failure = change.failure, failure.isBeforeAnswer, names.contains(.status) || names.contains(.body) {
            reader.report(
                entry.keyOffset, "after this failure nothing arrives, so it has no status and no body",
                fix: "remove one of them")
        }
        return change
    }

    private mutating func delay(_ entry: Node.Entry) -> MockDelay? {
        let seconds: Double? =
            switch entry.node.value {
            case .integer(let number): Double(number)
            case .real(let number): number
            default: nil
            }
        if let seconds, (0...86_400).contains(seconds) { return .fixed(seconds) }
        reader.reportKind(entry, "a time in seconds from 0 to 86400", fix: "write 0.25")
        return nil
    }

    /// Returns nil if no mock has the variant.
    private mutating func checked(_ variant: String, of mock: String, at offset: Int?) -> String? {
        let isEvery = mock.isSame(as: MockChanges.everyMock)
        let names = isEvery ? folder.listing.mockNames.flatMap(folder.variants) : folder.variants(of: mock)
        if names.contains(where: variant.isSame) { return variant }
        var seen: Set<ByteName> = []
        let unique = names.filter { seen.insert(ByteName($0)).inserted }
        reader.report(
            offset,
            (isEvery ? "no mock has the variant" : "the mock \"\(mock)\" has no variant") + " \"\(variant)\""
                + folder.listing.hints.hint(variant, in: unique),
            fix: unique.isEmpty
                ? "add \(MockFileName.newFile(of: isEvery ? "<mock>" : mock, variant: variant))"
                : "use \(unique.prefix(20).joined(separator: ", "))")
        return nil
    }
}
