import Foundation
import TestSupport
import Testing

@testable import FingerpostTooling

/// Builds of every shape in which nothing is wrong, so that no error is false.
@Suite(.inTurn) struct GoodBuildTests {
    struct Build: CustomTestStringConvertible, Sendable {
        let name: String
        let files: [String: String]
        var path = "Acme.app"
        var environment: String?
        var allowsMocks = false
        var allowsSwitching = false
        /// The environment that the report names; nil if none is selected.
        var selected: String? = "Production"
        /// The links in the app, with their targets.
        var links: [String: String] = [:]
        /// A part of each warning. A build without them has no findings.
        var warnings: [String] = []

        var testDescription: String { name }
    }

    private static let production = BuiltFixture.production
    private static let program = BuiltFixture.program
    private static let info = BuiltFixture.info("Acme")
    private static let demo =
        #"{ "description": "Demo", "$network": "sealed", "baseURL": "https://demo.invalid" }"#

    private static func list(_ url: String, _ more: String = "") -> String {
        EnvironmentFixture.propertyList("<key>baseURL</key><string>\(url)</string>\(more)")
    }

    static let builds: [Build] = [
        Build(name: "a flat app", files: BuiltFixture.app()),
        Build(name: "an expected environment", files: BuiltFixture.app(), environment: "Production"),
        Build(
            name: "a Mac app",
            files: [
                "Acme.app/Contents/Info.plist": info, "Acme.app/Contents/MacOS/Acme": program,
                "Acme.app/Contents/Resources/Environments/Production-Env.json": production,
            ]),
        Build(
            name: "a Mac app with a variable for the Finder",
            files: [
                "Acme.app/Contents/Info.plist": BuiltFixture.info(
                    "Acme", nil,
                    "<key>LSEnvironment</key><dict><key>APP_ENVIRONMENT</key><string>Production</string></dict>"),
                "Acme.app/Contents/MacOS/Acme": program,
                "Acme.app/Contents/Resources/Environments/Production-Env.json": production,
                "Acme.app/Contents/Resources/Environments/Staging-Env.json": BuiltFixture.staging,
            ]),
        Build(
            name: "an archive",
            files: BuiltFixture.app(in: "Acme.xcarchive/Products/Applications/Acme.app").merging([
                "Acme.xcarchive/dSYMs/Acme.app.dSYM/Contents/Info.plist": "<key>a</key><true/>",
                "Acme.xcarchive/Info.plist": "<key>Name</key><string>Acme</string>",
            ]) { $1 }, path: "Acme.xcarchive"),
        Build(
            name: "the folder of an unzipped .ipa", files: BuiltFixture.app(in: "Payload/Acme.app"), path: "Payload"),
        Build(
            name: "an extension",
            files: [
                "Widget.appex/Info.plist": BuiltFixture.info("Widget"), "Widget.appex/Widget": program,
                "Widget.appex/Environments/Production-Env.json": production,
            ], path: "Widget.appex"),
        Build(
            name: "a framework",
            files: [
                "Model.framework/Info.plist": BuiltFixture.info("Model", nil), "Model.framework/Model": program,
                "Model.framework/Environments/Production-Env.json": production,
                "Model.framework/Environments/Staging-Env.json": BuiltFixture.staging,
            ], path: "Model.framework", selected: nil),
        Build(
            name: "a framework with a name for its environment",
            files: [
                "Model.framework/Resources/Info.plist": BuiltFixture.info("Model", nil),
                "Model.framework/Model": program,
                "Model.framework/Resources/Environments/Production-Env.json": production,
                "Model.framework/Resources/Environments/Staging-Env.json": BuiltFixture.staging,
            ], path: "Model.framework", environment: "Staging", selected: "Staging"),
        Build(
            name: "an app whose framework has the environments",
            files: [
                "Acme.app/Info.plist": info, "Acme.app/Acme": program,
                "Acme.app/Frameworks/Model.framework/Info.plist": BuiltFixture.info("Model", nil),
                "Acme.app/Frameworks/Model.framework/Environments/Production-Env.json": production,
                "Acme.app/PlugIns/Widget.appex/Info.plist": BuiltFixture.info("Widget"),
                "Acme.app/PlugIns/Widget.appex/Widget": program,
            ]),
        Build(
            name: "an app with the resource bundle of a package",
            files: [
                "Acme.app/Info.plist": info, "Acme.app/Acme": program,
                "Acme.app/Acme_Model.bundle/Info.plist": "<key>a</key><true/>",
                "Acme.app/Acme_Model.bundle/Environments/Production-Env.json": production,
            ]),
        Build(
            name: "an app whose files Xcode copied to the top level",
            files: [
                "Acme.app/Info.plist": info, "Acme.app/Acme": program, "Acme.app/words.json": "[]",
                "Acme.app/Production-Env.json": production, "Acme.app/Staging-Env.json": BuiltFixture.staging,
            ]),
        Build(
            name: "an app with a widget, a watch app and an App Clip",
            files: BuiltFixture.app().merging(
                Dictionary(
                    uniqueKeysWithValues: [
                        "PlugIns/Widget.appex", "Watch/Watch.app", "AppClips/Clip.app",
                        "Watch/Watch.app/PlugIns/W.appex",
                    ].flatMap { path in
                        BuiltFixture.app(in: "Acme.app/\(path)").map { ($0.key, $0.value) }
                    })
            ) { $1 }),
        Build(
            name: "an executable with its resources",
            files: [
                "bin/Production": program, "bin/App_Production.resources/Environments/Production-Env.json": production,
                "bin/App_Production.resources/Environments/Staging-Env.json": BuiltFixture.staging,
                "bin/App_AppTests.resources/Mocks/user.json": "{}",
            ], path: "bin/Production"),
        Build(
            name: "the folder of a package's products",
            files: [
                "release/Production": program, "release/other": program, "release/Production.build/a.o": "",
                "release/App_Production.bundle/Environments/Production-Env.json": production,
                "release/App_Production.bundle/Environments/Staging-Env.json": BuiltFixture.staging,
            ], path: "release"),
        Build(
            name: "a program with its folder beside it",
            files: ["srv/server": program, "srv/Environments/Production-Env.json": production], path: "srv/server"),
        Build(
            name: "a bundle of resources",
            files: ["App_Model.resources/Environments/Production-Env.json": production],
            path: "App_Model.resources"),
        Build(
            name: "property lists, layers and a server of their own for each environment",
            files: BuiltFixture.app([
                "Environments/Base-Env.plist": EnvironmentFixture.propertyList(
                    "<key>authBaseURL</key><string>https://auth.acme.app</string>"),
                "Environments/Production-Env.json": nil, "Environments/Staging-Env.json": nil,
                "Environments/Production-Env.plist": list(
                    "https://api.acme.app", "<key>description</key><string>P</string>"),
                "Environments/Staging-Env.plist": list(
                    "https://staging.acme.app", "<key>description</key><string>S</string>"),
                "Environments/Beta-Env.json": #"{ "description": "Beta", "$extends": "Production" }"#,
            ])),
        Build(
            name: "an environment that extends the one for users",
            files: BuiltFixture.app([
                "Info.plist": BuiltFixture.info("Acme", "Beta"),
                "Environments/Beta-Env.json": #"{ "description": "Beta", "$extends": "Production" }"#,
            ]), selected: "Beta"),
        Build(
            name: "one host with a path for each environment",
            files: BuiltFixture.app([
                "Environments/Production-Env.json": #"{ "description": "P", "baseURL": "https://api.acme.app/v1" }"#,
                "Environments/Staging-Env.json": #"{ "description": "S", "baseURL": "https://api.acme.app/next" }"#,
            ])),
        Build(
            name: "a host without encryption that Info.plist allows",
            files: BuiltFixture.app([
                "Info.plist": BuiltFixture.info(
                    "Acme", "Production",
                    """
                    <key>NSAppTransportSecurity</key><dict><key>NSExceptionDomains</key><dict>
                    <key>acme.app</key><dict><key>NSIncludesSubdomains</key><true/>
                    <key>NSExceptionAllowsInsecureHTTPLoads</key><true/></dict></dict></dict>
                    """),
                "Environments/Production-Env.json": #"{ "description": "P", "baseURL": "http://api.acme.app" }"#,
            ])),
        Build(
            name: "a demo",
            files: BuiltFixture.app([
                "Info.plist": BuiltFixture.info("Acme", "Demo"), "Environments/Demo-Env.json": demo,
                "Mocks/user.json": "{}", "Mocks/user.mock.json": #"{ "delay": 1 }"#,
            ]), allowsMocks: true, selected: "Demo"),
        Build(
            name: "an optional secret, and links to the app's other pages",
            files: BuiltFixture.app([
                "Environments/Production-Env.json": """
                { "$secrets": ["key"], "$optional": ["key"], "key": null, "baseURL": "https://api.acme.app",
                  "help": "https://acme.app/help", "mail": "mailto:help@acme.app" }
                """,
                "Environments/Staging-Env.json": nil,
            ])),
        Build(
            name: "a secret that the app's code gives",
            files: BuiltFixture.app([
                "Environments/Production-Env.json": """
                { "$secrets": ["key"], "$provided": ["key"], "key": null, "baseURL": "https://api.acme.app" }
                """,
                "Environments/Staging-Env.json": nil,
            ])),
        Build(
            name: "a build for testers, who switch servers",
            files: BuiltFixture.app([
                "Environments/Production-Env.json":
                    #"{ "description": "P", "$switchable": true, "baseURL": "https://api.acme.app" }"#
            ]), allowsSwitching: true),
        Build(
            name: "an app that does not switch",
            files: BuiltFixture.app([
                "Environments/Production-Env.json":
                    #"{ "description": "P", "$switchable": false, "baseURL": "https://api.acme.app" }"#
            ])),
    ]

