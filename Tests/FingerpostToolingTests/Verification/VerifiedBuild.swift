import TestSupport

@testable import FingerpostTooling

/// A build made by hand, and what `verify` says about it.
struct VerifiedBuild: CustomTestStringConvertible, Sendable {
    let name: String
    var files: [String: String] = [:]
    let path: String
    /// The links, with their targets.
    var links: [String: String] = [:]
    var options = VerifyOptions()
    /// The variables of the process that verifies.
    var variables: [String: String] = [:]
    /// The environment that the report names; nil if none is selected.
    var selected: String?
    /// The path, the kind and the severity of each finding.
    let findings: [String]

    var testDescription: String { name }

    /// Builds that are written as text: see ``WrittenCase``.
    ///
    /// Each is a good app for iOS with changes, and paths are inside it: see ``BuiltFixture/app(_:in:)``. `-` removes a
    /// file. A folder `Project` is beside the app and is its source. If a build has a `path`, all its paths are whole,
    /// and it has a good app only at `app`. The environment Production is `selected`, unless a build says otherwise.
    /// `production` and `staging` are the files of these environments, and `APIEnvironment` is the value in Info.plist.
    ///
    /// - Parameter words: what each build says, unless it says otherwise.
    static func table(_ text: String, _ words: [String: String] = [:]) -> [Self] {
        WrittenCase.table(text).map { Self($0, words.merging($0.variables.merging($0.files) { $1 }) { $1 }) }
    }

    private init(_ row: WrittenCase, _ words: [String: String]) {
        (name, path, findings) = (row.name, words["path"] ?? "Acme.app", row.expected)
        let isApp = words["path"] == nil
        let app = isApp ? "Acme.app" : words["app"]
        if let app { files = BuiltFixture.app(in: app) }
        selected = words["selected"] ?? "Production"
        for (word, text) in words {
            let value = text == "-" ? nil : text
            switch word {
            case "path", "app": break
            case "selected": selected = value
            case "production": files["Acme.app/Environments/Production-Env.json"] = value
            case "staging": files["Acme.app/Environments/Staging-Env.json"] = value
            case "APIEnvironment": files["Acme.app/Info.plist"] = BuiltFixture.info("Acme", value)
            case "--environment": options.environment = text
            case "--allow-mocks": options.allowsMocks = true
            case "--allow-switching": options.allowsSwitching = true
            case _ where word.hasPrefix("ENV__"): variables[word] = text
            default:
                let isSource = word.hasPrefix("Project/")
                if isSource { options.source = "Project" }
                files[isApp && !isSource ? "Acme.app/\(word)" : word] = value
            }
        }
        for (link, target) in row.links { links[isApp ? "Acme.app/\(link)" : link] = target }
    }
}

extension VerifiedBuild {
    // The texts of files in a table.
    static let production = BuiltFixture.production.replacing("\n", with: "↵")
    static let staging = BuiltFixture.staging.replacing("\n", with: "↵")
    static let program = BuiltFixture.program
    static let demo = #"{ "description": "Demo", "$network": "sealed", "baseURL": "https://demo.invalid" }"#
    static let withKey =
        #"{ "$secrets": ["key"], "$optional": ["key"], "key": null, "baseURL": "https://api.acme.app" }"#

    static let token = "ghp_" + String(repeating: "a1B2c3", count: 6)
    static let secret = "k3y-0123456789-abcdef"

    /// A demo, which answers from mocks.
    static let ofDemo = [
        "APIEnvironment": "Demo", "selected": "Demo", "--allow-mocks": "", "Environments/Demo-Env.json": demo,
        "Mocks/user.json": "{}",
    ]
    /// An app that declares the secret `key`, whose value the process knows.
    static let ofSecret = ["production": withKey, "staging": "-", "ENV__KEY": secret]

