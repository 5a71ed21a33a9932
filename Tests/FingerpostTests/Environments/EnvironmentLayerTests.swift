import FingerpostFiles
import FingerpostMocks
import TestSupport

@testable import Fingerpost

@Suite(.inTurn) struct EnvironmentLayerTests {
    @Test func `An explanation shows where a value comes from`() throws {
        let fixture = try EnvironmentFixture([
            "Base-Env.json": "{\n\"apiBasePath\": \"https://api.example.com\",\n\"$secrets\": [\"k\"], \"k\": null}",
            "X-Env.json": "{\n\n\"apiBasePath\": \"https://staging.example.com\", \"$timeout\": 5}",
        ])
        let environment = try fixture.environment(variables: ["ENV__K": "s3cret"])
        let changed = try environment.setting("apiBasePath", to: "http://127.0.0.1")
        let explanations =
            ["apiBasePath", "k", "$timeout", "apiBasPath"].map(environment.explain) + [changed.explain("apiBasePath")]
        #expect(
            fixture.withoutPath(explanations.joined(separator: "\n")) == """
                apiBasePath = https://staging.example.com
                  from X-Env.json:3
                  over Base-Env.json:2
                  ENV__API_BASE_PATH is not set
                k = <secret k>
                  from environment variable ENV__K
                  over Base-Env.json:3
                $timeout = 5
                  from X-Env.json:3
                apiBasPath is not in any layer (did you mean "apiBasePath"?)
                apiBasePath = http://127.0.0.1
                  from code
                  over X-Env.json:3
                  over Base-Env.json:2
                """)
    }

    @Test func `Removed values, and a secret without a value, are explained`() throws {
        let fixture = try EnvironmentFixture([
            "Base-Env.json": "{\"d\": {\n\"a\": 1}, \"e\": 2}",
            "X-Env.json":
                "{\n\"$unset\": [\"d\",\n\"e\"], \"e\": 3, \"$secrets\": [\"k\"], \"$optional\": [\"k\"],\n\"k\": null}",
        ])
        let explanations = try ["d.a", "d.b", "e", "k"].map(fixture.environment().explain)
        #expect(
            fixture.withoutPath(explanations.joined(separator: "\n")) == """
                d.a is removed
                  by X-Env.json:2
                  over Base-Env.json:2
                d.b is not in any layer
                e = 3
                  from X-Env.json:3
                  ENV__E is not set
                k = null
                  from X-Env.json:4
                  ENV__K is not set
                """)
    }

    @Test func `The values of reserved keys match the enums in code`() throws {
        #expect(EnvironmentRules.Network.allCases.map(\.rawValue) == Environment.Network.allCases.map(\.rawValue))
        let unknown = try EnvironmentRules.Dialect.allCases.map(\.rawValue).filter {
            try Environment("X", values: ["$dialect": $0]).contents.dialect == nil
        }
        #expect(unknown == [])
    }

    // MARK: Single values

    @Test func `One value can be changed in code without changing the others`() throws {
        let fixture = try EnvironmentFixture([
            "X-Env.json": #"{"timeout": 30.5, "limits": {"retries": 3, "burst": 9}, "host": "https://h.example"}"#
        ])
        let environment = try fixture.environment()
        let changed = try environment.setting("limits.retries", to: 0).setting("timeout", to: 5)
            .setting("host", to: URL(string: "http://127.0.0.1:8080")!)
        let counts: [Int] = try [
            changed.value("limits.retries"), changed.value("limits.burst"), environment.value("limits.retries"),
            environment.setting("limits", to: ["burst": 1]).value("limits.retries"),
        ]
        let (timeout, host) = try (changed.value("timeout", as: Double.self), changed.value("host", as: URL.self))
        #expect((counts, timeout, host.port) == ([0, 9, 3, 3], 5, 8080))
    }

    @Test func `An unknown key or a value of another type is rejected`() throws {
        let fixture = try EnvironmentFixture([
            "X-Env.json":
                #"{"timeout": 30, "host": "https://h.example", "$secrets": ["k"], "$optional": ["k"], "k": null}"#
        ])
        let environment = try fixture.environment()
        let attempts: [() throws -> Environment] = [
            { try environment.setting("timout", to: 5) }, { try environment.setting("timeout", to: "5") },
            { try environment.setting("host", to: "https:") },
            { try environment.setting("timeout", to: String?.none) },
            { try environment.setting("timeout", to: Double.nan) },
            { try environment.setting("k", to: Secret("s3cret", key: "k")) },
        ]
        #expect(
            attempts.map { fixture.withoutPath(environmentFailure($0)) }.joined(separator: "\n") == """
                invalidFile: code: the environment has no key "timout" (did you mean "timeout"?). Fix: declare it in a file, or correct its name
                invalidFile: code: "timeout" is a string here and an integer in X-Env.json:1. Fix: give it the same type in both
                invalidFile: code: "host" is only "https:", because // starts a comment in .xcconfig files. Fix: write https:/$()/host in the .xcconfig file, or the URL here
                invalidFile: code: "timeout" is declared but has no value. Fix: give it a value in this environment, or list it in "$secrets" or "$optional"
                invalidFile: the value for "timeout" cannot be encoded: Double at timeout
                wrongType: the value for "k" is a Secret. Fix: call its reveal()
                """)
        #expect(try environment.setting("k", to: "s3cret").value("k", as: Secret<String>.self).reveal() == "s3cret")
    }
}
