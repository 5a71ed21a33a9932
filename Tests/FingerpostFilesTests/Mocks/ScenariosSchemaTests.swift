import FingerpostDocuments
import TestSupport

@testable import FingerpostFiles
@testable import FingerpostMockFiles

/// The JSON Schema of `_scenarios.json` for editors matches what the reader accepts.
@Suite(.inTurn) struct ScenariosSchemaTests {
    private let root: Node

    init() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = package.appendingPathComponent("Sources/Fingerpost/Fingerpost.docc/Resources/scenarios.schema.json")
        root = try Document(json: Data(contentsOf: file), path: "scenarios.schema.json").root
    }

    private func node(_ path: String...) -> Node { path.reduce(root) { $0[$1] ?? Node(.null) } }

    private func texts(_ node: Node?) -> [String] {
        if case .array(let elements)? = node?.value { elements.compactMap(\.string) } else { [] }
    }

    @Test func `The schema has the keys of a change, each with a description`() throws {
        let properties = try #require(node("$defs", "change", "properties").entries)
        let reader = MockChangesReader(stub: nil, index: MockIndex([]), allowsBodies: false)
        #expect(properties.map(\.key) == reader.fields.map(\.key))
        for property in properties { #expect(property.node["description"]?.string != nil, "\(property.key)") }
    }

    @Test func `The schema has the failures of mocks`() throws {
        let connection = texts(node("$defs", "connectionFailure", "enum"))
        #expect(connection == MockFailure.named.filter(\.value.isBeforeResponse).keys.sorted())
        guard case .array(let forms)? = node("$defs", "change", "properties", "failure", "anyOf").value as Node.Value?
        else {
            Issue.record("failure has no forms")
            return
        }
        #expect((connection + forms.flatMap { texts($0["enum"]) }).sorted() == MockFailure.named.keys.sorted())
    }
}
