import Foundation
import TestSupport
import Testing

@testable import FingerpostTooling

/// Faults in places, and in spellings, where they are easily overlooked.
@Suite(.inTurn) struct HiddenFaultTests {
    struct Fault: CustomTestStringConvertible, Sendable {
        let name: String
        /// Contents by path inside the app; nil removes a file.
        var app: [String: String?] = [:]
        /// Contents by path outside the app.
        var beside: [String: String] = [:]
        /// The links in the app, with their targets.
        var links: [String: String] = [:]
        /// The folder that contains the app.
        var folder = ""
        /// What is verified.
        var path = "Acme.app"
        var hasSource = false
        var allowsMocks = false
        /// The value of the secret `key`.
        var secret: String?
        /// The start of the only problem.
        let problem: String

        var testDescription: String { name }
    }

    private static let token = "ghp_" + String(repeating: "a1B2c3", count: 6)
    private static let secret = "k3y-0123456789-abcdef"
    private static let production = "Environments/Production-Env.json"
    private static let staging = "Environments/Staging-Env.json"
    private static let program = BuiltFixture.program

    // MARK: Servers

    /// Two environments, each with a server and what else is in it.
    private static func servers(_ own: String, _ other: String) -> [String: String?] {
        [
            production: #"{ "baseURL": "https://api.acme.app", \#(own) }"#,
            staging: #"{ "baseURL": "https://staging.acme.app", \#(other) }"#,
        ]
    }

    private static let call = "Acme.app/Environments/Production-Env.json:1:"

