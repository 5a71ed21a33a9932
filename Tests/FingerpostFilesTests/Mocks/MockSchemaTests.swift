import FingerpostDocuments
import TestSupport

@testable import FingerpostFiles
@testable import FingerpostMockFiles

/// The JSON Schema for editors matches what the reader accepts.
@Suite(.inTurn) struct MockSchemaTests {
    private let root: Node

    init() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = package.appendingPathComponent("Sources/Fingerpost/Fingerpost.docc/Resources/mock.schema.json")
        root = try Document(json: Data(contentsOf: file), path: "mock.schema.json").root
    }

    private func keys(_ path: String...) -> [String] { (node(path).entries ?? []).map(\.key) }

    private func texts(_ path: String...) -> [String] {
        if case .array(let elements) = node(path).value { elements.compactMap(\.string) } else { [] }
    }

    private func pattern(_ path: String...) throws -> Regex<AnyRegexOutput> {
        try Regex(#require(node(path + ["pattern"]).string))
    }

    private func node(_ path: [String]) -> Node {
        path.reduce(root) { $0[$1] ?? Node(.null) }
    }

    @Test func `The schema has the keys of settings and answers`() {
        let reader = MockSettingsReader("job.mock.json", in: MockIndex([]))
        #expect(keys("properties") == reader.keys)
        #expect(keys("$defs", "answer", "properties") == reader.responseFields.map(\.key))
    }

    @Test func `The schema has the values of failure and after`() {
        let connection = MockFailure.named.filter(\.value.isBeforeResponse).keys.sorted()
        #expect(texts("$defs", "connectionFailure", "enum") == connection)
        guard case .array(let forms)? = root["$defs"]?["failure"]?["anyOf"]?.value else {
            Issue.record("failure has no forms")
            return
        }
        let others = forms.compactMap { $0["const"]?.string }
        #expect((connection + others).sorted() == MockFailure.named.keys.sorted())
        guard case .array(let afters)? = root["properties"]?["after"]?["anyOf"]?.value else {
            Issue.record("after has no forms")
            return
        }
        guard case .array(let names)? = afters.first?["enum"]?.value else {
            Issue.record("after has no values")
            return
        }
        #expect(names.compactMap(\.string) == AfterSequence.allCases.map(\.rawValue))
    }

    @Test func `Every key has a description`() {
        for key in keys("properties") {
            #expect(
                node(["properties", key, "description"]).string ?? node(["$defs", key, "description"]).string != nil,
                "\(key)")
        }
        #expect(texts("required").isEmpty)
        #expect(root["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test func `The patterns accept what the reader accepts`() throws {
        let route = try pattern("properties", "for")
        for text in MockSettingsReaderTests.routes.map(\.0) { #expect(text.wholeMatch(of: route) != nil, "\(text)") }
        let piece = try pattern("$defs", "pace", "properties", "each")
        for text in MockSettingsReaderTests.pieces.map(\.0) { #expect(text.wholeMatch(of: piece) != nil, "\(text)") }
        for text in MockSettingsReaderTests.noPieces { #expect(text.wholeMatch(of: piece) == nil, "\(text)") }
        let lifetime = try pattern("properties", "recorded", "properties", "expires")
        for text in MockSettingsReaderTests.lifetimes.map(\.0) {
            #expect(text.wholeMatch(of: lifetime) != nil, "\(text)")
        }
    }

    private static let wrong = [
        ("/jobs", "90"), ("GET jobs", "-1d"), ("GET /{id", "0d"), ("GET /x{id}", "99999999999d"),
        ("GET /jobs?page=1&", "3w"), ("GET /{}", "1.5d"), ("", ""), ("get /jobs", "d"), ("GET /é", "1"),
        ("m-search /x?a=1", "1h2m"), ("GET /x?é=1", "h"), ("G(T /jobs", "07d"),
    ]

    @Test(arguments: wrong) func `The patterns reject what the reader rejects`(
        route: String, lifetime: String
    ) throws {
        #expect(try route.wholeMatch(of: pattern("properties", "for")) == nil)
        #expect(throws: FileProblem.self) { try MockRoute(route) }
        #expect(try lifetime.wholeMatch(of: pattern("properties", "recorded", "properties", "expires")) == nil)
        #expect(throws: FileProblem.self) { try MockSettings.Recorded.seconds(lifetime) }
    }
}
