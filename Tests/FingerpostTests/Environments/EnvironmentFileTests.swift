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
          "since": "2026-01-31T12:00:00Z", "blob": "AQID",
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
        <key>blob</key><data>AQID</data>
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
        #expect(
            (
                environment.name, environment.description, environment.isTesting, environment.network,
                environment.file?.lastPathComponent, environment.keys.contains("analytics.sample")
            ) == ("Staging", "Staging", false, .live, "Staging-Env.\(fileExtension)", true))
        let settings = Settings(
            baseURL: URL(string: "https://staging.example.com")!, retries: 3,
            analytics: .init(host: URL(string: "https://a.example.com")!, sample: 1), tags: ["a", "b"])
        let seen = try (environment.decode(Settings.self), environment.value("analytics", as: Settings.Analytics.self))
        #expect(seen == (settings, settings.analytics))
        let found = try [environment.value("baseURL"), environment.value("analytics.host", as: URL.self)]
        #expect(found == [settings.baseURL, settings.analytics.host])
        let (retries, isOn, tags): (Int, Bool, [String]) = try (
            environment.value("retries"), environment.value("isOn"), environment.value("tags")
        )
        #expect((retries, isOn, tags) == (3, true, ["a", "b"]))
        let others = try (
            environment.value("baseURL", as: String.self), environment.value("retries", as: Double.self),
            environment.value("since", as: Date.self), environment.value("blob", as: Data.self)
        )
        let date = Date(timeIntervalSince1970: 1_769_860_800)
        #expect(others == ("https://staging.example.com", 3, date, Data([1, 2, 3])))
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
        let failure = environmentFailure { try Environment.load(name, from: folder.url) }
        #expect(failure.hasSuffix(end), "\(failure)")
    }

    @Test func `A key that is missing or has another type is reported with its file and line`() throws {
        let folder = try TemporaryFolder([
            "X-Env.json":
                "{\"apiBasePath\": \"https://h.example\",\n\"text\": \"abc\", \"number\": 1, \"flag\": true, \"list\": [], \"none\": null,\"$optional\": [\"none\"]}",
            "Y-Env.json": Self.json.replacingOccurrences(of: "\"sample\": 1", with: "\"sample\": \"1\""),
        ])
        let (x, y) = try (Environment.load("X", from: folder.url), Environment.load("Y", from: folder.url))
        let attempts: [() throws -> Any] = [
            { try x.value("apiBasPath", as: String.self) }, { try x.value("text", as: Int.self) },
            { try x.value("number", as: String.self) }, { try x.value("flag", as: Int.self) },
            { try x.value("text", as: URL.self) }, { try x.value("list", as: String.self) },
            { try x.value("none", as: String.self) }, { try y.decode(Settings.self) },
        ]
        #expect(
            attempts.map { folder.relative(environmentFailure($0)) }.joined(separator: "\n") == """
                missingKey: X-Env.json: the key "apiBasPath" is missing (did you mean "apiBasePath"?). Fix: add it, or correct the name in the code
                wrongType: X-Env.json:2: the key "text" is a string: Int is expected. Fix: correct the value, or read it as another type than Int
                wrongType: X-Env.json:2: the key "number" is an integer: String is expected. Fix: correct the value, or read it as another type than String
                wrongType: X-Env.json:2: the key "flag" is a boolean: Int is expected. Fix: correct the value, or read it as another type than Int
                wrongType: X-Env.json:2: the key "text": "abc" is not a URL with a scheme. Fix: write it in full, for example https://api.example.com
                wrongType: X-Env.json:2: the key "list" is a list: String is expected. Fix: correct the value, or read it as another type than String
                wrongType: X-Env.json:2: the key "none" is null: String is expected, not null. Fix: correct the value, or read it as another type than String
                wrongType: Y-Env.json:7: the key "analytics.sample" is a string: Double is expected. Fix: correct the value, or read it as another type than Settings
                """)
    }

    @Test func `An environment can be made in code, and read from a file with any name`() throws {
        let made = try Environment("Testing", values: ["baseURL": "https://h.example", "limit": 5])
        let seen = try (made.isTesting, made.isSealed, made.value("limit", as: Int.self), made.file)
        #expect(seen == (true, true, 5, nil))
        let folder = try TemporaryFolder(["settings.json": "{\"a\": 1}", "settings.txt": "{}", "empty/a.txt": ""])
        let read = { (name: String) in try Environment(contentsOf: folder[name]).name }
        let load = { (name: String) in try Environment.load(from: folder[name]).name }
        #expect(try read("settings.json") == "settings")
        let failures = [
            environmentFailure { try read("settings.txt") }, environmentFailure { try read("none.json") },
            environmentFailure { try load("empty") },
        ]
        #expect(
            failures.map(folder.relative).joined(separator: "\n") == """
                invalidFile: settings.txt: the name of an environment file must end in .plist or .json. Fix: rename it
                invalidFile: none.json: there is no such file
                notFound, noneSelected: empty: there are no environment files. Fix: add <Name>-Env.plist or <Name>-Env.json
                """)
        let missing = environmentFailure { try load("nowhere") }
        #expect(missing.hasPrefix("notFound: "), "\(missing)")
    }
}
