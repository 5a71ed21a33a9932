import TestSupport

@testable import FingerpostTooling

@Suite(.inTurn) struct VerifyReportTests {
    @Test func `The report shows what is selected, by which rule, and where each value comes from`() throws {
        let fixture = try BuiltFixture(
            BuiltFixture.app([
                "Environments/Base-Env.json": #"{ "authBaseURL": "https://user:k3y@auth.acme.app" }"#
            ]))
        let text = try fixture.text()
        #expect(
            text.prefix(6) + text.suffix(1) == [
                "Acme.app",
                "  environment   Production, because APIEnvironment in Info.plist names it",
                "  network       live",
                "  authBaseURL   https://<redacted>@auth.acme.app  (Acme.app/Environments/Base-Env.json:1)",
                "  baseURL       https://api.acme.app  (Acme.app/Environments/Production-Env.json:2)",
                "  values from   Acme.app/Environments/Base-Env.json, Acme.app/Environments/Production-Env.json",
                "No problems in Acme.app (5 files, 0.0 MB)",
            ])
    }

    @Test(arguments: [
        ("APIEnvironment in Info.plist names it", "Production" as String?),
        ("it has the name of the app or its executable", nil),
    ])
    func `Each rule has words of its own`(rule: String, key: String?) throws {
        let fixture = try BuiltFixture([
            "Acme.app/Contents/Info.plist": BuiltFixture.info("Acme", key),
            "Acme.app/Contents/MacOS/Acme": BuiltFixture.program,
            "Acme.app/Contents/Resources/Environments/Production-Env.json": BuiltFixture.production,
            "Acme.app/Contents/Resources/Environments/Staging-Env.json": BuiltFixture.staging,
            "Acme.app/Contents/Resources/Environments/Acme-Env.json":
                #"{ "description": "Acme", "baseURL": "https://acme.app" }"#,
        ])
        let isNamed = try fixture.text().contains { $0.hasSuffix(", because \(rule)") }
        let seen = try (isNamed, fixture.problems())
        #expect(seen == (true, []))
    }

    @Test func `An environment that only the code names is taken from the option`() throws {
        var fixture = try BuiltFixture(BuiltFixture.app(["Info.plist": BuiltFixture.info("Acme", nil)]))
        let status = try fixture.report().status
        fixture.options.environment = "Staging"
        let environment = try fixture.text().filter { $0.hasPrefix("  environment") }
        let seen = try (status, fixture.problems(), environment)
        #expect(
            seen == (
                1, [],
                [
                    "  environment   Staging, because --environment says so; nothing in the build does, so the code has "
                        + "to name it"
                ]
            ))
        fixture.options.environment = "Stagin"
        #expect(
            try fixture.problems() == [
                "Acme.app/Environments: error: there is no environment \"Stagin\" (did you mean \"Staging\"?); "
                    + "--environment names it. Fix: use one of Production, Staging, or add Stagin-Env.json"
            ])
    }

    @Test func `The environment of a program can come from a variable, and the report says so`() throws {
        let environments = "bin/App_server.resources/Environments"
        var fixture = try BuiltFixture([
            "bin/server": BuiltFixture.program, "\(environments)/Production-Env.json": BuiltFixture.production,
            "\(environments)/Staging-Env.json": BuiltFixture.staging,
        ])
        #expect(
            try fixture.problems("bin/server") == [
                "bin/server: error: no environment is selected, so calls fail: none of Production, Staging has the name of "
                    + "the app or its executable. Fix: rename one to server; if APP_ENVIRONMENT or the code names one, "
                    + "pass it with --environment"
            ])
        fixture.options.environment = "Production"
        #expect(
            try fixture.text("bin/server").contains {
                $0.hasSuffix("; nothing in the build does, so APP_ENVIRONMENT or the code has to name it")
            })
    }

    @Test func `The JSON report contains the same as the text`() throws {
        let fixture = try BuiltFixture(BuiltFixture.app(["Mocks/user.json": "{}"]))
        let report = try fixture.report()
        let json = try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any]
        let part = (json?["parts"] as? [[String: Any]])?.first
        let server = (part?["servers"] as? [[String: Any]])?.first
        let problem = (json?["problems"] as? [[String: Any]])?.first
        let counts = ["errors", "warnings", "files"].map { json?[$0] as? Int }
        let texts =
            ["environment", "network", "rule"].map { part?[$0] as? String }
            + ["key", "url"].map { server?[$0] as? String } + ["kind", "severity"].map { problem?[$0] as? String }
        let ends = ((json?["bytes"] as? Int ?? 0) > 0, (problem?["file"] as? String)?.hasSuffix("Acme.app/Mocks"))
        #expect((counts, report.status, ends.0, ends.1) == ([1, 0, 5], 1, true, true))
        #expect(
            texts == [
                "Production", "live", "because APIEnvironment in Info.plist names it", "baseURL",
                "https://api.acme.app", "mocks", "error",
            ])
    }

    @Test func `The notes say which values of secrets are not searched for`() throws {
        var fixture = try BuiltFixture(
            BuiltFixture.app([
                "Environments/Production-Env.json": """
                { "$secrets": ["a", "b", "c"], "$optional": ["a", "b", "c"], "a": null, "b": null, "c": null,
                  "baseURL": "https://api.acme.app" }
                """,
                "Environments/Staging-Env.json": nil,
            ]))
        fixture.variables = ["ENV__A": "1234567", "ENV__B": "12345678"]
        #expect(
            try fixture.text().filter { $0.hasPrefix("Note: ") } == [
                "Note: Searched for 1 value of secrets, as text, UTF-16 and base64, and escaped for JSON and URLs.",
                "Note: Not searched for, because no value is known here: c of Production.",
                "Note: Not searched for, because they have less than 8 bytes: a.",
                "Note: Nothing was compared with what was reviewed. Pass --source with its folder.",
            ])
    }

    @Test func `All programs in a folder are searched, and each selects from bundles of its own`() throws {
        var fixture = try BuiltFixture([
            "bin/App": BuiltFixture.program, "bin/tool": BuiltFixture.program + "k3y-0123456789",
            // SwiftPM builds the plugin's own program there too.
            "bin/FingerpostBundler-tool": BuiltFixture.program, "bin/App.build/a.o": "",
            "bin/P_App.resources/Environments/App-Env.json":
                #"{ "$secrets": ["k"], "$optional": ["k"], "k": null, "baseURL": "https://api.acme.app" }"#,
            "bin/P_App.resources/Environments/Staging-Env.json":
                #"{ "$secrets": ["k"], "$optional": ["k"], "k": null, "baseURL": "https://staging.acme.app" }"#,
        ])
        let text = try fixture.text("bin")
        let found = ["  environment ", "FingerpostBundler"].map { part in text.count { $0.contains(part) } }
        let seen = try (fixture.problems("bin"), found)
        #expect(seen == ([], [1, 0]))
        fixture.variables = ["ENV__K": "k3y-0123456789"]
        #expect(try fixture.problems("bin").map { $0.prefix { $0 != ":" } } == ["bin/tool"])
    }

    @Test func `A program gets its secrets from variables, so a missing one is a warning`() throws {
        let fixture = try BuiltFixture([
            "bin/App": BuiltFixture.program,
            "bin/P_App.resources/Environments/App-Env.json":
                #"{ "$secrets": ["key"], "key": null, "baseURL": "https://api.acme.app" }"#,
        ])
        let seen = try (fixture.report("bin/App").status, fixture.problems("bin/App"))
        #expect(
            seen == (
                0,
                [
                    "bin/P_App.resources/Environments/App-Env.json:1:24: warning: the secret \"key\" has a value only if "
                        + "the environment variable ENV__KEY is set. Fix: set it where the program runs, or list the key "
                        + "in \"$optional\" too"
                ]
            ))
    }

    @Test func `An environment for tests that is live passes only if it is expected`() throws {
        var fixture = try BuiltFixture(
            BuiltFixture.app([
                "Info.plist": BuiltFixture.info("Acme", "Testing"),
                "Environments/Testing-Env.json":
                    #"{ "description": "Testing", "$network": "live", "baseURL": "https://test.acme.app" }"#,
            ]))
        let status = try fixture.report().status
        fixture.options.environment = "Testing"
        let others = try fixture.problems().filter {
            !$0.contains(": warning: the environment \"Testing\" is not sealed")
        }
        let seen = try (status, fixture.report().status, others)
        #expect(seen == (1, 0, []))
    }
}
