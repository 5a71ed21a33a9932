import CallSupport

@testable import Fingerpost

@Suite(.inTurn) struct EnvironmentFileTests {
    private struct Settings: Decodable, Equatable {
        struct Analytics: Decodable, Equatable {
            var host: URL
            var sample: Double
        }
        var baseURL: URL
        var retries: Int
        var analytics: Analytics
        var tags: [String]
        var note: String?
    }

    private static let json = """
        {
          "description": "Staging",
          "baseURL": "https://staging.example.com",
          "retries": 3,
          "since": "2026-01-31T12:00:00Z",
          "isOn": true,
          "analytics": { "host": "https://a.example.com", "sample": 1 },
          "tags": ["a", "b"],
          "note": null,
          "$optional": ["note"]
        }
        """
    private static let xml = EnvironmentFixture.propertyList(
        """
        <key>description</key><string>Staging</string>
        <key>baseURL</key><string>https://staging.example.com</string>
        <key>retries</key><integer>3</integer>
        <key>since</key><date>2026-01-31T12:00:00Z</date>
        <key>isOn</key><true/>
        <key>analytics</key><dict>
          <key>host</key><string>https://a.example.com</string>
          <key>sample</key><integer>1</integer>
        </dict>
        <key>tags</key><array><string>a</string><string>b</string></array>
        """)