    // MARK: Shared servers

    /// Two environments that share what is not in `baseURL`.
    private static func sharing(_ more: String) -> [String: String] {
        BuiltFixture.app([
            "Environments/Production-Env.json": #"{ "baseURL": "https://api.acme.app", \#(more) }"#,
            "Environments/Staging-Env.json": #"{ "baseURL": "https://staging.acme.app", \#(more) }"#,
        ])
    }

    static let sharing: [Build] = [
        Build(
            name: "a server for logins that two environments share",
            files: sharing(#""authBaseURL": "https://auth.acme.app""#),
            warnings: [#"Production calls the server of Staging: "authBaseURL" is https://auth.acme.app"#]),
        Build(
            name: "two servers that two environments share, in a dictionary",
            files: sharing(
                #""services": { "mapsBaseURL": "https://maps.acme.org", "mail": { "baseURL": "https://m.acme.org" } }"#
            ),
            warnings: [
                #"Production calls the server of Staging: "services.mapsBaseURL" is "#,
                #"Production calls the server of Staging: "services.mail.baseURL" is "#,
            ]),
        Build(
            name: "a shared server beside servers under names of their own",
            files: BuiltFixture.app([
                "Environments/Production-Env.json":
                    #"{ "apiBaseURL": "https://api.acme.app", "authBaseURL": "https://auth.acme.app" }"#,
                "Environments/Staging-Env.json":
                    #"{ "apiBaseURL": "https://staging.acme.app", "authBaseURL": "https://auth.acme.app" }"#,
            ]),
            warnings: [#"Production calls the server of Staging: "authBaseURL" is https://auth.acme.app"#]),
        Build(
            name: "a shared server, and an environment whose name is in every host",
            files: BuiltFixture.app([
                "Info.plist": BuiltFixture.info("Acme", "Staging"), "Environments/Production-Env.json": nil,
                "Environments/Acme-Env.json":
                    #"{ "baseURL": "https://api.acme.app", "authBaseURL": "https://auth.acme.app" }"#,
                "Environments/Staging-Env.json":
                    #"{ "baseURL": "https://staging.acme.app", "authBaseURL": "https://auth.acme.app" }"#,
            ]), selected: "Staging",
            warnings: [#"Staging calls the server of Acme: "authBaseURL" is https://auth.acme.app"#]),
        Build(
            name: "a shared server in the layer that all environments inherit",
            files: BuiltFixture.app(["Environments/Base-Env.json": #"{ "authBaseURL": "https://auth.acme.app" }"#])),
        Build(
            name: "services of one host under other keys in each environment",
            files: BuiltFixture.app([
                "Environments/Production-Env.json":
                    #"{ "baseURL": "https://api.acme.app", "authBaseURL": "https://cloud.acme.org" }"#,
                "Environments/Staging-Env.json":
                    #"{ "baseURL": "https://staging.acme.app", "mailBaseURL": "https://cloud.acme.org" }"#,
                "Environments/Base-Env.json":
                    #"{ "$optional": ["authBaseURL", "mailBaseURL"] }"#,
            ])),
        Build(
            name: "another port of the same machine",
            files: BuiltFixture.app([
                "Environments/Staging-Env.json": #"{ "description": "S", "baseURL": "https://api.acme.app:8443" }"#
            ])),
    ]

    // MARK: What looks like a fault

    static let lookalikes: [Build] = [
        Build(
            name: "an app with tests and debug symbols beside it",
            files: BuiltFixture.app(in: "Release/Acme.app").merging([
                "Release/Acme.app.dSYM/Contents/Info.plist": "<key>a</key><true/>",
                "Release/AppTests.xctest/Info.plist": BuiltFixture.info("AppTests", "Staging"),
                "Release/AppTests.xctest/AppTests": program,
            ]) { $1 }, path: "Release"),
        Build(
            name: "bundles of resources and of code, plug-ins and storyboards that select nothing",
            files: BuiltFixture.app([
                "Kit.bundle/Info.plist": "<key>CFBundleName</key><string>Kit</string>",
                "Kit.bundle/Base.lproj/Main.storyboardc/Info.plist": "<key>UIViewControllerIdentifiers</key><dict/>",
                "PlugIns/Glue.bundle/Contents/Info.plist": BuiltFixture.info("Glue", nil),
                "PlugIns/Glue.bundle/Contents/MacOS/Glue": program,
                "PlugIns/Look.qlgenerator/Contents/Info.plist": BuiltFixture.info("Look", nil),
                "Theme.theme/Info.plist": "not a property list",
                "Frameworks/Model.framework/Info.plist": BuiltFixture.info("Model", nil),
                "Frameworks/Model.framework/Environments/Production-Env.json": production,
                "Library/SystemExtensions/Filter.systemextension/Contents/Info.plist": BuiltFixture.info("F", nil),
            ])),
        Build(
            name: "a plug-in for which the app around it selects",
            files: BuiltFixture.app([
                "PlugIns/Look.plugin/Contents/Info.plist": BuiltFixture.info("Look", nil),
                "PlugIns/Look.plugin/Contents/MacOS/Look": program,
                "PlugIns/Look.plugin/Contents/Resources/Environments/Production-Env.json": production,
                "PlugIns/Look.plugin/Contents/Resources/Environments/Staging-Env.json": BuiltFixture.staging,
            ])),
        Build(
            name: "a system extension with the environment of its app",
            files: BuiltFixture.app([
                "Library/SystemExtensions/F.systemextension/Contents/Info.plist": BuiltFixture.info("F"),
                "Library/SystemExtensions/F.systemextension/Contents/MacOS/F": program,
                "Library/SystemExtensions/F.systemextension/Contents/Resources/Environments/Production-Env.json":
                    production,
            ])),
        Build(
            name: "keys for devices that select no environment",
            files: BuiltFixture.app([
                "Info.plist": BuiltFixture.info(
                    "Acme", "Production",
                    "<key>UISupportedInterfaceOrientations~ipad</key><array/><key>APIEnvironments</key><true/>")
            ])),
        Build(
            name: "asset packs",
            files: BuiltFixture.app(in: "A.xcarchive/Products/Applications/Acme.app").merging([
                "A.xcarchive/Products/Applications/OnDemandResources/a.level1.assetpack/Info.plist":
                    "<key>CFBundleIdentifier</key><string>a.level1</string>",
                "A.xcarchive/Products/Applications/OnDemandResources/a.level1.assetpack/level.json": "{}",
            ]) { $1 }, path: "A.xcarchive"),
        Build(
            name: "a folder of pictures that is named like mocks",
            files: BuiltFixture.app(["mocks/phone.png": "PNG", "mocks/tablet.svg": "<svg/>"])),
        Build(
            name: "a link to a folder of the app", files: BuiltFixture.app(["Data/user.json": "{}"]),
            links: ["Current": "Data"]),
        Build(
            name: "files about secrets",
            files: BuiltFixture.app([
                "Family-Secrets of a Dynasty.json": "{}", "secrets.json": "{}", "Top Secrets.plist": "",
                "Beauty-SecretsView.plist": "", "Chef-Secretsauce 2.json": "{}", "Trade-Secrets.png": "PNG",
            ])),
        Build(
            name: "an archive of an installer, with a tool, links to it and other files",
            files: BuiltFixture.app(in: "Acme.xcarchive/Products/Applications/Acme.app").merging([
                "Acme.xcarchive/Products/usr/local/bin/acme": program,
                "Acme.xcarchive/Products/usr/local/bin/acme-update": "#!/bin/sh",
                "Acme.xcarchive/Products/Library/LaunchDaemons/app.acme.plist": "<key>Label</key><string>acme</string>",
            ]) { $1 }, path: "Acme.xcarchive",
            links: [
                "Products/usr/local/bin/acme-tool": "/Applications/Acme.app/Contents/MacOS/Acme",
                "Products/usr/local/bin/a": "acme",
            ]),
        Build(
            name: "a demo with made-up tokens, and its own files beside the mocks",
            files: BuiltFixture.app([
                "Info.plist": BuiltFixture.info("Acme", "Demo"), "Environments/Demo-Env.json": demo,
                "Mocks/login.json": #"{ "token": "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" }"#,
                "Mocks/login.mock.json": #"{ "headers": { "Authorization": "Bearer made-up" } }"#,
                "Mocks/_scenarios.json": #"{ "locked out": { "login": { "status": 423 } } }"#,
                "services.json": #"{ "maps": "AIzaSyA1B2C3D4E5F6G7H8I9J0K1L2M3N4O5P6Q" }"#,
            ]), allowsMocks: true, selected: "Demo"),
        Build(
            name: "a demo whose mocks Xcode copied to the top level",
            files: BuiltFixture.app([
                "Info.plist": BuiltFixture.info("Acme", "Demo"), "Environments/Demo-Env.json": demo,
                "user.json": "{}", "user.mock.json": #"{ "delay": 1 }"#, "_scenarios.json": "{}",
            ]), allowsMocks: true, selected: "Demo"),
        Build(
            name: "an app for a company's own network",
            files: BuiltFixture.app([
                "Environments/Production-Env.json": #"{ "description": "P", "baseURL": "https://api.acme.corp" }"#
            ]),
            warnings: ["which users probably cannot reach: the host is a name that is used in local networks alone"]),
        Build(
            name: "an app that calls the tunnel of a developer",
            files: BuiltFixture.app([
                "Environments/Production-Env.json": #"{ "description": "P", "baseURL": "https://a1b2.ngrok-free.app" }"#
            ]),
            warnings: ["which users probably cannot reach: the host is the name of a tunnel to a developer's machine"]),
    ]

    @Test(arguments: builds + sharing + lookalikes)
    func `A good build has no errors`(build: Build) throws {
        var fixture = try BuiltFixture(build.files)
        for (link, target) in build.links {
            try FileManager.default.createSymbolicLink(
                atPath: fixture.folder["\(build.path)/\(link)"].path, withDestinationPath: target)
        }
        fixture.options.environment = build.environment
        fixture.options.allowsMocks = build.allowsMocks
        fixture.options.allowsSwitching = build.allowsSwitching
        let text = try fixture.text(build.path)
        let problems = try fixture.problems(build.path)
        #expect(problems.count == build.warnings.count, "\(text.joined(separator: "\n"))")
        for warning in build.warnings {
            #expect(problems.contains { $0.contains(": warning: ") && $0.contains(warning) }, "\(problems)")
        }
        #expect(try fixture.report(build.path).status == 0)
        let shown = text.filter { $0.hasPrefix("  environment ") }
        if let selected = build.selected {
            #expect(!shown.isEmpty && shown.allSatisfy { $0.contains(" \(selected), because ") }, "\(text)")
        } else {
            #expect(shown.isEmpty)
        }
    }

    @Test func `A good build is equal to its source in another format`() throws {
        var fixture = try BuiltFixture(
            BuiltFixture.app([
                "Environments/Staging-Env.json": nil,
                "Environments/Base-Env.json": #"{ "tags": ["a", "b"], "rate": 0.5, "on": true }"#,
            ]).merging([
                "Project/Environments/Production-Env.plist": Self.list(
                    "https://api.acme.app", "<key>description</key><string>Production</string>"),
                "Project/Environments/Base-Env.json": #"{ "on": true, "rate": 0.5, "tags": ["a", "b"] }"#,
                "Project/Environments/Testing-Env.json": #"{ "$network": "sealed" }"#,
                "Project/Mocks/user.json": "{}",
            ]) { $1 })
        // A build also changes property lists to the binary format.
        let built = try PropertyListSerialization.data(
            fromPropertyList: ["description": "Production", "baseURL": "https://api.acme.app"], format: .binary,
            options: 0)
        try FileManager.default.removeItem(at: fixture.folder["Acme.app/Environments/Production-Env.json"])
        try fixture.folder.write(built, to: "Acme.app/Environments/Production-Env.plist")
        let info = try PropertyListSerialization.data(
            fromPropertyList: ["CFBundleExecutable": "Acme", "APIEnvironment": "Production"], format: .binary,
            options: 0)
        try fixture.folder.write(info, to: "Acme.app/Info.plist")
        fixture.options.source = "Project"
        #expect(try fixture.problems().isEmpty)
        #expect(try fixture.text().contains("Note: Left out of the build, and not needed by it: Testing."))
        fixture.options.source = "Project/Environments"
        #expect(try fixture.problems().isEmpty)
    }

    @Test func `A framework for macOS, whose links stay inside it, has no findings`() throws {
        let versions = "Acme.app/Contents/Frameworks/Model.framework/Versions"
        var fixture = try BuiltFixture([
            "Acme.app/Contents/Info.plist": Self.info, "Acme.app/Contents/MacOS/Acme": Self.program,
            "\(versions)/A/Resources/Info.plist": BuiltFixture.info("Model", nil), "\(versions)/A/Model": Self.program,
            "\(versions)/A/Resources/Environments/Production-Env.json": Self.production,
            "Project/Environments/Production-Env.json": Self.production,
        ])
        let framework = fixture.folder["\(versions)/.."].standardizedFileURL.path
        for (link, target) in [
            ("Versions/Current", "A"), ("Resources", "Versions/Current/Resources"), ("Model", "Versions/Current/Model"),
        ] {
            try FileManager.default.createSymbolicLink(atPath: "\(framework)/\(link)", withDestinationPath: target)
        }
        fixture.options.source = "Project"
        #expect(try fixture.problems().isEmpty)
        #expect(try fixture.text().contains { $0.hasPrefix("  environment   Production, because") })
    }
}
