package import FingerpostDocuments
package import FingerpostFiles
import Foundation

/// Reads what a scenario, or another process, changes in the answers of mocks, and reports every name that the folder
/// does not have.
package struct MockChangesReader {
    private let folder: MockIndex
    private let allowsBodies: Bool
    private static let fix = "write { \"login\": \"locked\", \"*\": { \"delay\": 2 } }"

    /// - Parameter allowsBodies: true if a change may contain a body; `times` is then not a valid key.
    package init(_ folder: MockIndex, allowsBodies: Bool = false) {
        (self.folder, self.allowsBodies) = (folder, allowsBodies)
    }

    /// The changes in an object whose keys are names of mocks, or `*`.
    package func changes(_ entry: Node.Entry, _ reader: inout ObjectReader) -> MockChanges {
        var changes = MockChanges()
        for mock in reader.members(entry, fix: Self.fix) ?? [] {
            let name = mock.key.mockName
            guard checkName(mock, &reader), let change = change(mock, of: name, &reader) else { continue }
            changes.set(name, to: change)
        }
        return changes
    }

    /// Returns false if there is no mock with the name.
    private func checkName(_ mock: Node.Entry, _ reader: inout ObjectReader) -> Bool {
        let name = mock.key.mockName
        if isEvery(name) || folder.hasMock(named: name) { return true }
        reader.report(
            mock.keyOffset,
            "there is no mock \"\(mock.key)\"" + folder.listing.hints.hint(name, in: folder.mockNames),
            fix: "correct or remove it")
        return false
    }

    private func isEvery(_ mock: String) -> Bool { mock.isSame(as: MockChanges.everyMock) }

    private func change(_ entry: Node.Entry, of mock: String, _ reader: inout ObjectReader) -> StubResponse? {
        var change = StubResponse()
        if let variant = entry.node.string {
            change.variant = checked(variant, of: mock, at: entry.node.offset, &reader)
            return change
        }
        guard entry.node.entries != nil else {
            reader.reportKind(entry, "a variant or a dictionary", fix: Self.fix)
            return nil
        }
        let entries = reader.read(entry.node, "in the answer of \"\(mock)\"", fields(of: mock), into: &change)
        let saysWhatArrives = ["status", "body"].contains { entries.named($0) != nil }
        if let failure = change.failure, failure.isBeforeAnswer, saysWhatArrives {
            reader.report(
                entry.keyOffset, "after this failure nothing arrives, so it has no status and no body",
                fix: "remove one of them")
        }
        return change
    }

    /// What a change can say about a mock.
    func fields(of mock: String) -> [Field<StubResponse>] {
        [
            Field("variant", \.variant) { reader, entry in
                guard let variant = reader.text(entry) else { return nil }
                return checked(variant, of: mock, at: entry.node.offset, &reader)
            },
            .status, .failure,
            Field("delay", \.delay) { $0.seconds($1, fix: "write 0.25").map { .fixed(.seconds($0)) } },
            allowsBodies ? body : times(of: mock),
        ]
    }

    private var body: Field<StubResponse> {
        Field("body") { reader, entry, change in
            guard let text = reader.text(entry, fix: "write the body as text") else { return }
            let data = Data(text.utf8)
            change.data = StubBody(data: data)
            let isJSON = JSONReader.inspect(data) != nil
            change.headers = [("Content-Type", isJSON ? "application/json" : "text/plain")]
        }
    }

    private func times(of mock: String) -> Field<StubResponse> {
        Field("times", \.times) { reader, entry in
            if !isEvery(mock) { return reader.integer(entry, in: StubResponse.allTimes) }
            reader.report(
                entry.keyOffset, "\"times\" counts the calls of one mock, and * is every mock",
                fix: "write it for each mock")
            return nil
        }
    }

    /// Returns nil if no mock has the variant.
    private func checked(_ variant: String, of mock: String, at offset: Int?, _ reader: inout ObjectReader) -> String? {
        let names = isEvery(mock) ? folder.listing.mockNames.flatMap(folder.variants) : folder.variants(of: mock)
        if names.contains(where: variant.isSame) { return variant }
        var seen: Set<ByteName> = []
        let unique = names.filter { seen.insert(ByteName($0)).inserted }
        reader.report(
            offset,
            (isEvery(mock) ? "no mock has the variant" : "the mock \"\(mock)\" has no variant") + " \"\(variant)\""
                + folder.listing.hints.hint(variant, in: unique),
            fix: unique.isEmpty
                ? "add \(MockFileName.newFile(of: isEvery(mock) ? "<mock>" : mock, variant: variant))"
                : "use \(unique.prefix(20).joined(separator: ", "))")
        return nil
    }
}
