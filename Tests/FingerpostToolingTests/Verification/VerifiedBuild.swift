import Testing

@testable import FingerpostTooling

/// A build made by hand, and what `verify` says about it.
struct VerifiedBuild: CustomTestStringConvertible, Sendable {
    let name: String
    var files: [String: String]
    var path = "Acme.app"
    /// The links, with their targets.
    var links: [String: String] = [:]
    var options = VerifyOptions()
    var variables: [String: String] = [:]
    /// The environment that the report names; nil if none is selected.
    var selected: String? = "Production"
    /// The path, the kind and the severity of each finding.
    var findings: [String] = []

    var testDescription: String { name }

    /// A good app for iOS with changes; nil removes a file. See ``BuiltFixture/app(_:in:)``. It is compared with the
    /// folder `Project`, if this is beside it.
    init(_ name: String, _ changes: [String: String?] = [:], beside: [String: String] = [:]) {
        (self.name, files) = (name, BuiltFixture.app(changes).merging(beside) { $1 })
        if beside.keys.contains(where: { $0.hasPrefix("Project/") }) { options.source = "Project" }
    }

    init(_ name: String, files: [String: String], path: String) {
        (self.name, self.files, self.path) = (name, files, path)
    }

    /// The build with other properties.
    func with(_ change: (inout Self) -> Void) -> Self {
        var build = self
        change(&build)
        return build
    }

    /// The build with findings in the app, each as `path kind severity`.
    func reports(_ findings: String...) -> Self { with { $0.findings = findings } }
}

extension VerifiedBuild {
    static let production = BuiltFixture.production
    static let staging = BuiltFixture.staging
    static let program = BuiltFixture.program
    static let productionFile = "Environments/Production-Env.json"
    static let stagingFile = "Environments/Staging-Env.json"
    static let inProduction = "Acme.app/Environments/Production-Env.json"
    static let demo = #"{ "description": "Demo", "$network": "sealed", "baseURL": "https://demo.invalid" }"#
    static let withKey =
        #"{ "$secrets": ["key"], "$optional": ["key"], "key": null, "baseURL": "https://api.acme.app" }"#

    static let token = "ghp_" + String(repeating: "a1B2c3", count: 6)
    static let secret = "k3y-0123456789-abcdef"

    /// An app whose file for production is this.
    static func production(_ name: String, _ text: String, staging: String? = BuiltFixture.staging) -> Self {
        Self(name, [productionFile: text, stagingFile: staging])
    }

