import FingerpostFiles
import Foundation
import TestSupport
import Testing

@testable import FingerpostTooling

@Suite(.inTurn) struct InfoPlistTests {
    private static func domain(_ name: String, _ keys: String...) -> String {
        "<key>NSExceptionDomains</key><dict><key>\(name)</key><dict>"
            + keys.map { "<key>\($0)</key><true/>" }.joined() + "</dict></dict>"
    }

    private static let insecure = "NSExceptionAllowsInsecureHTTPLoads"

    /// Settings of App Transport Security, a host, and whether it may be called without encryption.
    static let settings: [(String, String, Bool)] = [
        ("", "api.acme.app", false),
        ("<key>NSAllowsArbitraryLoads</key><true/>", "api.acme.app", true),
        ("<key>NSAllowsArbitraryLoads</key><false/>", "api.acme.app", false),
        (
            "<key>NSAllowsArbitraryLoads</key><true/><key>NSAllowsArbitraryLoadsInWebContent</key><true/>",
            "api.acme.app", false
        ),
        ("<key>NSAllowsLocalNetworking</key><true/>", "mac.local", true),
        ("<key>NSAllowsLocalNetworking</key><true/>", "api.acme.app", false),
        (domain("acme.app", insecure), "acme.app", true),
        (domain("acme.app", insecure), "ACME.app", true),
        (domain("acme.app", insecure), "api.acme.app", false),
        (domain("acme.app", insecure, "NSIncludesSubdomains"), "api.acme.app", true),
        (domain("acme.app", insecure, "NSIncludesSubdomains"), "notacme.app", false),
        (domain("acme.app"), "acme.app", false),
        ("<key>NSAllowsArbitraryLoads</key><true/>" + domain("acme.app"), "acme.app", false),
        ("<key>NSAllowsArbitraryLoads</key><true/>" + domain("acme.app"), "other.app", true),
    ]

    @Test(arguments: settings.indices) func `App Transport Security allows what Info.plist allows`(index: Int) throws {
        let (settings, host, isAllowed) = Self.settings[index]
        let text = EnvironmentFixture.propertyList("<key>NSAppTransportSecurity</key><dict>\(settings)</dict>")
        let folder = try TemporaryFolder(["Info.plist": text])
        let info = try InfoPlist(folder["Info.plist"], path: "Info.plist")
        #expect(info.allowsInsecureCalls(to: host) == isAllowed)
    }

    @Test func `A secret in LSEnvironment is found, and not shown`() throws {
        let variables = "<key>LSEnvironment</key><dict><key>ENV__KEY</key><string>k3y-0123456789</string></dict>"
        let fixture = try BuiltFixture([
            "Acme.app/Contents/Info.plist": BuiltFixture.info("Acme", "Production", "\n" + variables),
            "Acme.app/Contents/MacOS/Acme": BuiltFixture.program,
            "Acme.app/Contents/Resources/Environments/Production-Env.json":
                #"{ "$secrets": ["key"], "key": null, "baseURL": "https://api.acme.app" }"#,
        ])
        let problems = try fixture.problems()
        #expect(problems.count == 1)
        #expect(
            problems.first?.hasPrefix(
                "Acme.app/Contents/Info.plist:5:25: error: LSEnvironment sets ENV__KEY, the value of the secret \"key\""
            )
                == true, "\(problems)")
        #expect(try !fixture.report().json.contains("k3y-"))
    }

    @Test func `LSEnvironment has no effect outside Mac apps`() throws {
        let variables =
            "<key>LSEnvironment</key><dict><key>APP_ENVIRONMENT</key><string>Staging</string></dict>"
        let fixture = try BuiltFixture(
            BuiltFixture.app(["Info.plist": BuiltFixture.info("Acme", "Production", variables)]))
        #expect(
            try fixture.text().contains { $0.contains("Production, because APIEnvironment in Info.plist names it") })
    }
}