    /// An environment on a host that all environments share.
    static func path(_ path: String) -> String { #"{ "baseURL": "https://api.acme.app/\#(path)" }"# }

    /// The lines of a bundle inside the app, with an environment of its own.
    static func part(_ path: String, _ environment: String?, _ text: String, _ name: String = "Production") -> String {
        """
        \(path)/Info.plist = \(BuiltFixture.info("Part", environment))
        \(path)/Part = \(program)
        \(path)/Environments/\(name)-Env.json = \(text)
        """
    }

    /// The lines of the folder with the source.
    static func source(_ production: String = production) -> String {
        """
        Project/Environments/Production-Env.json = \(production)
        Project/Environments/Staging-Env.json = \(staging)
        """
    }

    /// Builds without errors.
    static let good =
        table(
            #"""
            an app

            an expected environment
            --environment = Production

            an archive of an installer, with debug symbols, and links to the app
            path = A.xcarchive
            app = A.xcarchive/Products/Applications/Acme.app
            A.xcarchive/dSYMs/Acme.app.dSYM/Contents/Info.plist = <key>a</key><true/>
            A.xcarchive/Info.plist = <key>Name</key><string>Acme</string>
            A.xcarchive/Products/usr/local/bin/acme = \#(program)
            A.xcarchive/Products/usr/local/bin/tool = → /Applications/Acme.app/Contents/MacOS/Acme

            an unzipped .ipa
            path = Payload
            app = Payload/Acme.app

            an extension
            path = Widget.appex
            Widget.appex/Info.plist = \#(BuiltFixture.info("Widget"))
            Widget.appex/Widget = \#(program)
            Widget.appex/Environments/Production-Env.json = \#(production)

            a framework, for which the app selects
            path = Model.framework
            Model.framework/Info.plist = \#(BuiltFixture.info("Model", nil))
            Model.framework/Model = \#(program)
            Model.framework/Environments/Production-Env.json = \#(production)
            Model.framework/Environments/Staging-Env.json = \#(staging)
            selected = -

            a framework for macOS, with links inside it, whose environment is named
            path = Model.framework
            Model.framework/Versions/A/Resources/Info.plist = \#(BuiltFixture.info("Model", nil))
            Model.framework/Versions/A/Resources/Environments/Production-Env.json = \#(production)
            Model.framework/Versions/A/Resources/Environments/Staging-Env.json = \#(staging)
            Model.framework/Versions/Current = → A
            Model.framework/Resources = → Versions/Current/Resources
            --environment, selected = Staging

            an app whose files Xcode copied to the top level
            production, staging = -
            words.json = []
            Production-Env.json = \#(production)
            Staging-Env.json = \#(staging)

            an app with a widget, a watch app and an App Clip
            \#(part("PlugIns/Widget.appex", "Production", production))
            \#(part("Watch/Watch.app", "Production", production))
            \#(part("AppClips/Clip.app", "Production", production))

            an app and a widget with environments of their names, on the same host
            \#(part("PlugIns/Widget.appex", nil, path("widget"), "Part"))
            APIEnvironment, production, staging, selected = -
            Environments/Acme-Env.json, PlugIns/Widget.appex/Environments/Acme-Env.json = \#(path("v1"))

            a widget whose environment has another name and the same servers
            \#(part("PlugIns/Widget.appex", "Widgets", production, "Widgets"))
            selected = -

            two apps of one code base with hosts of their own
            path = Payload
            app = Payload/Acme.app
            Payload/Best.app/Info.plist = \#(BuiltFixture.info("Best"))
            Payload/Best.app/Acme = \#(program)
            Payload/Best.app/Environments/Production-Env.json = { "baseURL": "https://api.best.app" }

            a framework with an environment of its own, for another service
            \#(part("Frameworks/Pay.framework", nil, #"{ "baseURL": "https://pay.acme.app" }"#, "Pay"))
            Info.plist = \#(BuiltFixture.info("Production", nil))
            selected = -

            the app has no environments, and its widget has
            \#(part("PlugIns/Widget.appex", "Production", production))
            production, staging = -
            Acme.app selection warning

            an executable with its resources, beside those of tests
            path = bin/Production
            bin/Production = \#(program)
            bin/App_Production.resources/Environments/Production-Env.json = \#(production)
            bin/App_Production.resources/Environments/Staging-Env.json = \#(staging)
            bin/App_AppTests.resources/Mocks/user.json = {}
            bin/App_Demo.resources/Environments/Demo-Env.json = \#(demo)

            an app with tests and debug symbols beside it
            path = Release
            app = Release/Acme.app
            Release/Acme.app.dSYM/Contents/Info.plist = <key>a</key><true/>
            Release/AppTests.xctest/Info.plist = \#(BuiltFixture.info("AppTests", "Staging"))

            a bundle of resources
            path = M.resources
            M.resources/Environments/Production-Env.json = \#(production)

            variants of an environment that inherit its server
            APIEnvironment, selected = AcmeBeta
            production = -
            Environments/Acme-Env.json = \#(production)
            Environments/AcmeBeta-Env.json = { "description": "Beta", "$extends": "Acme" }
            Environments/StagingEU-Env.json = { "description": "EU", "$extends": "Staging" }

            one host with a path for each environment
            production = { "description": "P", "baseURL": "https://api.acme.app/v1" }
            staging = { "description": "S", "baseURL": "https://api.acme.app/next" }

            a server for logins that two environments share
            production = { "baseURL": "https://api.acme.app", "authBaseURL": "https://auth.acme.app" }
            staging = { "baseURL": "https://staging.acme.app", "authBaseURL": "https://auth.acme.app" }

            a shared server, and an environment whose name is in every host
            production = { "baseURL": "https://api.acme.app", "authBaseURL": "https://auth.acme.app" }
            staging = -
            Environments/Acme-Env.json = { "baseURL": "https://b.acme.app", "authBaseURL": "https://auth.acme.app" }

            a host without encryption that Info.plist allows, and a link to a page
            Info.plist = \#(BuiltFixture.info("Acme", "Production", "<key>NSAppTransportSecurity</key><dict/>"))
            production = { "baseURL": "http://api.acme.app", "help": "http://localhost/help" }
            staging = -
            Acme.app/Environments/Production-Env.json insecure warning
            Acme.app/Environments/Production-Env.json unreachable warning

            a secret that the app's code gives
            production = { "$secrets": ["key"], "$provided": ["key"], "key": null, "baseURL": "https://api.acme.app" }
            staging = -

            a build for testers, who switch servers
            Environments/Base-Env.json = { "$switchable": true }
            --allow-switching =

            what is named like secrets and mocks
            Beauty-SecretsView.plist, Trade-Secrets =
            secrets.json = {}
            Trade-Secrets.png, mocks/phone.png = PNG
            Kit.bundle/Info.plist = <key>CFBundleName</key><string>Kit</string>

            a source with more environments, in another order
            \#(source(#"{ "baseURL": "https://api.acme.app", "description": "Production" }"#))
            Project/Environments/Testing-Env.json = { "$network": "sealed" }
            """#)
        + table(
            #"""
            a demo with made-up tokens
            Mocks/user.mock.json = { "headers": { "Authorization": "Bearer made-up" } }
            """#, ofDemo)
        + table(
            #"""
            an optional secret, and links to the app's other pages
            a.html = https://acme.app mailto:a@acme.app
            """#, ofSecret)
}