    @Test(arguments: [("json", Data(json.utf8)), ("plist", Data(xml.utf8))])
    func `JSON and a property list give the same values`(fileExtension: String, data: Data) throws {
        let folder = try TemporaryFolder()
        try folder.write(data, to: "Staging-Env.\(fileExtension)")
        let environment = try Environment.load("Staging", from: folder.url)
        #expect(environment.name == "Staging" && environment.description == "Staging" && !environment.isTesting)
        #expect((environment.network, environment.file?.lastPathComponent) == (.live, "Staging-Env.\(fileExtension)"))
        let settings = Settings(
            baseURL: try #require(URL(string: "https://staging.example.com")), retries: 3,
            analytics: .init(host: try #require(URL(string: "https://a.example.com")), sample: 1), tags: ["a", "b"])
        #expect(try environment.decode(Settings.self) == settings && environment.keys.contains("analytics.sample"))
        #expect(try environment.value("analytics", as: Settings.Analytics.self) == settings.analytics)
        let urls = try [environment.value("baseURL"), environment.value("analytics.host", as: URL.self)]
        #expect(urls == [settings.baseURL, settings.analytics.host])
        #expect(try environment.value("baseURL", as: String.self) == "https://staging.example.com")
        let numbers = try [environment.value("retries"), environment.value("retries", as: Double.self)]
        #expect(try numbers == [3, 3] && environment.value("isOn") && environment.value("tags") == ["a", "b"])
        #expect(try environment.value("since", as: Date.self) == Date(timeIntervalSince1970: 1_769_860_800))
        #expect(try ["note", "nothing"].map { try environment.optionalValue($0, as: String.self) } == [nil, nil])
    }

    @Test(arguments: [
        ("Stagin", "(did you mean \"Staging\"?). Fix: use one of Staging, or add Stagin-Env.json"),
        ("Staging-Env", "(did you mean \"Staging\"?). Fix: use one of Staging"),
        ("Staging-Env.json", "(did you mean \"Staging\"?). Fix: use one of Staging"),
        ("staging", "(did you mean \"Staging\"?). Fix: use one of Staging"),
        ("Stagin-Env.plist", "(did you mean \"Staging\"?). Fix: use one of Staging"),
        ("base", "no environment \"base\". Fix: use one of Staging"),
        ("", "no environment \"\". Fix: use one of Staging"),
        ("../Prod", "no environment \"../Prod\". Fix: use one of Staging"),
    ])
    func `The fix for an unknown environment adds a file with a valid name`(name: String, end: String) throws {
        let folder = try TemporaryFolder(["Base-Env.json": "{}", "Staging-Env.json": "{}"])
        let error = #expect(throws: EnvironmentError.self) { try Environment.load(name, from: folder.url) }
        #expect(error?.description.hasSuffix(end) == true, "\(error as Any)")
    }

    @Test func `An empty folder and a missing folder are errors`() throws {
        let folder = try TemporaryFolder()
        for missing in [folder.url, folder["nowhere"]] {
            let error = #expect(throws: EnvironmentError.self) { try Environment.load(from: missing) }
            #expect(error?.kind == .notFound)
        }
    }

    @Test func `A missing key is reported with the nearest key`() throws {
        let folder = try TemporaryFolder(["X-Env.json": "{\"apiBasePath\": \"https://h.example\"}"])
        let environment = try Environment.load("X", from: folder.url)
        let error = #expect(throws: EnvironmentError.self) { try environment.value("apiBasPath", as: String.self) }
        let texts = ["did you mean \"apiBasePath\"", "X-Env.json"]
        #expect(
            error?.kind == .missingKey && texts.allSatisfy { error?.description.contains($0) == true },
            "\(error as Any)")
    }

    private static let wrongTypes: [(String, String)] = [
        ("text", "Int"), ("number", "String"), ("flag", "Int"), ("text", "URL"), ("list", "String"), ("none", "String"),
    ]

    @Test(arguments: wrongTypes)
    func `A value of another type is reported with its line`(key: String, type: String) throws {
        let folder = try TemporaryFolder([
            "X-Env.json":
                "{\n\"text\": \"abc\", \"number\": 1, \"flag\": true, \"list\": [], \"none\": null,\"$optional\": [\"none\"]}"
        ])
        let environment = try Environment.load("X", from: folder.url)
        let error = #expect(throws: EnvironmentError.self) {
            switch type {
            case "Int": _ = try environment.value(key, as: Int.self)
            case "URL": _ = try environment.value(key, as: URL.self)
            default: _ = try environment.value(key, as: String.self)
            }
        }
        let texts = ["X-Env.json:2", "\"\(key)\""]
        #expect(
            error?.kind == .wrongType && texts.allSatisfy { error?.description.contains($0) == true }, "\(error as Any)"
        )
    }

    @Test func `Decoding all values reports the key that does not decode`() throws {
        let folder = try TemporaryFolder([
            "X-Env.json": Self.json.replacingOccurrences(of: "\"sample\": 1", with: "\"sample\": \"1\"")
        ])
        let environment = try Environment.load("X", from: folder.url)
        let error = #expect(throws: EnvironmentError.self) { try environment.decode(Settings.self) }
        let texts = ["X-Env.json:7", "analytics.sample"]
        #expect(texts.allSatisfy { error?.description.contains($0) == true }, "\(error as Any)")
    }

    @Test func `The description is the name by default`() throws {
        let secret = #"{"$secrets": ["key"], "key": null}"#
        let folder = try TemporaryFolder(["Testing-Env.json": secret, "testing/testing-Env.json": "{}"])
        // A sealed environment needs no secrets.
        #expect(try Environment.load("Testing", from: folder.url).isSealed)
        let error = #expect(throws: EnvironmentError.self) { try Environment.load("testing", from: folder["testing"]) }
        #expect(error?.problems.map(\.line) == [1])
        #expect(error?.description.contains(#"the description "testing" is not "Testing""#) == true)
    }

    @Test func `An environment can be made in code`() throws {
        let environment = try Environment("Testing", values: ["baseURL": "https://h.example", "limit": 5])
        #expect(environment.isTesting && environment.isSealed)
        #expect(try (environment.value("limit"), environment.file) == (5, nil))
    }

    @Test func `A file with any name can be read`() throws {
        let folder = try TemporaryFolder(["settings.json": "{\"a\": 1}", "settings.txt": "{}"])
        #expect(try Environment(contentsOf: folder["settings.json"]).name == "settings")
        #expect(throws: EnvironmentError.self) { try Environment(contentsOf: folder["settings.txt"]) }
        #expect(throws: EnvironmentError.self) { try Environment(contentsOf: folder["none.json"]) }
    }
}