    static func url(_ name: String, _ url: String) -> Self {
        production(name, #"{ "description": "P", "baseURL": "\#(url)" }"#)
    }

    /// An app that declares the secret `key`, whose value the process knows.
    static func secret(_ name: String, _ changes: [String: String?]) -> Self {
        Self(name, [productionFile: withKey, stagingFile: nil].merging(changes) { $1 }).with {
            $0.variables = ["ENV__KEY": secret]
        }
    }

    /// An environment on a host that all environments share.
    static func path(_ path: String) -> String { #"{ "baseURL": "https://api.acme.app/\#(path)" }"# }

    /// An app whose source also has secrets files.
    static func unsearched(_ name: String, _ secrets: [String: String]) -> Self {
        let environments = secrets.map { ("Project/Environments/\($0)", $1) }
        return Self(name, beside: source().merging(environments) { $1 })
    }

    /// A bundle inside the app, with an environment of its own.
    static func part(_ path: String, _ environment: String?, _ text: String, _ name: String = "Production")
        -> [String: String?]
    {
        [
            "\(path)/Info.plist": BuiltFixture.info("Part", environment), "\(path)/Part": program,
            "\(path)/Environments/\(name)-Env.json": text,
        ]
    }

    static func source(_ production: String = production, _ staging: String = staging) -> [String: String] {
        ["Project/\(productionFile)": production, "Project/\(stagingFile)": staging]
    }

    // MARK: Good builds

    /// A demo, which answers from mocks.
    static func demo(_ name: String, _ changes: [String: String?] = [:]) -> Self {
        let demo: [String: String?] = [
            "Info.plist": BuiltFixture.info("Acme", "Demo"), "Environments/Demo-Env.json": demo,
            "Mocks/user.json": "{}",
        ]
        return Self(name, demo.merging(changes) { $1 }).with { ($0.options.allowsMocks, $0.selected) = (true, "Demo") }
    }

    /// Builds without errors.
    static let good: [Self] = [
        Self("an app"),
        Self("an expected environment").with { $0.options.environment = "Production" },
        Self(
            "an archive of an installer, with debug symbols, and links to the app",
            files: BuiltFixture.app(in: "A.xcarchive/Products/Applications/Acme.app").merging([
                "A.xcarchive/dSYMs/Acme.app.dSYM/Contents/Info.plist": "<key>a</key><true/>",
                "A.xcarchive/Info.plist": "<key>Name</key><string>Acme</string>",
                "A.xcarchive/Products/usr/local/bin/acme": program,
            ]) { $1 }, path: "A.xcarchive"
        ).with { $0.links = ["A.xcarchive/Products/usr/local/bin/tool": "/Applications/Acme.app/Contents/MacOS/Acme"] },
        Self("an unzipped .ipa", files: BuiltFixture.app(in: "Payload/Acme.app"), path: "Payload"),
        Self(
            "an extension",
            files: [
                "Widget.appex/Info.plist": BuiltFixture.info("Widget"), "Widget.appex/Widget": program,
                "Widget.appex/\(productionFile)": production,
            ], path: "Widget.appex"),
        Self(
            "a framework, for which the app selects",
            files: [
                "Model.framework/Info.plist": BuiltFixture.info("Model", nil), "Model.framework/Model": program,
                "Model.framework/\(productionFile)": production, "Model.framework/\(stagingFile)": staging,
            ], path: "Model.framework"
        ).with { $0.selected = nil },
        Self(
            "a framework for macOS, with links inside it, whose environment is named",
            files: [
                "Model.framework/Versions/A/Resources/Info.plist": BuiltFixture.info("Model", nil),
                "Model.framework/Versions/A/Resources/\(productionFile)": production,
                "Model.framework/Versions/A/Resources/\(stagingFile)": staging,
            ], path: "Model.framework"
        ).with {
            ($0.options.environment, $0.selected) = ("Staging", "Staging")
            $0.links = [
                "Model.framework/Versions/Current": "A", "Model.framework/Resources": "Versions/Current/Resources",
            ]
        },
        Self(
            "an app whose files Xcode copied to the top level",
            [
                productionFile: nil, stagingFile: nil, "words.json": "[]", "Production-Env.json": production,
                "Staging-Env.json": staging,
            ]),
        Self(
            "an app with a widget, a watch app and an App Clip",
            part("PlugIns/Widget.appex", "Production", production)
                .merging(part("Watch/Watch.app", "Production", production)) { $1 }
                .merging(part("AppClips/Clip.app", "Production", production)) { $1 }),
        Self(
            "an app and a widget with environments of their names, on the same host",
            part("PlugIns/Widget.appex", nil, path("widget"), "Part").merging([
                "Info.plist": BuiltFixture.info("Acme", nil), "Environments/Acme-Env.json": path("v1"),
                productionFile: nil, stagingFile: nil, "PlugIns/Widget.appex/Environments/Acme-Env.json": path("v1"),
            ]) { $1 }
        ).with { $0.selected = nil },
        Self(
            "a widget whose environment has another name and the same servers",
            part("PlugIns/Widget.appex", "Widgets", production, "Widgets")
        ).with { $0.selected = nil },
        Self(
            "two apps of one code base with hosts of their own",
            files: BuiltFixture.app(in: "Payload/Acme.app").merging(
                BuiltFixture.app(
                    [
                        "Info.plist": BuiltFixture.info("Best"), stagingFile: nil,
                        productionFile: #"{ "baseURL": "https://api.best.app" }"#,
                    ], in: "Payload/Best.app")
            ) { $1 }, path: "Payload"),
        Self(
            "a framework with an environment of its own, for another service",
            part("Frameworks/Pay.framework", nil, #"{ "baseURL": "https://pay.acme.app" }"#, "Pay")
                .merging(["Info.plist": BuiltFixture.info("Production", nil)]) { $1 }
        ).with { $0.selected = nil },
        Self(
            "the app has no environments, and its widget has",
            part("PlugIns/Widget.appex", "Production", production).merging([productionFile: nil, stagingFile: nil]) {
                $1
            }
        ).reports("Acme.app selection warning"),
        Self(
            "an executable with its resources, beside those of tests",
            files: [
                "bin/Production": program, "bin/App_Production.resources/\(productionFile)": production,
                "bin/App_Production.resources/\(stagingFile)": staging,
                "bin/App_AppTests.resources/Mocks/user.json": "{}",
                "bin/App_Demo.resources/Environments/Demo-Env.json": demo,
            ], path: "bin/Production"),
        Self(
            "an app with tests and debug symbols beside it",
            files: BuiltFixture.app(in: "Release/Acme.app").merging([
                "Release/Acme.app.dSYM/Contents/Info.plist": "<key>a</key><true/>",
                "Release/AppTests.xctest/Info.plist": BuiltFixture.info("AppTests", "Staging"),
            ]) { $1 }, path: "Release"),
        Self("a bundle of resources", files: ["M.resources/\(productionFile)": production], path: "M.resources"),
        Self(
            "variants of an environment that inherit its server",
            [
                "Info.plist": BuiltFixture.info("Acme", "AcmeBeta"), productionFile: nil,
                "Environments/Acme-Env.json": production,
                "Environments/AcmeBeta-Env.json": #"{ "description": "Beta", "$extends": "Acme" }"#,
                "Environments/StagingEU-Env.json": #"{ "description": "EU", "$extends": "Staging" }"#,
            ]
        ).with { $0.selected = "AcmeBeta" },
        production(
            "one host with a path for each environment",
            #"{ "description": "P", "baseURL": "https://api.acme.app/v1" }"#,
            staging: #"{ "description": "S", "baseURL": "https://api.acme.app/next" }"#),
        production(
            "a server for logins that two environments share",
            #"{ "baseURL": "https://api.acme.app", "authBaseURL": "https://auth.acme.app" }"#,
            staging: #"{ "baseURL": "https://staging.acme.app", "authBaseURL": "https://auth.acme.app" }"#),
        production(
            "a shared server, and an environment whose name is in every host",
            #"{ "baseURL": "https://api.acme.app", "authBaseURL": "https://auth.acme.app" }"#, staging: nil
        ).with {
            $0.files["Acme.app/Environments/Acme-Env.json"] =
                #"{ "baseURL": "https://b.acme.app", "authBaseURL": "https://auth.acme.app" }"#
        },
        Self(
            "a host without encryption that Info.plist allows, and a link to a page",
            [
                "Info.plist": BuiltFixture.info("Acme", "Production", "<key>NSAppTransportSecurity</key><dict/>"),
                productionFile: #"{ "baseURL": "http://api.acme.app", "help": "http://localhost/help" }"#,
                stagingFile: nil,
            ]
        ).reports("\(inProduction) insecure warning", "\(inProduction) unreachable warning"),
        demo(
            "a demo with made-up tokens",
            ["Mocks/user.mock.json": #"{ "headers": { "Authorization": "Bearer made-up" } }"#]),
        secret(
            "an optional secret, and links to the app's other pages", ["a.html": "https://acme.app mailto:a@acme.app"]),
        production(
            "a secret that the app's code gives",
            #"{ "$secrets": ["key"], "$provided": ["key"], "key": null, "baseURL": "https://api.acme.app" }"#,
            staging: nil),
        Self("a build for testers, who switch servers", ["Environments/Base-Env.json": #"{ "$switchable": true }"#])
            .with { $0.options.allowsSwitching = true },
        Self(
            "what is named like secrets and mocks",
            [
                "Beauty-SecretsView.plist": "", "secrets.json": "{}", "Trade-Secrets.png": "PNG", "Trade-Secrets": "",
                "mocks/phone.png": "PNG",
                "Kit.bundle/Info.plist": "<key>CFBundleName</key><string>Kit</string>",
            ]),
        Self(
            "a source with more environments, in another order",
            beside: source(#"{ "baseURL": "https://api.acme.app", "description": "Production" }"#)
                .merging(["Project/Environments/Testing-Env.json": #"{ "$network": "sealed" }"#]) { $1 }
        ),
    ]
}
