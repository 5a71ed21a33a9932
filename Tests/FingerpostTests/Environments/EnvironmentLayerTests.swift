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
        let explain = { (environment: Environment, key: String) in fixture.withoutPath(environment.explain(key)) }
        let environment = try fixture.environment(variables: ["ENV__K": "s3cret"])
        #expect(
            explain(environment, "apiBasePath") == """
                apiBasePath = https://staging.example.com
                  from X-Env.json:3
                  over Base-Env.json:2
                  ENV__API_BASE_PATH is not set
                """)
        #expect(
            explain(environment, "k") == """
                k = <secret k>
                  from environment variable ENV__K
                  over Base-Env.json:3
                """)
        #expect(explain(environment, "$timeout") == "$timeout = 5\n  from X-Env.json:3")
        #expect(explain(environment, "apiBasPath") == #"apiBasPath is not in any layer (did you mean "apiBasePath"?)"#)
        let changed = try environment.setting("apiBasePath", to: "http://127.0.0.1")
        #expect(
            explain(changed, "apiBasePath") == """
                apiBasePath = http://127.0.0.1
                  from code
                  over X-Env.json:3
                  over Base-Env.json:2
                """)
    }

    @Test func `Removed values are explained`() throws {
        let fixture = try EnvironmentFixture([
            "Base-Env.json": "{\"d\": {\n\"a\": 1}, \"e\": 2}",
            "X-Env.json": "{\n\"$unset\": [\"d\",\n\"e\"], \"e\": 3}",
        ])
        let environment = try fixture.environment()
        #expect(
            fixture.withoutPath(environment.explain("d.a")) == """
                d.a is removed
                  by X-Env.json:2
                  over Base-Env.json:2
                """)
        #expect(fixture.withoutPath(environment.explain("d.b")) == "d.b is not in any layer")
        #expect(fixture.withoutPath(environment.explain("e")).hasPrefix("e = 3\n  from X-Env.json:3"))
    }

    @Test func `A secret without a value is explained as null`() throws {
        let fixture = try EnvironmentFixture([
            "X-Env.json": "{\"$secrets\": [\"k\"], \"$optional\": [\"k\"],\n\"k\": null}"
        ])
        let environment = try fixture.environment()
        #expect(fixture.withoutPath(environment.explain("k")) == "k = null\n  from X-Env.json:2\n  ENV__K is not set")
    }

    @Test func `The values of reserved keys match the enums in code`() throws {
        #expect(EnvironmentRules.Network.allCases.map(\.rawValue) == Environment.Network.allCases.map(\.rawValue))
        for choice in EnvironmentRules.Dialect.allCases.map(\.rawValue) {
            #expect(try Environment("X", values: ["$dialect": choice]).contents.dialect != nil)
        }
    }

    // MARK: Single values

    @Test func `One value can be changed in code without changing the others`() throws {
        let fixture = try EnvironmentFixture([
            "X-Env.json": #"{"timeout": 30.5, "limits": {"retries": 3, "burst": 9}, "host": "https://h.example"}"#
        ])
        let environment = try fixture.environment()
        let changed = try environment.setting("limits.retries", to: 0).setting("timeout", to: 5)
            .setting("host", to: URL(string: "http://127.0.0.1:8080")!)
        #expect(
            try (
                changed.value("limits.retries"), changed.value("limits.burst"),
                changed.value("timeout", as: Double.self), changed.value("host", as: URL.self).port
            ) == (0, 9, 5, 8080))
        #expect(try environment.value("limits.retries") == 3)
        #expect(try environment.setting("limits", to: ["burst": 1]).value("limits.retries") == 3)
    }

    @Test func `An unknown key or a value of another type is rejected`() throws {
        let environment = try EnvironmentFixture([
            "X-Env.json":
                #"{"timeout": 30, "host": "https://h.example", "$secrets": ["k"], "$optional": ["k"], "k": null}"#
        ]).environment()
        let unknown = #expect(throws: EnvironmentError.self) { try environment.setting("timout", to: 5) }
        #expect(unknown?.description.contains("did you mean \"timeout\"") == true)
        for attempt in [
            { try environment.setting("timeout", to: "5") }, { try environment.setting("host", to: "https:") },
            { try environment.setting("timeout", to: String?.none) },
            { try environment.setting("timeout", to: Double.nan) },
            { try environment.setting("k", to: Secret("s3cret", key: "k")) },
        ] as [() throws -> Environment] {
            let error = #expect(throws: EnvironmentError.self) { _ = try attempt() }
            #expect(error?.description.contains("s3cret") == false)
        }
        #expect(try environment.setting("k", to: "s3cret").value("k", as: Secret<String>.self).reveal() == "s3cret")
    }
}
