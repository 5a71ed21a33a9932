package import FingerpostDocuments
package import FingerpostFiles
import Foundation

/// The changes that a scenario or another process makes to the responses of several mocks.
package struct MockChanges: Sendable {
    /// The key for changes to every mock.
    fileprivate static let everyMock = "*"

    private var changes: [ByteName: StubResponse] = [:]

    /// Reads an object whose keys are names of mocks, or `*`. Reports a name if the folder has no mock with this name.
    ///
    /// - Parameter allowsBodies: true if a change may contain a body. If true, `times` is not a valid key.
    package init(
        _ entry: Node.Entry, in index: MockIndex, allowsBodies: Bool = false, _ reader: inout ObjectReader
    ) {
        for mock in reader.members(entry, fix: MockChangesReader.fix) ?? [] {
            let name = mock.key.mockName
            let stub = name.isSame(as: Self.everyMock) ? nil : reader.stub(mock, in: index)
            guard stub != nil || name.isSame(as: Self.everyMock) else { continue }
            let change = MockChangesReader(stub: stub, index: index, allowsBodies: allowsBodies).change(mock, &reader)
            if let change { changes.updateValue(change, forKey: ByteName(name)) }
        }
    }

    /// The mocks whose changes set `times`, each with its number of uses.
    package var times: [(mock: String, times: Int)] {
        changes.compactMap { mock, change in change.times.map { (mock.text, $0) } }
    }

    /// Returns the change to a mock. The mock's own change takes precedence over the change to every mock.
    package func change(of mock: String, in index: MockIndex) -> StubResponse? {
        var every = changes[ByteName(Self.everyMock)]
        // If `*` sets a variant that the mock does not have, the mock's usual response answers.
        if let variant = every?.variant, index.stub(named: mock)[variant] == nil { every?.variant = nil }
        guard let own = changes[ByteName(mock)] else { return every }
        return every.map(own.replacing) ?? own
    }
}

struct MockChangesReader {
    /// The mock that changes. Nil for a change to every mock.
    let stub: MockStub?
    let index: MockIndex
    let allowsBodies: Bool

    fileprivate static let fix = "write { \"login\": \"locked\", \"*\": { \"delay\": 2 } }"

    fileprivate func change(_ entry: Node.Entry, _ reader: inout ObjectReader) -> StubResponse? {
        var change = StubResponse()
        if entry.node.string != nil {
            change.variant = variant(entry, &reader)
            return change
        }
        guard entry.node.entries != nil else {
            reader.reportKind(entry, "a variant or a dictionary", fix: Self.fix)
            return nil
        }
        let name = stub?.name ?? MockChanges.everyMock
        let entries = reader.read(entry.node, "in the answer of \"\(name)\"", fields, into: &change)
        let saysWhatArrives = ["status", "body"].contains { entries.named($0) != nil }
        if let failure = change.failure, failure.isBeforeResponse, saysWhatArrives {
            reader.report(
                entry.keyOffset, "after this failure nothing arrives, so it has no status and no body",
                fix: "remove one of them")
        }
        return change
    }

    /// The keys of a change.
    var fields: [Field<StubResponse>] {
        [
            Field("variant", \.variant) { variant($1, &$0) },
            .status, .failure,
            Field("delay", \.delay) { $0.seconds($1, fix: "write 0.25").map { .fixed(.seconds($0)) } },
            allowsBodies ? Self.body : times,
        ]
    }

    private static var body: Field<StubResponse> {
        Field("body") { reader, entry, change in
            guard let text = reader.text(entry, fix: "write the body as text") else { return }
            let data = Data(text.utf8)
            change.data = (data, nil, nil)
            let isJSON = JSONReader.inspect(data) != nil
            change.headers = [("Content-Type", isJSON ? "application/json" : "text/plain")]
        }
    }

    private var times: Field<StubResponse> {
        Field("times", \.times) { reader, entry in
            if stub != nil { return reader.integer(entry, in: StubResponse.allTimes) }
            reader.report(
                entry.keyOffset, "\"times\" counts the calls of one mock, and * is every mock",
                fix: "write it for each mock")
            return nil
        }
    }

    /// Returns the variant of an entry, or nil if no mock has the variant.
    private func variant(_ entry: Node.Entry, _ reader: inout ObjectReader) -> String? {
        guard let variant = reader.text(entry) else { return nil }
        return reader.check(variant, of: stub, at: entry.node.offset, in: index) ? variant : nil
    }
}
