import Foundation
import TestSupport
import Testing

@testable import FingerpostTooling

/// What really happened to apps, rebuilt as small bundles. Each message is compared as a whole.
@Suite(.inTurn) struct IncidentTests {
    struct Incident: CustomTestStringConvertible, Sendable {
        let name: String
        var files: [String: String] = BuiltFixture.app()
        var environment: String?
        var source: String?
        var allowsMocks = false
        var variables: [String: String] = [:]
        let problems: [String]

        var testDescription: String { name }
    }

    private static let token = "ghp_" + String(repeating: "a1B2c3", count: 6)
    private static let secret = "k3y-0123456789-abcdef"

    /// Files with a secret, whose value is null.
    private static func withSecret(_ changes: [String: String?] = [:]) -> [String: String] {
        let text = """
            { "$secrets": ["maps.key"], "$optional": ["maps.key"], "baseURL": "https://api.acme.app",
              "maps": { "key": null } }
            """
        var files: [String: String?] = [
            "Environments/Production-Env.json": text, "Environments/Staging-Env.json": nil,
        ]
        files.merge(changes) { $1 }
        return BuiltFixture.app(files)
    }

    static let incidents: [Incident] = [
        Incident(
            name: "the release was built in the configuration for testers",
            files: BuiltFixture.app(["Info.plist": BuiltFixture.info("Acme", "Staging")]), environment: "Production",
            problems: [
                #"Acme.app/Info.plist:4:120: error: "Staging" is selected, because APIEnvironment in "#
                    + #"Info.plist names it, but "Production" is expected. Fix: build the configuration whose "#
                    + #"APIEnvironment is Production"#
            ]),
        Incident(
            name: "the file for production contains the server for testers",
            files: BuiltFixture.app([
                "Environments/Production-Env.json": """
                { "description": "Production",
                  "baseURL": "https://staging.acme.app/" }
                """
            ]),
            problems: [
                #"Acme.app/Environments/Production-Env.json:2:3: error: Production calls the server of "#
                    + #"Staging: "baseURL" is https://staging.acme.app/, as in "#
                    + #"Acme.app/Environments/Staging-Env.json:2. Fix: write the host of Production; if both call "#
                    + #"this server on purpose, write it once, in Base-Env"#
            ]),
        Incident(
            name: "the server for testers was inherited",
            files: BuiltFixture.app([
                "Environments/Production-Env.json": #"{ "description": "Production", "$extends": "Staging" }"#
            ]),
            problems: [
                #"Acme.app/Environments/Staging-Env.json:2:3: error: Production calls the server of Staging: "#
                    + #""baseURL" is https://staging.acme.app, inherited from "#
                    + #"Acme.app/Environments/Staging-Env.json:2. Fix: write the host of Production; if both call "#
                    + #"this server on purpose, write it once, in Base-Env"#
            ]),
        Incident(
            name: "the build setting with the environment's name had no value",
            files: BuiltFixture.app(["Info.plist": BuiltFixture.info("Acme", "")]),
            problems: [
                #"Acme.app/Info.plist:4:120: error: "APIEnvironment" is empty, so it selects no environment. "#
                    + #"Fix: write the name of an environment, or give the build setting in it a value in this "#
                    + #"configuration"#
            ]),
        Incident(
            name: "the build setting with the environment's name was not replaced",
            files: BuiltFixture.app(["Info.plist": BuiltFixture.info("Acme", "$(API_ENVIRONMENT)")]),
            problems: [
                #"Acme.app/Info.plist:4:120: error: "APIEnvironment" is "$(API_ENVIRONMENT)": the build did "#
                    + #"not replace it. Fix: write the name of an environment, or give the build setting in it a "#
                    + #"value in this configuration"#
            ]),
        Incident(
            name: "the environment's name has a typo",
            files: BuiltFixture.app(["Info.plist": BuiltFixture.info("Acme", "Prodution")]),
            problems: [
                #"Acme.app/Environments: error: there is no environment "Prodution" (did you mean "#
                    + #""Production"?); the key APIEnvironment of Info.plist names it. Fix: use one of Production, "#
                    + #"Staging, or add Prodution-Env.json"#
            ]),
        Incident(
            name: "no rule selects an environment",
            files: BuiltFixture.app(["Info.plist": BuiltFixture.info("Acme", nil)]),
            problems: [
                #"Acme.app: error: no environment is selected, so calls fail: "APIEnvironment" is not in "#
                    + #"Info.plist, and none of Production, Staging has the name of the app or its executable. Fix: "#
                    + #"set APIEnvironment in Info.plist; if the code names one, pass it with --environment"#
            ]),
        Incident(
            name: "the environments are missing",
            files: BuiltFixture.app([
                "Environments/Production-Env.json": nil, "Environments/Staging-Env.json": nil,
            ]),
            problems: [
                #"Acme.app: error: the build contains no environments, so the library finds no base URL. Fix: "#
                    + #"add the plugin to the target, or copy the folder Environments into it"#
            ]),
        Incident(
            name: "the only environment is the one for tests",
            files: BuiltFixture.app([
                "Info.plist": BuiltFixture.info("Acme", nil), "Environments/Production-Env.json": nil,
                "Environments/Staging-Env.json": nil,
                "Environments/Testing-Env.json": #"{ "description": "Testing", "baseURL": "https://acme.invalid" }"#,
            ]),
            problems: [
                #"Acme.app/Environments/Testing-Env.json:1:3: error: Acme.app selects Testing, because it is "#
                    + #"the only environment there, and Testing is sealed: no call reaches a server, and users see "#
                    + #"test data. Fix: select the environment for users; for a demo, pass --allow-mocks"#
            ]),
        Incident(
            name: "the environment for tests was opened, and shipped",
            files: BuiltFixture.app([
                "Info.plist": BuiltFixture.info("Acme", "Testing"),
                "Environments/Testing-Env.json": """
                { "description": "Testing", "baseURL": "https://api2.acme.app",
                  "$network": "live" }
                """,
            ]),
            problems: [
                "Acme.app/Environments/Testing-Env.json:2:3: error: Acme.app selects Testing, the environment for "
                    + "tests, because APIEnvironment in Info.plist names it. Fix: select the environment for users, or pass "
                    + "--environment Testing",
                "Acme.app/Environments/Testing-Env.json:2:3: warning: the environment \"Testing\" is not sealed, so its "
                    + "calls can reach servers. Fix: set \"$network\" to \"sealed\", or give these calls an environment "
                    + "with another name",
            ]),
        Incident(
            name: "mocks answered what they could",
            files: BuiltFixture.app([
                "Environments/Production-Env.json": """
                { "description": "Production", "baseURL": "https://api.acme.app",
                  "$network": "mocksThenLive" }
                """
            ]),
            problems: [
                #"Acme.app/Environments/Production-Env.json:2:3: error: Production sets "$network" to "#
                    + #""mocksThenLive", which is for development: what a user sees could come from a file. Fix: "#
                    + #"remove "$network" from what you ship"#
            ]),
        Incident(
            name: "the app contains test data",
            files: BuiltFixture.app([
                "Mocks/user.json": "{}", "Mocks/login.json": "{}",
                "Mocks/login.mock.json":
                    #"{ "recorded": { "at": "2026-01-31T12:00:00Z" } }"#,
            ]),
            problems: [
                #"Acme.app/Mocks: error: 3 files of mocks, which everybody can read, are in the build: "#
                    + #"login.json, login.mock.json, user.json; 1 of them recorded from a server. Fix: leave Mocks "#
                    + #"out of this configuration, as the article "Shipping it" shows; for a demo, pass "#
                    + #"--allow-mocks"#
            ]),
        Incident(
            name: "a demo contains a real token",
            files: BuiltFixture.app([
                "Info.plist": BuiltFixture.info("Acme", "Demo"),
                "Environments/Demo-Env.json":
                    #"{ "description": "Demo", "$network": "sealed", "baseURL": "https://acme.invalid" }"#,
                "Mocks/login.json": "{\n  \"token\": \"\(token)\" }",
            ]), allowsMocks: true,
            problems: [
                #"Acme.app/Mocks/login.json:2: error: the file contains a GitHub token. Fix: replace it with a "#
                    + #"made-up value, and revoke the original if it was ever committed"#
            ]),
        Incident(
            name: "a demo is sealed by its description, and shows nothing",
            files: BuiltFixture.app([
                "Info.plist": BuiltFixture.info("Acme", "Testing"),
                "Environments/Testing-Env.json": #"{ "description": "Testing", "baseURL": "https://acme.invalid" }"#,
                "Mocks/login.json": "{}",
            ]), allowsMocks: true,
            problems: [
                #"Acme.app/Environments/Testing-Env.json:1:3: error: Testing is sealed by its description "#
                    + #"alone, and release builds answer from mocks only if the file sets "$network". Fix: add "#
                    + #""$network": "sealed" to its file"#
            ]),
        Incident(
            name: "the app calls the developer's machine",
            files: BuiltFixture.app([
                "Environments/Production-Env.json": """
                { "description": "Production",
                  "baseURL": "http://localhost:8080" }
                """
            ]),
            problems: [
                #"Acme.app/Environments/Production-Env.json:2:3: error: "baseURL" is http://localhost:8080, "#
                    + #"which users cannot reach: the host is the device that the app runs on. Fix: write the host "#
                    + #"of the server that Production is for"#
            ]),
        Incident(
            name: "the app calls a server in the office",
            files: BuiltFixture.app([
                "Environments/Production-Env.json": """
                { "description": "Production",
                  "baseURL": "https://192.168.1.20/api" }
                """
            ]),
            problems: [
                #"Acme.app/Environments/Production-Env.json:2:3: error: "baseURL" is https://192.168.1.20/api, "#
                    + #"which users cannot reach: the host is an address of a private network. Fix: write the host "#
                    + #"of the server that Production is for"#
            ]),
        Incident(
            name: "the app was shipped with the sample's host",
            files: BuiltFixture.app([
                "Environments/Production-Env.json": """
                { "description": "Production",
                  "baseURL": "https://api.example.com" }
                """
            ]),
            problems: [
                #"Acme.app/Environments/Production-Env.json:2:3: error: "baseURL" is https://api.example.com, "#
                    + #"which users cannot reach: the host is a name that is reserved for documentation (RFC 2606). "#
                    + #"Fix: write the host of the server that Production is for"#
            ]),
        Incident(
            name: "calls are not encrypted, and refused",
            files: BuiltFixture.app([
                "Environments/Production-Env.json": """
                { "description": "Production",
                  "baseURL": "http://api.acme.app" }
                """
            ]),
            problems: [
                #"Acme.app/Environments/Production-Env.json:2:3: error: "baseURL" is http://api.acme.app, "#
                    + #"which is not encrypted, and App Transport Security refuses the calls. Fix: write https://, "#
                    + #"or allow the host in NSAppTransportSecurity of Info.plist"#
            ]),
        Incident(
            name: "the host of the build setting was not replaced",
            files: BuiltFixture.app([
                "Environments/Production-Env.json": """
                { "description": "Production",
                  "baseURL": "https://$(API_HOST)/v1" }
                """
            ]),
            problems: [
                #"Acme.app/Environments/Production-Env.json:2:3: error: "baseURL" contains a variable that was "#
                    + #"not replaced: https://$(API_HOST)/v1. Fix: write the value, or have the build replace it"#
            ]),
        Incident(
            name: "the key was on the developer's machine only",
            files: BuiltFixture.app([
                "Environments/Production-Env.json": """
                { "$secrets": ["maps.key"], "baseURL": "https://api.acme.app",
                  "maps": { "key": null } }
                """,
                "Environments/Staging-Env.json": nil,
            ]),
            problems: [
                #"Acme.app/Environments/Production-Env.json:2:13: error: the secret "maps.key" has no value on "#
                    + #"a user's device, so Production does not load there, and all calls fail. Fix: list it in "#
                    + #""$provided" too, and give its value with APIEnvironment.bootstrap(secrets:); a value that may "#
                    + #"become public need not be a secret"#
            ]),
        Incident(
            name: "the menu of the testers was shipped",
            files: BuiltFixture.app([
                "Environments/Base-Env.json": """
                {
                  "$switchable": true }
                """
            ]),
            problems: [
                #"Acme.app/Environments/Base-Env.json:2:3: error: Production sets "$switchable" to true, so the app "#
                    + #"can switch to every environment in the build. Fix: remove "$switchable" from what you ship; for "#
                    + #"a build for testers, pass --allow-switching"#
            ]),
        Incident(
            name: "a key is empty in production",
            files: BuiltFixture.app([
                "Environments/Production-Env.json": """
                { "baseURL": "https://api.acme.app",
                  "analyticsKey": "" }
                """,
                "Environments/Staging-Env.json": #"{ "baseURL": "https://staging.acme.app", "analyticsKey": "UA-1" }"#,
            ]),
            problems: [
                #"Acme.app/Environments/Production-Env.json:2:3: error: "analyticsKey" is empty, but has a "#
                    + #"value in Staging. Fix: give it a value in Production, or list it in "$optional" and leave it "#
                    + #"out"#
            ]),
        Incident(
            name: "a key is missing in production",
            files: BuiltFixture.app([
                "Environments/Staging-Env.json": """
                { "description": "Staging", "baseURL": "https://staging.acme.app",
                  "sampleRate": 0.5 }
                """
            ]),
            problems: [
                #"Acme.app/Environments/Production-Env.json:1:1: error: "sampleRate" is missing in Production; "#
                    + #"Staging has it. Fix: add it, give Base a value, or list it in "$optional""#
            ]),
        Incident(
            name: "the file with the secrets is in the app",
            files: withSecret(["Environments/Production-Secrets.json": #"{ "maps": { "key": "\#(secret)" } }"#]),
            problems: [
                #"Acme.app/Environments/Production-Secrets.json: error: a secrets file is in the build, and "#
                    + #"everybody can read it there. Fix: remove it from the target's resources, and revoke its "#
                    + #"values if the build has left your machine"#
            ]),
        Incident(
            name: "the key is a literal in the program",
            files: withSecret(["Acme": "\(BuiltFixture.program)\0 prefix\(secret)\0"]),
            variables: ["ENV__MAPS__KEY": secret],
            problems: [
                #"Acme.app/Acme: error: the file contains the value of the secret "maps.key", as text, and "#
                    + #"everybody can read it there. Fix: remove it from what is built, and revoke the value if the "#
                    + #"build has left your machine"#
            ]),
        Incident(
            name: "the key is in Info.plist, for the program to read",
            files: withSecret([
                "Info.plist": BuiltFixture.info("Acme", "Production", "\n<key>MapsKey</key><string>\(secret)</string>")
            ]), variables: ["ENV__MAPS__KEY": secret],
            problems: [
                #"Acme.app/Info.plist:5: error: the file contains the value of the secret "maps.key", as text, "#
                    + #"and everybody can read it there. Fix: remove it from what is built, and revoke the value if "#
                    + #"the build has left your machine"#
            ]),
        Incident(
            name: "the key of the secrets file beside the source is in the app in base64",
            files: withSecret(["config.bin": "\0\(Data("id:\(secret)".utf8).base64EncodedString())"]).merging([
                "Project/Environments/Production-Env.json": withSecret()["Acme.app/Environments/Production-Env.json"]
                    ?? "",
                "Project/Environments/Base-Secrets.json": #"{ "maps": { "key": "\#(secret)" } }"#,
            ]) { $1 }, source: "Project",
            problems: [
                #"Acme.app/config.bin: error: the file contains the value of the secret "maps.key", in base64, "#
                    + #"and everybody can read it there. Fix: remove it from what is built, and revoke the value if "#
                    + #"the build has left your machine"#
            ]),
        Incident(
            name: "the widget calls another server than the app",
            files: BuiltFixture.app([
                "PlugIns/Widget.appex/Info.plist": BuiltFixture.info("Widget", "Staging"),
                "PlugIns/Widget.appex/Widget": BuiltFixture.program,
                "PlugIns/Widget.appex/Environments/Production-Env.json": BuiltFixture.production,
                "PlugIns/Widget.appex/Environments/Staging-Env.json": BuiltFixture.staging,
            ]),
            problems: [
                #"Acme.app/PlugIns/Widget.appex: error: Acme.app/PlugIns/Widget.appex calls "#
                    + #"https://staging.acme.app, but Acme.app calls https://api.acme.app (Production and Staging "#
                    + #"are selected). Fix: select the same environment in both, from the same files"#
            ]),
        Incident(
            name: "the archive was made from a debug build",
            files: BuiltFixture.app([
                "Acme": "\(BuiltFixture.program)\0/Users/jo/Acme/Environments\0_TtC4Acme17_FingerpostSource\0"
            ]),
            problems: [
                #"Acme.app/Acme: error: the file is a debug build: it contains the path of the source folder, "#
                    + #"/Users/jo/Acme/Environments. Fix: build with `swift build -c release`, or in Xcode without "#
                    + #"DEBUG in the compilation conditions"#
            ]),
        Incident(
            name: "the file was edited after the review",
            files: BuiltFixture.app().merging([
                "Project/Environments/Production-Env.json": """
                { "description": "Production",
                  "baseURL": "https://api.acme.com" }
                """,
                "Project/Environments/Staging-Env.json": BuiltFixture.staging,
            ]) { $1 }, source: "Project",
            problems: [
                #"Acme.app/Environments/Production-Env.json:2:14: error: "baseURL" is "https://api.acme.app" "#
                    + #"in the build, and "https://api.acme.com" in Project/Environments/Production-Env.json:2. Fix: "#
                    + #"build again from the reviewed source"#
            ]),
        Incident(
            name: "the upload stopped in the middle",
            files: BuiltFixture.app(["Acme": nil]),
            problems: [
                #"Acme.app: error: the executable "Acme" is missing, so this is not a whole bundle. Fix: build "#
                    + #"it again, or copy all of it"#
            ]),
    ]

    @Test(arguments: incidents) func `An incident is stopped with a message to act on`(incident: Incident) throws {
        var fixture = try BuiltFixture(incident.files)
        fixture.options.environment = incident.environment
        fixture.options.source = incident.source
        fixture.options.allowsMocks = incident.allowsMocks
        fixture.variables = incident.variables
        #expect(try fixture.problems() == incident.problems)
        let report = try fixture.report()
        #expect(report.status == 1)
        for text in [report.text, report.json] {
            #expect(!text.contains(Self.secret) && !text.contains(Self.token))
        }
    }
}
