import FingerpostDocuments

@testable import FingerpostFiles
@testable import FingerpostMockFiles

/// The JSON Schemas of settings, scenarios and environments for editors match what the readers accept.
@Suite(.inTurn) struct MockSchemaTests {
    private static func schema(_ name: String) throws -> Node {
        let text = try RepositoryFiles.text("Sources/Fingerpost/Fingerpost.docc/Resources/\(name).schema.json")
        return try strictParser.read(Data(text.utf8), path: "\(name).schema.json", .file).root
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
        let changes = MockChangesReader(stub: nil, index: MockIndex([]), allowsBodies: false)
        let change = scenarios.at(["$defs", "change", "properties"])
        let keys = [
            settings["properties"]?.keys, settings.at(["$defs", "answer", "properties"]).keys, change.keys,
            environment["properties"]?.keys.sorted(),
        ]
        let reserved =
            EnvironmentRules.ignored + EnvironmentRules.Key.allCases.map(\.rawValue) + ["description", "baseURL"]
        #expect(
            keys == [
                reader.keys, reader.responseFields.map(\.key), changes.fields.map(\.key), reserved.sorted(),
            ])
        let described = [settings["properties"], settings["$defs"]].flatMap { $0?.described ?? [] }
        #expect(reader.keys.filter { !described.contains($0) } == [])
        #expect(
            [change, environment["properties"]].map { $0?.described } == [change.keys, environment["properties"]?.keys])
        #expect(
            (settings["required"] == nil, settings["$schema"]?.string) == (
                true, "https://json-schema.org/draft/2020-12/schema"
            ))
    }

    @Test func `The schemas have the values that are read`() throws {
        let properties = try #require(environment["properties"])
        let after = settings.at(["properties", "after", "anyOf"]).elements.first
        #expect(
            [properties["$network"], properties["$dialect"], properties["$access"], properties["$log"], after]
                .map { $0?["enum"]?.texts } == [
                    EnvironmentRules.Network.allCases.map(\.rawValue),
                    EnvironmentRules.Dialect.allCases.map(\.rawValue),
                    EnvironmentRules.Access.allCases.map(\.rawValue), EnvironmentRules.Log.allCases.map(\.rawValue),
                    AfterSequence.allCases.map(\.rawValue),
                ])
        let name = try Regex(#require(environment["patternProperties"]?.keys.first))
        let names = ["apiKey", "a-b", "été"]
        #expect((names + ["$x", "a.b", ""]).filter { $0.wholeMatch(of: name) != nil } == names)
        let connection = MockFailure.named.filter(\.value.isBeforeResponse).keys.sorted()
        for (schema, failure) in [
            (settings, ["$defs", "failure", "anyOf"]),
            (scenarios, ["$defs", "change", "properties", "failure", "anyOf"]),
        ] {
            let others = schema.at(failure).elements.flatMap {
                [$0["const"]?.string].compactMap(\.self) + ($0["enum"]?.texts ?? [])
            }
            let found = (schema.at(["$defs", "connectionFailure", "enum"]).texts, (connection + others).sorted())
            #expect(found == (connection, MockFailure.named.keys.sorted()))
        }
    }

    @Test func `The keys for editors and people are no values`() throws {
        let note = #""$schema": "environment.schema.json", "$comment": ["a", {"$b": 1}]"#
        let folder = try TemporaryFolder([
            "X-Env.json": "{\(note), \"description\": \"X\", \"$secrets\": [\"k\"], \"k\": null}",
            "X-Secrets.json": "{\(note), \"k\": \"s3cret\"}", "Base-Env.json": "{\(note)}",
        ])
        for parser in [strictParser, nil] {
            let layers = try EnvironmentFolder(url: folder.url).load("X", parser: parser)
            let found = (layers.problems.map(\.description), layers.knowsItsSeal, layers.paths.sorted())
            #expect(found == ([], true, ["description", "k"]))
        }
    }

    @Test func `The patterns accept what the reader accepts, and reject what it rejects`() throws {
        let route = try pattern("properties", "for")
        let piece = try pattern("$defs", "pace", "properties", "each")
        let lifetime = try pattern("properties", "recorded", "properties", "expires")
        let routes = MockSettingsReaderTests.routes.map(\.0)
        let noRoutes = [
            "/jobs", "GET jobs", "GET /{id", "GET /x{id}", "GET /jobs?page=1&", "GET /{}", "", "get /jobs", "GET /é",
            "m-search /x?a=1", "GET /x?é=1", "G(T /jobs",
        ]
        #expect((routes + noRoutes).filter { $0.wholeMatch(of: route) != nil } == routes)
        #expect(noRoutes.filter { (try? MockRoute($0)) != nil } == [])
        let pieces = MockSettingsReaderTests.pieces.map(\.0)
        #expect((pieces + MockSettingsReaderTests.noPieces).filter { $0.wholeMatch(of: piece) != nil } == pieces)
        let lifetimes = MockSettingsReaderTests.lifetimes.map(\.0)
        let noLifetimes = [
            "90", "-1d", "0d", "99999999999d", "3w", "1.5d", "", "d", "1", "1h2m", "h", "07d",
        ]
        #expect((lifetimes + noLifetimes).filter { $0.wholeMatch(of: lifetime) != nil } == lifetimes)
        #expect(noLifetimes.filter { (try? MockSettings.Recorded.seconds($0)) != nil } == [])
    }
}

extension Node {
    fileprivate func at(_ path: [String]) -> Node { path.reduce(self) { $0[$1] ?? Node(.null) } }
    fileprivate var keys: [String] { (entries ?? []).map(\.key) }
    /// The keys whose values have a description.
    fileprivate var described: [String] {
        (entries ?? []).filter { $0.node["description"]?.string != nil }.map(\.key)
    }
    fileprivate var elements: [Node] { if case .array(let elements) = value { elements } else { [] } }
    fileprivate var texts: [String] { elements.compactMap(\.string) }
}