    static let servers: [Fault] = [
        Fault(
            name: "the server for payments is that of another environment",
            app: servers(
                #""payBaseURL": "https://pay-staging.acme.app""#, #""payBaseURL": "https://pay-staging.acme.app""#),
            problem: call + #"38: error: Production calls the server of Staging: "payBaseURL" is "#
                + "https://pay-staging.acme.app, as in "),
        Fault(
            name: "the server for payments is that of another environment, in a dictionary",
            app: servers(
                #""pay": { "baseURL": "https://pay.staging.acme.app" }"#,
                #""pay": { "baseURL": "https://pay.staging.acme.app/" }"#),
            problem: call + #"47: error: Production calls the server of Staging: "pay.baseURL" is "#),
        Fault(
            name: "one server is called under another key",
            app: servers(#""payBaseURL": "https://staging.acme.app/pay""#, #""x": 1"#).merging([
                production: #"{ "baseURL": "https://api.acme.app", "payBaseURL": "https://staging.acme.app" }"#,
                staging: #"{ "baseURL": "https://staging.acme.app", "payBaseURL": "https://pay.acme.org" }"#,
            ]) { $1 },
            problem: call + #"38: error: Production calls the server of Staging: "payBaseURL" is "#),
        Fault(
            name: "all servers are those of another environment",
            app: [
                production: #"{ "authBaseURL": "https://a.acme.app", "payBaseURL": "https://p.acme.app" }"#,
                staging: #"{ "authBaseURL": "https://a.acme.app", "payBaseURL": "https://p.acme.app" }"#,
            ],
            problem: call + #"3: error: Production calls the server of Staging: "authBaseURL" is "#),
        Fault(
            name: "a service of another environment that was reviewed with another host",
            app: servers(
                #""authBaseURL": "https://auth2.acme.app""#, #""authBaseURL": "https://auth2.acme.app""#),
            beside: [
                "Project/\(production)":
                    #"{ "baseURL": "https://api.acme.app", "authBaseURL": "https://auth.acme.app" }"#,
                "Project/\(staging)":
                    #"{ "baseURL": "https://staging.acme.app", "authBaseURL": "https://auth2.acme.app" }"#,
            ], hasSource: true,
            problem: call + #"38: error: Production calls the server of Staging: "authBaseURL" is "#),
        Fault(
            name: "the default port is written",
            app: [production: #"{ "baseURL": "https://staging.acme.app:443", "description": "P" }"#],
            problem: call + "3: error: Production calls the server of Staging: "),
        Fault(
            name: "the host ends in a dot",
            app: [production: #"{ "baseURL": "https://staging.acme.app.", "description": "P" }"#],
            problem: call + "3: error: Production calls the server of Staging: "),
    ]

    /// Spellings of one host.
    static let hosts: [Fault] = [
        ("8.8.8.8", "0x08080808"), ("8.8.8.8", "134744072"), ("8.8.8.8", "010.010.010.010"), ("8.8.8.8", "8.8.2056"),
        ("8.8.8.8", "[::ffff:8.8.8.8]"), ("[::ffff:808:808]", "8.8.8.8."), ("8.8.8.8", "0X8.8.8.8:443"),
        ("[2001:4860::8888]", "[2001:4860:0:0:0:0:0:8888]"), ("[2001:4860::8888]", "[2001:4860:0::0.0.136.136]:443"),
        ("[2001:4860::ABCD]:8443", "[2001:4860::abcd]:08443"), ("staging.acme.app", "STAGING.ACME.APP."),
        ("staging.acme.app", "st%61ging.acme.app"),
    ].map { host, spelling in
        Fault(
            name: "the host \(host) is written \(spelling)",
            app: [
                production: #"{ "baseURL": "https://\#(spelling)", "description": "P" }"#,
                staging: #"{ "baseURL": "https://\#(host)", "description": "S" }"#,
            ],
            problem: call + "3: error: Production calls the server of Staging: ")
    }

    // MARK: Processes

    /// A bundle in the app that selects another environment.
    private static func process(_ path: String) -> [String: String?] {
        [
            "\(path)/Contents/Info.plist": BuiltFixture.info("Part", "Staging"),
            "\(path)/Contents/MacOS/Part": program,
            "\(path)/Contents/Resources/\(production)": BuiltFixture.production,
            "\(path)/Contents/Resources/\(staging)": BuiltFixture.staging,
        ]
    }

    static let processes: [Fault] =
        [
            "Library/SystemExtensions/app.acme.Part.systemextension", "Library/SystemExtensions/app.acme.Part.dext",
            "PlugIns/Part.plugin", "PlugIns/Part.prefPane", "Library/QuickLook/Part.qlgenerator",
            "Library/Spotlight/Part.mdimporter", "PlugIns/Part.APPEX", "XPCServices/Part.Xpc", "Helpers/Part.APP",
        ].map { path in
            Fault(
                name: "the process \(path)", app: process(path),
                problem: "Acme.app/\(path): error: Acme.app/\(path) calls https://staging.acme.app, but Acme.app calls "
            )
        }
        + ["~ipad", "~iphone", "-iphoneos~ipad"].map { device in
            Fault(
                name: "the environment of one device, \(device)",
                app: [
                    "Info.plist": BuiltFixture.info(
                        "Acme", "Production", "\n<key>APIEnvironment\(device)</key><string>Staging</string>")
                ],
                problem: #"Acme.app/Info.plist:5:"#)
        }

    // MARK: Contents

    private static let withKey =
        #"{ "$secrets": ["key"], "$optional": ["key"], "key": null, "baseURL": "https://api.acme.app" }"#
    private static let demo: [String: String?] = [
        "Info.plist": BuiltFixture.info("Acme", "Demo"),
        "Environments/Demo-Env.json":
            #"{ "description": "Demo", "$network": "sealed", "baseURL": "https://acme.invalid" }"#,
        "Mocks/user.json": "{}",
    ]
    private static let archive = "Acme.xcarchive/Products/Applications/"
    private static let pack = "OnDemandResources/app.acme.level1.assetpack"
    private static let mocks = "error: 1 file of mocks, which everybody can read, is in the build: "

    static let contents: [Fault] = [
        Fault(
            name: "tests in the app", app: ["PlugIns/AppTests.xctest/AppTests": program],
            problem: "Acme.app/PlugIns/AppTests.xctest: error: tests are in the build"),
        Fault(
            name: "debug symbols in the app",
            app: ["Frameworks/X.framework.dSYM/Contents/Resources/DWARF/X": "\0"],
            problem: "Acme.app/Frameworks/X.framework.dSYM: error: debug symbols are in the build"),
        Fault(
            name: "a secret in an asset pack of an archive", app: [production: withKey, staging: nil],
            beside: ["\(archive)\(pack)/level.dat": "\0\(secret)"], folder: archive, path: "Acme.xcarchive",
            secret: secret,
            problem: "\(archive)\(pack)/level.dat: error: the file contains the value of the secret \"key\""),
        Fault(
            name: "mocks in an asset pack beside an app",
            beside: ["\(pack)/Info.plist": "<key>Tags</key><array/>", "\(pack)/Mocks/user.json": "{}"],
            problem: "\(pack)/Mocks: \(mocks)user.json"),
        Fault(
            name: "a secrets file in an asset pack in a build folder",
            beside: ["Release/\(pack)/A-Secrets.plist": ""], folder: "Release/", path: "Release",
            problem: "Release/\(pack)/A-Secrets.plist: error: a secrets file is in the build"),
        Fault(
            name: "mocks behind a link", app: ["Data/user.json": "{}"], links: ["Mocks": "Data"],
            problem: "Acme.app/Mocks: \(mocks)user.json"),
        Fault(
            name: "mocks in lower case", app: ["mocks/user.json": "{}"], problem: "Acme.app/mocks: \(mocks)user.json"),
        Fault(
            name: "a folder of mocks with scenarios alone", app: ["Mocks/_scenarios.json": "{}"],
            problem: "Acme.app/Mocks: \(mocks)_scenarios.json"),
        Fault(
            name: "scenarios among the app's files", app: ["_scenarios.json": "{}"],
            problem: "Acme.app/_scenarios.json: error: the settings of mocks are in the build"),
        Fault(
            name: "a mock among the app's files that differs from the source in white space",
            app: ["user.json": #"{"b":[1],"a":{}}"#],
            beside: [
                "Project/\(production)": BuiltFixture.production, "Project/\(staging)": BuiltFixture.staging,
                "Project/Mocks/user.json": "{\n  \"a\": {},\n  \"b\": [ 1 ]\n}",
            ], hasSource: true,
            problem: "Acme.app/user.json: error: the mock user.json of the source is in the build"),
        Fault(
            name: "a mock with large numbers among the app's files that differs from the source in white space",
            app: ["user.json": #"{"b":1e400,"a":12345678901234567890}"#],
            beside: [
                "Project/\(production)": BuiltFixture.production, "Project/\(staging)": BuiltFixture.staging,
                "Project/Mocks/user.json": "{\n  \"a\": 12345678901234567890,\n  \"b\": 1e400\n}",
            ], hasSource: true,
            problem: "Acme.app/user.json: error: the mock user.json of the source is in the build"),
    ]

    /// Files in an archive that are in no bundle.
    static let loose: [Fault] =
        [
            "Library/LaunchDaemons/app.acme.plist", "Applications/readme.txt", "usr/local/bin/acme-update",
            "usr/local/lib/libacme.dylib",
            "Library/Acme/Acme.bundle/data", ".hidden", "a/b/c/d/e/f/deep.txt",
        ].map { file in
            Fault(
                name: "a secret in \(file) of an archive", app: [production: withKey, staging: nil],
                beside: ["Acme.xcarchive/Products/\(file)": "#!/bin/sh\ncurl -H 'X-Key: \(secret)'"], folder: archive,
                path: "Acme.xcarchive", secret: secret,
                problem: "Acme.xcarchive/Products/\(file):2: error: the file contains the value of the secret \"key\"")
        } + [
            Fault(
                name: "mocks beside the app in an archive",
                beside: ["Acme.xcarchive/Products/Library/Mocks/user.json": "{}"],
                folder: archive, path: "Acme.xcarchive",
                problem: "Acme.xcarchive/Products/Library/Mocks: \(mocks)user.json"),
            Fault(
                name: "a secrets file beside the app in an archive",
                beside: ["Acme.xcarchive/Products/Applications/A-Secrets.plist": ""], folder: archive,
                path: "Acme.xcarchive",
                problem: "Acme.xcarchive/Products/Applications/A-Secrets.plist: error: a secrets file is in the build"),
            Fault(
                name: "a program in an archive that selects another environment",
                beside: [
                    "Acme.xcarchive/Products/usr/local/bin/Staging": program,
                    "Acme.xcarchive/Products/usr/local/bin/P_Staging.bundle/\(production)": BuiltFixture.production,
                    "Acme.xcarchive/Products/usr/local/bin/P_Staging.bundle/\(staging)":
                        BuiltFixture.staging.replacingOccurrences(of: "https", with: "http"),
                ], folder: archive, path: "Acme.xcarchive",
                problem:
                    "Acme.xcarchive/Products/usr/local/bin/P_Staging.bundle/Environments/Staging-Env.json:2:3: error: "),
        ]

    static let secretsFiles: [Fault] = [
        "Production-Secrets copy.json", "Production-Secrets 2.plist", "Production-Secrets copy 3.json",
        "Base-Secrets (1).json", "Base-Secrets - Copy.json", "base-secrets Kopie.PLIST", "Base-Secrets.json.orig",
        "A-Secrets-Secrets.json", "Production-Secrets-copy.json", "Production-Secrets_old.json",
        "Production-Secrets.local.json", "Production-Secrets\u{202F}2.json", "Production-Secrets\u{A0}copy.plist",
        "Production-Secrets2.json", "Copy of Production-Secrets.json", ".Production-Secrets.json.swp",
        "Production-Secrets.json~", "Production-Secrets.json copy", "-Secrets.json",
        "Production-Secrets.2026-01-31.json",
        "Production-Secrets (Kopie).plist", "Production-Secrets.backup.json5", "Production-Secrets – 2.plist",
    ].map { file in
        Fault(
            name: "the copy \(file) of a secrets file", app: [file: ""],
            problem: "Acme.app/\(file): error: a secrets file is in the build")
    }

    static let tokens: [Fault] =
        [
            ("Mocks/login.json", #"{ "note": "\#(token)" }"#),
            ("Mocks/login.mock.json", #"{ "headers": { "X-Note": "\#(token)" } }"#),
            ("Mocks/chat.events", "data: \(token)\n\n"), ("Mocks/rows.ndjson", "{ \"a\": \"\(token)\" }\n"),
            ("Mocks/a/b/page.html", "<p>\(token)</p>"),
            ("Mocks/_scenarios.json", #"{ "\#(token)": { "*": { "delay": 1 } } }"#),
            ("mocks/login.json", #"{ "note": "\#(token)" }"#),
        ].map { path, text in
            Fault(
                name: "a token in \(path) of a demo", app: demo.merging([path: text]) { $1 }, allowsMocks: true,
                problem: "Acme.app/\(path):1: error: the file contains a GitHub token")
        }
        + ["login.json", "login.mock.json", "_scenarios.json", "chat.events"].map { path in
            Fault(
                name: "a token in \(path) among the files of a demo",
                app: demo.merging(["Mocks/user.json": nil, "user.json": "{}", path: "\n\(token)"]) { $1 },
                allowsMocks: true, problem: "Acme.app/\(path):2: error: the file contains a GitHub token")
        }

    // MARK: Tests

    private func fixture(_ fault: Fault) throws -> BuiltFixture {
        let app = BuiltFixture.app(fault.app, in: "\(fault.folder)Acme.app")
        var fixture = try BuiltFixture(app.merging(fault.beside) { $1 })
        for (link, target) in fault.links {
            try FileManager.default.createSymbolicLink(
                atPath: fixture.folder["\(fault.folder)Acme.app/\(link)"].path, withDestinationPath: target)
        }
        fixture.options.source = fault.hasSource ? "Project" : nil
        fixture.options.allowsMocks = fault.allowsMocks
        if let secret = fault.secret { fixture.variables = ["ENV__KEY": secret] }
        return fixture
    }

    @Test(arguments: servers + hosts + processes + contents + loose + secretsFiles + tokens)
    func `A hidden fault is an error`(fault: Fault) throws {
        let fixture = try fixture(fault)
        let problems = try fixture.problems(fault.path)
        #expect(problems.contains { $0.hasPrefix(fault.problem) && $0.contains(": error: ") }, "\(problems)")
        let report = try fixture.report(fault.path)
        #expect(report.status == 1)
        #expect(!report.text.contains(Self.secret) && !report.text.contains(Self.token))
    }
}
