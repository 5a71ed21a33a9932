@testable import FingerpostTooling

extension VerifiedBuild {
    /// Builds that are stopped.
    static let wrong: [Self] = environments + servers + parts + secrets + mocks + differences

    /// An app whose Info.plist names this environment, and selects none.
    private static func naming(_ environment: String?, _ name: String, with more: String = "") -> Self {
        Self(name, ["Info.plist": BuiltFixture.info("Acme", environment, more)]).with { $0.selected = nil }
    }

    private static let environments: [Self] = [
        naming("Staging", "the release was built in the configuration for testers")
            .with { ($0.options.environment, $0.selected) = ("Production", "Staging") }
            .reports("Acme.app/Info.plist selection error"),
        Self("the expected environment does not exist").with { $0.options.environment = "Prod" }
            .reports("Acme.app/Info.plist selection error"),
        naming("", "the build setting with the environment's name had no value")
            .reports("Acme.app/Info.plist selection error"),
        naming("$(API_ENVIRONMENT)", "the build setting was not replaced")
            .reports("Acme.app/Info.plist selection error"),
        Self(
            "the app has no environments, and its widget has",
            part("PlugIns/Widget.appex", "Production", production).merging([productionFile: nil, stagingFile: nil]) {
                $1
            }
        ).with { $0.options.environment = "Production" }.reports("Acme.app selection error"),
        Self(
            "a resource bundle lacks the expected environment",
            ["Kit.bundle/Environments/Staging-Env.json": staging]
        ).with { $0.options.environment = "Production" }
            .reports("Acme.app/Kit.bundle/Environments selection error"),
        naming(nil, "the environment is a boolean", with: "<key>APIEnvironment</key><true/>")
            .reports("Acme.app/Info.plist selection error"),
        naming("Prodution", "the environment's name has a typo").reports("Acme.app/Environments selection error"),
        naming(nil, "no rule selects an environment").reports("Acme.app selection error"),
        Self("the environments are missing", [productionFile: nil, stagingFile: nil])
            .with { $0.selected = nil }.reports("Acme.app selection error"),
        Self(
            "there is only what environments share",
            [
                productionFile: nil, stagingFile: nil,
                "Environments/Base-Env.json": #"{ "baseURL": "https://api.acme.app" }"#,
            ]
        ).with { $0.selected = nil }.reports("Acme.app selection error", "Acme.app/Environments environment warning"),
        Self(
            "the only environment is the one for tests",
            [
                "Info.plist": BuiltFixture.info("Acme", nil), productionFile: nil, stagingFile: nil,
                "Environments/Testing-Env.json": #"{ "description": "Testing", "baseURL": "https://acme.invalid" }"#,
            ]
        ).with { $0.selected = "Testing" }.reports("Acme.app/Environments/Testing-Env.json sealed error"),
        production(
            "mocks answer what they can",
            #"{ "description": "P", "baseURL": "https://api.acme.app", "$network": "mocksThenLive" }"#
        ).reports("\(inProduction) sealed error"),
        Self("users can switch", ["Environments/Base-Env.json": #"{ "$switchable": true }"#])
            .reports("Acme.app/Environments/Base-Env.json selection error"),
        Self("there is no Info.plist", ["Info.plist": nil, stagingFile: nil])
            .reports("Acme.app incomplete error"),
        Self("the Info.plist is cut", ["Info.plist": "bplist00\u{1}"]).with { $0.selected = nil }
            .reports("Acme.app/Info.plist unreadable error"),
        Self("the file for production is cut", [productionFile: "{ \"baseURL\": "]).with { $0.selected = "Production" }
            .reports("\(inProduction) environment error"),
    ]

    private static let servers: [Self] = [
        url("production calls the server for testers", "https://staging.acme.app/").reports(
            "\(inProduction) otherServer error"),
        url("the default port is written", "https://staging.acme.app:443").reports("\(inProduction) otherServer error"),
        url("the host ends in a dot", "https://staging.acme.app.").reports("\(inProduction) otherServer error"),
        url("the host is in capitals", "HTTPS://STAGING.Acme.app").reports("\(inProduction) otherServer error"),
        Self(
            "the server for testers was inherited", [productionFile: #"{ "description": "P", "$extends": "Staging" }"#]
        )
        .reports("Acme.app/\(stagingFile) otherServer error"),
        production(
            "the main server for testers, whose host does not say so, is called under another key",
            #"{ "baseURL": "https://api.acme.app", "payBaseURL": "https://gate.acme.org/v2/" }"#,
            staging: #"{ "baseURL": "https://gate.acme.org/v2", "payBaseURL": "https://pay.acme.org" }"#
        ).reports("\(inProduction) otherServer error"),
        production(
            "two services are those of testers, one of which only production has",
            #"{ "baseURL": "https://api.acme.app", "authBaseURL": "https://auth.staging.acme.app", "#
                + #""logBaseURL": "https://log.staging.acme.app" }"#,
            staging: #"{ "baseURL": "https://staging.acme.app", "authBaseURL": "https://auth.staging.acme.app" }"#
        ).reports("\(inProduction) otherServer error", "Acme.app/\(stagingFile) environment error"),
        production(
            "the server for testers is called under another key",
            #"{ "baseURL": "https://api.acme.app", "payBaseURL": "https://staging.acme.app" }"#,
            staging: #"{ "baseURL": "https://staging.acme.app", "payBaseURL": "https://pay.acme.org" }"#
        ).reports("\(inProduction) otherServer error"),
        production(
            "all servers are those of testers",
            #"{ "authBaseURL": "https://a.acme.app", "payBaseURL": "https://p.acme.app" }"#,
            staging: #"{ "authBaseURL": "https://a.acme.app", "payBaseURL": "https://p.acme.app" }"#
        ).reports("\(inProduction) otherServer error", "\(inProduction) otherServer error"),
        Self(
            "the server of an environment that only the source has",
            [
                productionFile: staging.replacing("Staging", with: "Production").replacing("app\"", with: "app:443\""),
                stagingFile: nil,
            ],
            beside: source(staging.replacing("Staging", with: "Production").replacing("app\"", with: "app:443\""))
        ).reports("\(inProduction) otherServer error"),
        url("the app calls the developer's machine", "http://localhost:8080").reports(
            "\(inProduction) unreachable error"),
        url("the app has the sample's host", "https://api.example.com").reports("\(inProduction) unreachable error"),
        url("calls are not encrypted", "http://api.acme.app").reports("\(inProduction) insecure error"),
        url("the host of the build setting was not replaced", "https://$(API_HOST)/v1")
            .reports("\(inProduction) environment error"),
    ]

    private static let parts: [Self] = [
        Self(
            "the widget selects another environment",
            part("PlugIns/Widget.appex", "Staging", staging, "Staging")
        ).reports("Acme.app/PlugIns/Widget.appex disagreement error").with { $0.selected = nil },
        Self(
            "the widget selects another environment with other paths on the same host",
            part("PlugIns/Widget.appex", "Staging", path("staging"), "Staging")
                .merging([productionFile: path("v1"), stagingFile: path("staging")]) { $1 }
        ).reports("Acme.app/PlugIns/Widget.appex disagreement error").with { $0.selected = nil },
        Self(
            "the widget selects another environment with a server that the app does not call",
            part("PlugIns/Widget.appex", "Staging", #"{ "feedBaseURL": "https://f2.acme.app" }"#, "Staging")
                .merging([
                    "PlugIns/Widget.appex/\(productionFile)": #"{ "feedBaseURL": "https://f.acme.app" }"#
                ]) { $1 }
        ).reports("Acme.app/PlugIns/Widget.appex disagreement error").with { $0.selected = nil },
        Self(
            "the watch app has another path under the same name",
            part("Watch/Watch.app", "Production", production.replacing("acme.app", with: "acme.app/v2"))
        ).reports("Acme.app/Watch/Watch.app disagreement error"),
        Self(
            "the resource bundle of a framework has another server, without encryption",
            [
                "Frameworks/Model.framework/Info.plist": BuiltFixture.info("Model", nil),
                "Frameworks/Model.framework/Kit.bundle/\(productionFile)":
                    production
                    .replacing("https://api.", with: "http://api2."),
            ]
        ).reports(
            "Acme.app/Frameworks/Model.framework/Kit.bundle disagreement error",
            "Acme.app/Frameworks/Model.framework/Kit.bundle/\(productionFile) insecure error"),
        Self(
            "the environment at the top level of a resource bundle is for this machine",
            ["Kit.bundle/Production-Env.json": #"{ "kitBaseURL": "http://localhost:8080" }"#]
        ).reports("Acme.app/Kit.bundle/Production-Env.json unreachable error"),
        Self(
            "the framework has another server under the same name",
            part("Frameworks/Model.framework", nil, production.replacing("api.", with: "api2."))
        ).reports("Acme.app/Frameworks/Model.framework disagreement error"),
        Self("the widget shows test data", part("PlugIns/Widget.appex", "Demo", demo, "Demo")).with {
            $0.selected = nil
        }
        .reports(
            "Acme.app/PlugIns/Widget.appex disagreement error",
            "Acme.app/PlugIns/Widget.appex/Environments/Demo-Env.json sealed error"),
        Self(
            "the app in an archive calls another server",
            files: BuiltFixture.app([productionFile: staging], in: "A.xcarchive/Products/Applications/Acme.app"),
            path: "A.xcarchive"
        ).reports("A.xcarchive/Products/Applications/Acme.app/Environments/Production-Env.json otherServer error"),
        Self(
            "the resource bundle of the package has no encryption",
            [
                productionFile: nil, stagingFile: nil,
                "Acme_Model.bundle/\(productionFile)": production.replacing("https", with: "http"),
            ]
        ).reports("Acme.app/Acme_Model.bundle/\(productionFile) insecure error"),
        Self(
            "a program selects none of its environments",
            files: [
                "bin/server": program, "bin/App_server.resources/\(productionFile)": production,
                "bin/App_server.resources/\(stagingFile)": staging,
            ], path: "bin/server"
        ).with { $0.selected = nil }.reports("bin/server selection error"),
        Self("the archive was made from a debug build", ["Acme": "\(program)\0_TtC4Acme17_FingerpostSource\0"])
            .reports("Acme.app/Acme sourcePath error"),
    ]

    private static let secrets: [Self] = [
        production(
            "a key is empty in production", #"{ "baseURL": "https://api.acme.app", "analyticsKey": "" }"#,
            staging: #"{ "baseURL": "https://staging.acme.app", "analyticsKey": "UA-1" }"#
        ).reports("\(inProduction) environment error"),
        Self(
            "a key is missing in production",
            [stagingFile: #"{ "description": "S", "baseURL": "https://staging.acme.app", "sampleRate": 0.5 }"#]
        ).reports("\(inProduction) environment error"),
        production(
            "a key was on the developer's machine only",
            #"{ "$secrets": ["key"], "key": null, "baseURL": "https://api.acme.app" }"#, staging: nil
        ).reports("\(inProduction) missingSecret error"),
        secret("the secrets file is in the app", ["Environments/Production-Secrets.json": #"{ "key": "\#(secret)" }"#])
            .reports("Acme.app/Environments/Production-Secrets.json secretsFile error"),
        unsearched("the secrets file of the source is cut", ["Production-Secrets.json": "{ \"key\": "])
            .reports("Project/Environments/Production-Secrets.json unreadable error"),
        unsearched("a secrets file of the source belongs to no environment", ["Prod-Secrets.json": "{}"])
            .reports("Project/Environments/Prod-Secrets.json unreadable error"),
        unsearched("a secrets file of the source is not read", ["Production-secrets.json": "{}"])
            .reports("Project/Environments/Production-secrets.json unreadable error"),
        unsearched(
            "an environment of the source has two secrets files",
            ["Production-Secrets.json": "{}", "Production-Secrets.plist": "<key>key</key><string>k</string>"]
        ).reports("Project/Environments unreadable error"),
        secret("the key is a literal in the program", ["Acme": "\(program)\0 prefix\(secret)\0"])
            .reports("Acme.app/Acme secret error"),
        secret(
            "the key is in Info.plist",
            ["Info.plist": BuiltFixture.info("Acme", "Production", "\n<key>MapsKey</key><string>\(secret)</string>")]
        ).reports("Acme.app/Info.plist secret error"),
        Self(
            "the key of the source's secrets file is in the app",
            [productionFile: withKey, stagingFile: nil, "config.bin": "\0\(secret)"],
            beside: [
                "Project/\(productionFile)": withKey,
                "Project/Environments/Base-Secrets.json": #"{ "key": "\#(secret)" }"#,
            ]
        ).reports("Acme.app/config.bin secret error"),
    ]

    private static let mocks: [Self] = [
        Self("the app contains mocks", ["Mocks/user.json": "{}", "Mocks/login.json": "{}"]).reports(
            "Acme.app/Mocks mocks error"),
        Self("mocks are behind a link", ["Data/user.json": "{}"]).with { $0.links = ["Acme.app/Mocks": "Data"] }
            .reports("Acme.app/Mocks mocks error"),
        Self("the settings of a mock are behind a link", ["a.bin": "{}"])
            .with { $0.links = ["Acme.app/login.mock.json": "a.bin"] }
            .reports("Acme.app/login.mock.json mocks error"),
        Self(
            "mocks in lower case are beside a program",
            files: [
                "bin/Production": program, "bin/App_Production.resources/\(productionFile)": production,
                "bin/mocks/user.json": "{}",
            ], path: "bin/Production"
        ).reports("bin/mocks mocks error"),
        Self(
            "mocks are beside the app in an archive",
            files: BuiltFixture.app(in: "A.xcarchive/Products/Applications/Acme.app")
                .merging(["A.xcarchive/Products/Library/Mocks/user.json": "{}"]) { $1 }, path: "A.xcarchive"
        )
        .reports("A.xcarchive/Products/Library/Mocks mocks error"),
        Self("the settings of mocks are among the app's files", ["login.mock.json": "{}", "_scenarios.json": "{}"])
            .reports("Acme.app/_scenarios.json mocks error", "Acme.app/login.mock.json mocks error"),
        Self(
            "mocks of the source are among the app's files",
            ["list.json": "[2]", "User.JSON": "{ }", "words.json": "[]"],
            beside: source().merging([
                "Project/Mocks/Issues/list.json": "[2]", "Project/Mocks/user.json": "{ }",
                "Project/Mocks/words.json": "[1]",
            ]) { $1 }
        ).reports(
            "Acme.app/list.json mocks error", "Acme.app/User.JSON mocks error"),
        demo("a demo contains a real token", ["Mocks/login.json": #"{ "token": "\#(token)" }"#])
            .reports("Acme.app/Mocks/login.json credential error"),
        demo(
            "the settings of a demo contain a real token", ["login.mock.json": #"{ "headers": { "X": "\#(token)" } }"#]
        )
        .reports("Acme.app/login.mock.json credential error"),
        demo(
            "a demo is sealed by its description",
            [
                "Info.plist": BuiltFixture.info("Acme", "Testing"), "Environments/Demo-Env.json": nil,
                "Environments/Testing-Env.json": #"{ "description": "Testing", "baseURL": "https://acme.invalid" }"#,
            ]
        ).with { $0.selected = "Testing" }.reports("Acme.app/Environments/Testing-Env.json sealed error"),
    ]

    private static let differences: [Self] = [
        Self("a file was edited after the review", beside: source(production.replacing("acme.app", with: "acme.com")))
            .reports("\(inProduction) difference error"),
        Self(
            "a widget has another value than the source",
            part("PlugIns/Widget.appex", "Production", production.replacing("{", with: #"{ "rate": 1,"#)),
            beside: source()
        ).reports("Acme.app/PlugIns/Widget.appex/\(productionFile) difference error"),
        Self("nobody reviewed a file", ["Environments/Base-Env.json": #"{ "rate": 1 }"#], beside: source()).reports(
            "Acme.app/Environments/Base-Env.json difference error"),
        Self(
            "a file that the selected environment needs is missing",
            beside: source().merging(["Project/Environments/Base-Env.json": #"{ "rate": 1 }"#]) { $1 }
        ).reports("Acme.app/Environments difference error"),
    ]
}
