import FingerpostDocuments

@testable import FingerpostFiles
@testable import FingerpostMockFiles

/// The JSON Schemas of settings, scenarios and environments for editors match what the readers accept.
@Suite(.inTurn) struct MockSchemaTests {
    private static func schema(_ name: String) throws -> Node {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = package.appendingPathComponent("Sources/Fingerpost/Fingerpost.docc/Resources/\(name).schema.json")
        return try strictParser.read(Data(contentsOf: file), path: "\(name).schema.json", .file).root
    }

    private let settings: Node
    private let scenarios: Node
    private let environment: Node

    init() throws {
        settings = try Self.schema("mock")
        scenarios = try Self.schema("scenarios")
        environment = try Self.schema("environment")
    }

    private func pattern(_ path: String...) throws -> Regex<AnyRegexOutput> {
        try Regex(#require((settings.at(path)["pattern"])?.string))
    }

    @Test func `The schemas have the keys that are read, each with a description`() {
        let reader = MockSettingsReader("job.mock.json", in: MockIndex([]))
        #expect(settings["properties"]?.keys == reader.keys)
        #expect(settings.at(["$defs", "answer", "properties"]).keys == reader.responseFields.map(\.key))
        for key in reader.keys {
            let properties = [settings["properties"], settings["$defs"]].map { $0?[key]?["description"]?.string }
            #expect(properties.contains { $0 != nil }, "\(key)")
        }
        #expect(settings["required"] == nil)
        #expect(settings["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
        let changes = MockChangesReader(stub: nil, index: MockIndex([]), allowsBodies: false)
        let change = scenarios.at(["$defs", "change", "properties"])
        #expect(change.keys == changes.fields.map(\.key))
        for property in change.entries ?? [] { #expect(property.node["description"]?.string != nil, "\(property.key)") }
    }

    @Test func `The schema of an environment has its reserved keys and their values`() throws {
        let properties = try #require(environment["properties"])
        let keys =
            EnvironmentRules.ignored + EnvironmentRules.Key.allCases.map(\.rawValue) + ["description", "baseURL"]
        #expect(properties.keys.sorted() == keys.sorted())
        for property in properties.entries ?? [] { #expect(property.node["description"]?.string != nil) }
        let values: [EnvironmentRules.Key: [String]] = [
            .network: EnvironmentRules.Network.allCases.map(\.rawValue),
            .dialect: EnvironmentRules.Dialect.allCases.map(\.rawValue),
            .access: EnvironmentRules.Access.allCases.map(\.rawValue),
            .log: EnvironmentRules.Log.allCases.map(\.rawValue),
        ]
        for (key, texts) in values { #expect(properties[key.rawValue]?["enum"]?.texts == texts) }
        let name = try Regex(#require(environment["patternProperties"]?.keys.first))
        for key in ["apiKey", "a-b", "été"] { #expect(key.wholeMatch(of: name) != nil) }
        for key in ["$x", "a.b", ""] { #expect(key.wholeMatch(of: name) == nil) }
    }

    @Test func `The keys for editors and people are no values`() throws {
        let note = #""$schema": "environment.schema.json", "$comment": ["a", {"$b": 1}]"#
        let folder = try TemporaryFolder([
            "X-Env.json": "{\(note), \"description\": \"X\", \"$secrets\": [\"k\"], \"k\": null}",
            "X-Secrets.json": "{\(note), \"k\": \"s3cret\"}", "Base-Env.json": "{\(note)}",
        ])
        for parser in [strictParser, nil] {
            let layers = try EnvironmentFolder(url: folder.url).load("X", parser: parser)
            #expect(layers.problems.map(\.description) == [] && layers.knowsItsSeal)
            #expect(layers.paths.sorted() == ["description", "k"])
        }
    }

    @Test func `The schemas have the values of failure and after`() {
        let connection = MockFailure.named.filter(\.value.isBeforeResponse).keys.sorted()
        let all = MockFailure.named.keys.sorted()
        for (schema, failure) in [
            (settings, ["$defs", "failure", "anyOf"]),
            (scenarios, ["$defs", "change", "properties", "failure", "anyOf"]),
        ] {
            #expect(schema.at(["$defs", "connectionFailure", "enum"]).texts == connection)
            let others = schema.at(failure).elements.flatMap {
                [$0["const"]?.string].compactMap(\.self) + ($0["enum"]?.texts ?? [])
            }
            #expect((connection + others).sorted() == all)
        }
        let after = settings.at(["properties", "after", "anyOf"]).elements.first?["enum"]
        #expect(after?.texts == AfterSequence.allCases.map(\.rawValue))
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

extension Node {
    fileprivate func at(_ path: [String]) -> Node { path.reduce(self) { $0[$1] ?? Node(.null) } }
    fileprivate var keys: [String] { (entries ?? []).map(\.key) }
    fileprivate var elements: [Node] { if case .array(let elements) = value { elements } else { [] } }
    fileprivate var texts: [String] { elements.compactMap(\.string) }
}
