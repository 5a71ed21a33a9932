@testable import FingerpostFiles

/// Which layers seal and open the testing environment.
@Suite(.inTurn, .withAndWithoutStrictParser) struct TestingSealTests {
    /// Files, and the environments that they seal.
    private static let sealed: [([String: String], String)] = [
        (["Testing-Env.json": "{}"], "Testing"),
        (["X-Env.json": #"{"description": "Testing"}"#], "X"),
        (["X-Env.json": "{}", "Base-Env.json": #"{"description": "Testing"}"#], "X"),
        (["X-Env.json": #"{"description": "Testing"}"#, "Base-Env.json": #"{"$network": "live"}"#], "X"),
        (["X-Env.json": #"{"description": "Testing"}"#, "Base-Env.json": #"{"$network": "mocksThenLive"}"#], "X"),
        (["Testing-Env.json": "{}", "Base-Env.json": #"{"description": "App", "$network": "live"}"#], "Testing"),
        (
            [
                "Testing-Env.json": #"{"$extends": "Staging"}"#,
                "Staging-Env.json": #"{"description": "Staging", "$network": "live"}"#,
            ], "Testing"
        ),
        (
            [
                "QA-Env.json": #"{"$extends": "Testing"}"#,
                "Testing-Env.json": #"{"description": "Testing", "$network": "live"}"#,
            ], "QA"
        ),
        (["X-Env.json": "{}", "Base-Env.json": #"{"$network": "sealed"}"#], "X"),
        (
            ["Testing-Env.json": #"{"$unset": ["description"]}"#, "Base-Env.json": #"{"description": "App"}"#],
            "Testing"
        ),
    ]

    /// Files that open the environment Testing.
    private static let open: [([String: String], EnvironmentRules.Network)] = [
        (["Testing-Env.json": #"{"$network": "live"}"#], .live),
        (
            ["Testing-Env.json": #"{"$network": "mocksThenLive"}"#, "Base-Env.json": #"{"$network": "sealed"}"#],
            .mocksThenLive
        ),
        (["Testing-Env.json": #"{"description": "Integration"}"#], .live),
        (["Testing-Env.json": #"{"description": "App"}"#, "Base-Env.json": #"{"description": "Testing"}"#], .live),
    ]

    @Test func `Only the environment's own file opens the testing environment`() throws {
        let all =
            Self.sealed.map { ($0, $1, EnvironmentRules.Network.sealed) } + Self.open.map { ($0, "Testing", $1) }
        for (files, target, network) in all {
            let layers = try EnvironmentFixture(files).layers(target)
            #expect((layers.network, layers.problems.map(\.description)) == (network, []), "\(files)")
        }
    }

    private static let outside: [([String: String], [String: String], String)] = [
        (
            ["X-Secrets.json": #"{"$network": "live"}"#], [:],
            #"X-Secrets.json:1:2: error: a secrets file cannot set "$network". Fix: move it to a committed file"#
        ),
        (
            ["X-Secrets.json": #"{"$unset": ["description"]}"#], [:],
            #"X-Secrets.json:1:2: error: a secrets file cannot set "$unset". Fix: move it to a committed file"#
        ),
        (
            ["X-Secrets.json": #"{"$secrets": ["description"], "description": "Live"}"#], [:],
            #"X-Secrets.json:1:15: error: "$secrets" names "description", which messages show. Fix: remove it"#
        ),
        (
            [:], ["ENV__DESCRIPTION": "Live"],
            "environment variable ENV__DESCRIPTION: error: an environment variable cannot replace the description"
        ),
        (
            [:], ["ENV_FILE__DESCRIPTION": "FOLDER/X-Env.json"],
            "environment variable ENV_FILE__DESCRIPTION: error: an environment variable cannot replace the description"
        ),
        (
            [:], ["ENV__NETWORK": "live"],
            "environment variable ENV__NETWORK: error: it matches no key of the environment"
        ),
    ]

    @Test func `A secrets file or an environment variable that would open it is an error`() throws {
        let own = ["X-Env.json": #"{"description": "Testing"}"#]
        for (files, variables, problem) in Self.outside {
            let fixture = try EnvironmentFixture(own.merging(files) { first, _ in first })
            let layers = try fixture.layers(variables: variables)
            let report = fixture.report(layers)
            // Without the strict parser, a problem has no position, and a secrets file never sets the description.
            let isReported = LinkedParser.isHidden ? !report.isEmpty : report.contains(problem)
            #expect((layers.network, isReported) == (.sealed, true), "\(files) \(variables): \(report)")
        }
    }

    @Test func `A description that is almost Testing is an error, unless nothing is sent anyway`() throws {
        let files = ["X-Env.json": #"{"description": "testing "}"#]
        var counts = try [nil, #"{"$network": "live"}"#, #"{"$network": "sealed"}"#].map { base in
            let more = base.map { ["Base-Env.json": $0] } ?? [:]
            return try EnvironmentFixture(files.merging(more) { $1 }).layers().problems.count
        }
        // Without a description, the name counts.
        counts.append(try EnvironmentFixture(["testing-Env.json": "{}"]).layers("testing").problems.count)
        #expect(counts == [1, 1, 0, 1])
    }

    @Test func `A value set in code does not open the testing environment`() throws {
        let layers = try EnvironmentFixture(["Testing-Env.json": #"{"description": "Testing"}"#]).layers("Testing")
        #expect(layers.setting("description", to: Node(.string("Live"))).isSealed)
    }
}
