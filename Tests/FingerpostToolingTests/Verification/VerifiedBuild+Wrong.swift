@testable import FingerpostTooling

extension VerifiedBuild {
    /// Builds that are stopped.
    static let wrong = environments + servers + parts + secrets + mocks + differences

    private static let environments = table(
        #"""
        the release was built in the configuration for testers
        APIEnvironment, selected = Staging
        --environment = Production
        Acme.app/Info.plist selection error

        the expected environment does not exist
        --environment = Prod
        Acme.app/Info.plist selection error

        the build setting with the environment's name had no value
        APIEnvironment =
        selected = -
        Acme.app/Info.plist selection error

        the build setting was not replaced
        APIEnvironment = $(API_ENVIRONMENT)
        selected = -
        Acme.app/Info.plist selection error

        the app has no environments, and its widget has
        \#(part("PlugIns/Widget.appex", "Production", production))
        production, staging = -
        --environment = Production
        Acme.app selection error

        a resource bundle lacks the expected environment
        Kit.bundle/Environments/Staging-Env.json = \#(staging)
        --environment = Production
        Acme.app/Kit.bundle/Environments selection error

        the environment is a boolean
        Info.plist = \#(BuiltFixture.info("Acme", nil, "<key>APIEnvironment</key><true/>"))
        selected = -
        Acme.app/Info.plist selection error

        the environment's name has a typo
        APIEnvironment = Prodution
        selected = -
        Acme.app/Environments selection error

        no rule selects an environment
        APIEnvironment, selected = -
        Acme.app selection error

        the environments are missing
        production, staging, selected = -
        Acme.app selection error

        there is only what environments share
        production, staging, selected = -
        Environments/Base-Env.json = { "baseURL": "https://api.acme.app" }
        Acme.app selection error
        Acme.app/Environments environment warning

        the only environment is the one for tests
        APIEnvironment, production, staging = -
        Environments/Testing-Env.json = { "description": "Testing", "baseURL": "https://acme.invalid" }
        selected = Testing
        Acme.app/Environments/Testing-Env.json sealed error

        mocks answer what they can
        production = { "description": "P", "baseURL": "https://api.acme.app", "$network": "mocksThenLive" }
        Acme.app/Environments/Production-Env.json sealed error

        users can switch
        Environments/Base-Env.json = { "$switchable": true }
        Acme.app/Environments/Base-Env.json selection error

        there is no Info.plist
        Info.plist, staging = -
        Acme.app incomplete error

        the Info.plist is cut
        Info.plist = bplist00\#u{1}
        selected = -
        Acme.app/Info.plist unreadable error

        the file for production is cut
        production = { "baseURL":
        Acme.app/Environments/Production-Env.json environment error
        """#)

    /// URLs in production, and what is reported about them.
    private static let urls: [(String, String, String)] = [
        ("production calls the server for testers", "https://staging.acme.app/", "otherServer"),
        ("the default port is written", "https://staging.acme.app:443", "otherServer"),
        ("the host ends in a dot", "https://staging.acme.app.", "otherServer"),
        ("the host is in capitals", "HTTPS://STAGING.Acme.app", "otherServer"),
        ("the app calls the developer's machine", "http://localhost:8080", "unreachable"),
        ("the app has the sample's host", "https://api.example.com", "unreachable"),
        ("calls are not encrypted", "http://api.acme.app", "insecure"),
        ("the host of the build setting was not replaced", "https://$(API_HOST)/v1", "environment"),
    ]

    /// A file for production with the server of testers, which has not its name.
    private static let disguised = staging.replacing("Staging", with: "Production").replacing(
        "app\"", with: "app:443\"")

    private static let servers =
        urls.flatMap { name, url, kind in
            table(
                """
                \(name)
                production = { "description": "P", "baseURL": "\(url)" }
                Acme.app/Environments/Production-Env.json \(kind) error
                """)
        }
        + table(
            #"""
            the server for testers was inherited
            production = { "description": "P", "$extends": "Staging" }
            Acme.app/Environments/Staging-Env.json otherServer error

            the main server for testers, whose host does not say so, is called under another key
            production = { "baseURL": "https://api.acme.app", "payBaseURL": "https://gate.acme.org/v2/" }
            staging = { "baseURL": "https://gate.acme.org/v2", "payBaseURL": "https://pay.acme.org" }
            Acme.app/Environments/Production-Env.json otherServer error

            two services are those of testers, one of which only production has
            production = { "baseURL": "https://api.acme.app", "authBaseURL": "https://auth.staging.acme.app", "logBaseURL":
            ↵"https://log.staging.acme.app" }
            staging = { "baseURL": "https://staging.acme.app", "authBaseURL": "https://auth.staging.acme.app" }
            Acme.app/Environments/Production-Env.json otherServer error
            Acme.app/Environments/Staging-Env.json environment error

            the server for testers is called under another key
            production = { "baseURL": "https://api.acme.app", "payBaseURL": "https://staging.acme.app" }
            staging = { "baseURL": "https://staging.acme.app", "payBaseURL": "https://pay.acme.org" }
            Acme.app/Environments/Production-Env.json otherServer error

            all servers are those of testers
            production, staging = { "authBaseURL": "https://a.acme.app", "payBaseURL": "https://p.acme.app" }
            Acme.app/Environments/Production-Env.json otherServer error
            Acme.app/Environments/Production-Env.json otherServer error

            the server of an environment that only the source has
            production = \#(disguised)
            staging = -
            \#(source(disguised))
            Acme.app/Environments/Production-Env.json otherServer error
            """#)

    private static let otherServer = production.replacing("https://api.", with: "http://api2.")

    private static let parts = table(
        #"""
        the widget selects another environment
        \#(part("PlugIns/Widget.appex", "Staging", staging, "Staging"))
        selected = -
        Acme.app/PlugIns/Widget.appex disagreement error

        the widget selects another environment with other paths on the same host
        \#(part("PlugIns/Widget.appex", "Staging", path("staging"), "Staging"))
        production = \#(path("v1"))
        staging = \#(path("staging"))
        selected = -
        Acme.app/PlugIns/Widget.appex disagreement error

        the widget selects another environment with a server that the app does not call
        \#(part("PlugIns/Widget.appex", "Staging", #"{ "feedBaseURL": "https://f2.acme.app" }"#, "Staging"))
        PlugIns/Widget.appex/Environments/Production-Env.json = { "feedBaseURL": "https://f.acme.app" }
        selected = -
        Acme.app/PlugIns/Widget.appex disagreement error

        the watch app has another path under the same name
        \#(part("Watch/Watch.app", "Production", production.replacing("acme.app", with: "acme.app/v2")))
        Acme.app/Watch/Watch.app disagreement error

        the resource bundle of a framework has another server, without encryption
        Frameworks/Model.framework/Info.plist = \#(BuiltFixture.info("Model", nil))
        Frameworks/Model.framework/Kit.bundle/Environments/Production-Env.json = \#(otherServer)
        Acme.app/Frameworks/Model.framework/Kit.bundle disagreement error
        Acme.app/Frameworks/Model.framework/Kit.bundle/Environments/Production-Env.json insecure error

        the environment at the top level of a resource bundle is for this machine
        Kit.bundle/Production-Env.json = { "kitBaseURL": "http://localhost:8080" }
        Acme.app/Kit.bundle/Production-Env.json unreachable error

        the framework has another server under the same name
        \#(part("Frameworks/Model.framework", nil, production.replacing("api.", with: "api2.")))
        Acme.app/Frameworks/Model.framework disagreement error

        the widget shows test data
        \#(part("PlugIns/Widget.appex", "Demo", demo, "Demo"))
        selected = -
        Acme.app/PlugIns/Widget.appex disagreement error
        Acme.app/PlugIns/Widget.appex/Environments/Demo-Env.json sealed error

        the app in an archive calls another server
        path = A.xcarchive
        app = A.xcarchive/Products/Applications/Acme.app
        A.xcarchive/Products/Applications/Acme.app/Environments/Production-Env.json = \#(staging)
        A.xcarchive/Products/Applications/Acme.app/Environments/Production-Env.json otherServer error

        the resource bundle of the package has no encryption
        production, staging = -
        Acme_Model.bundle/Environments/Production-Env.json = \#(production.replacing("https", with: "http"))
        Acme.app/Acme_Model.bundle/Environments/Production-Env.json insecure error

        a program selects none of its environments
        path = bin/server
        bin/server = \#(program)
        bin/App_server.resources/Environments/Production-Env.json = \#(production)
        bin/App_server.resources/Environments/Staging-Env.json = \#(staging)
        selected = -
        bin/server selection error

        the archive was made from a debug build
        Acme = \#(program)\#u{0}_TtC4Acme17_FingerpostSource\#u{0}
        Acme.app/Acme sourcePath error
        """#)

    private static let secrets =
        table(
            #"""
            a key is empty in production
            production = { "baseURL": "https://api.acme.app", "analyticsKey": "" }
            staging = { "baseURL": "https://staging.acme.app", "analyticsKey": "UA-1" }
            Acme.app/Environments/Production-Env.json environment error

            a key is missing in production
            staging = { "description": "S", "baseURL": "https://staging.acme.app", "sampleRate": 0.5 }
            Acme.app/Environments/Production-Env.json environment error

            a key was on the developer's machine only
            production = { "$secrets": ["key"], "key": null, "baseURL": "https://api.acme.app" }
            staging = -
            Acme.app/Environments/Production-Env.json missingSecret error

            the secrets file of the source is cut
            \#(source())
            Project/Environments/Production-Secrets.json = { "key":
            Project/Environments/Production-Secrets.json unreadable error

            a secrets file of the source belongs to no environment
            \#(source())
            Project/Environments/Prod-Secrets.json = {}
            Project/Environments/Prod-Secrets.json unreadable error

            a secrets file of the source is not read
            \#(source())
            Project/Environments/Production-secrets.json = {}
            Project/Environments/Production-secrets.json unreadable error

            an environment of the source has two secrets files
            \#(source())
            Project/Environments/Production-Secrets.json = {}
            Project/Environments/Production-Secrets.plist = <key>key</key><string>k</string>
            Project/Environments unreadable error

            the key of the source's secrets file is in the app
            production, Project/Environments/Production-Env.json = \#(withKey)
            staging = -
            config.bin = \#u{0}\#(secret)
            Project/Environments/Base-Secrets.json = { "key": "\#(secret)" }
            Acme.app/config.bin secret error
            """#)
        + table(
            #"""
            the secrets file is in the app
            Environments/Production-Secrets.json = { "key": "\#(secret)" }
            Acme.app/Environments/Production-Secrets.json secretsFile error

            the key is a literal in the program
            Acme = \#(program)\#u{0} prefix\#(secret)\#u{0}
            Acme.app/Acme secret error

            the key is in Info.plist
            Info.plist = \#(BuiltFixture.info("Acme", "Production", "↵<key>MapsKey</key><string>\(secret)</string>"))
            Acme.app/Info.plist secret error
            """#, ofSecret)

    private static let mocks =
        table(
            #"""
            the app contains mocks
            Mocks/user.json, Mocks/login.json = {}
            Acme.app/Mocks mocks error

            mocks are behind a link
            Data/user.json = {}
            Mocks = → Data
            Acme.app/Mocks mocks error

            the settings of a mock are behind a link
            a.bin = {}
            login.mock.json = → a.bin
            Acme.app/login.mock.json mocks error

            mocks in lower case are beside a program
            path = bin/Production
            bin/Production = \#(program)
            bin/App_Production.resources/Environments/Production-Env.json = \#(production)
            bin/mocks/user.json = {}
            bin/mocks mocks error

            mocks are beside the app in an archive
            path = A.xcarchive
            app = A.xcarchive/Products/Applications/Acme.app
            A.xcarchive/Products/Library/Mocks/user.json = {}
            A.xcarchive/Products/Library/Mocks mocks error

            the settings of mocks are among the app's files
            login.mock.json, _scenarios.json = {}
            Acme.app/_scenarios.json mocks error
            Acme.app/login.mock.json mocks error

            mocks of the source are among the app's files
            \#(source())
            Project/Mocks/Issues/list.json, list.json = [2]
            Project/Mocks/user.json, User.JSON = { }
            Project/Mocks/words.json = [1]
            words.json = []
            Acme.app/User.JSON mocks error
            Acme.app/list.json mocks error
            """#)
        + table(
            #"""
            a demo contains a real token
            Mocks/login.json = { "token": "\#(token)" }
            Acme.app/Mocks/login.json credential error

            the settings of a demo contain a real token
            login.mock.json = { "headers": { "X": "\#(token)" } }
            Acme.app/login.mock.json credential error

            a demo is sealed by its description
            APIEnvironment, selected = Testing
            Environments/Demo-Env.json = -
            Environments/Testing-Env.json = { "description": "Testing", "baseURL": "https://acme.invalid" }
            Acme.app/Environments/Testing-Env.json sealed error
            """#, ofDemo)

    private static let differences = table(
        #"""
        a file was edited after the review
        \#(source(production.replacing("acme.app", with: "acme.com")))
        Acme.app/Environments/Production-Env.json difference error

        a widget has another value than the source
        \#(part("PlugIns/Widget.appex", "Production", production.replacing("{", with: #"{ "rate": 1,"#)))
        \#(source())
        Acme.app/PlugIns/Widget.appex/Environments/Production-Env.json difference error

        nobody reviewed a file
        Environments/Base-Env.json = { "rate": 1 }
        \#(source())
        Acme.app/Environments/Base-Env.json difference error

        a file that the selected environment needs is missing
        \#(source())
        Project/Environments/Base-Env.json = { "rate": 1 }
        Acme.app/Environments difference error
        """#)
}
