import FingerpostBuilding
import TestSupport

@testable import FingerpostTooling

@Suite(.inTurn) struct GeneratedSwiftTests {
    private func generated(_ files: [String: String]) throws -> (text: String, problems: [String]) {
        let folder = try TemporaryFolder(files)
        let checked = CheckedFolders(below: folder.url)
        let text = checked.generated.text
        // The beginning is the same in every file.
        let start = try #require(text.range(of: "\n\n"))
        return (String(text[start.upperBound...]), checked.problems.map { folder.relative("\($0)") })
    }

    /// The accessors of the only key of an environment, and the problems.
    private func accessor(_ json: String) throws -> (lines: [String], problems: [String]) {
        let result = try generated(["Environments/App-Env.json": json])
        return (lines(of: result.text, with: ["{ _declared(", "left out"]), result.problems)
    }

    private func lines(of text: String, with words: [String]) -> [String] {
        text.split(separator: "\n").filter { line in words.contains { line.contains($0) } }
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test func `Scenarios have constants`() throws {
        let result = try generated([
            "Mocks/login.json": "{}",
            "Mocks/_scenarios.json": #"{ "locked out": {}, "lockedOut": {}, "all": {}, "offline": {} }"#,
        ])
        #expect(
            lines(of: result.text, with: ["#if", "import FingerpostM", "extension FingerpostM", "static var"]) == [
                #"static var login: Self { "login" }"#, "#if canImport(FingerpostMocks)", "import FingerpostMocks",
                "nonisolated extension FingerpostMocks.MockScenario {",
                #"static var lockedOut: Self { "locked out" }"#, #"static var offline: Self { "offline" }"#,
            ])
        #expect(
            result.problems == [
                #"Mocks/_scenarios.json: warning: the scenario "lockedOut" has no constant in Swift: lockedOut is taken by "locked out". Fix: rename it, or write its name as text"#,
                #"Mocks/_scenarios.json: warning: the scenario "all" has no constant in Swift: its name cannot be a Swift identifier. Fix: rename it, or write its name as text"#,
            ])
    }

    @Test func `Every type of value has an accessor`() throws {
        let result = try generated([
            "Environments/App-Env.plist": """
            <plist><dict>
            <key>flag</key><true/><key>count</key><integer>1</integer><key>rate</key><real>1</real>
            <key>text</key><string>secret words</string><key>url</key><string>https://a.example</string>
            <key>when</key><date>2026-01-02T03:04:05Z</date><key>bytes</key><data>AAAA</data>
            <key>mixedNumbers</key><integer>1</integer><key>someURL</key><string>no url</string>
            <key>texts</key><array><string>a</string></array><key>urls</key><array><string>https://a</string></array>
            <key>none</key><array/>
            </dict></plist>
            """,
            "Environments/Base-Env.json": """
            { "$secrets": ["keys2.api"], "$optional": ["keys2", "bytes"], "keys2": { "api": null, "deep": { "er": 2.5 } },
              "mixedNumbers": 1.5, "someURL": "https://a.example", "odd": [1, "a"] }
            """,
        ])
        #expect(
            lines(of: result.text, with: ["_declare", "struct", "left out"]) == [
                #"var bytes: Data? { _declared("bytes") }"#,
                #"var count: Int { _declared("count") }"#,
                #"var flag: Bool { _declared("flag") }"#,
                #"var keys2: Keys2Values? { _declares("keys2") ? Keys2Values(_environment: self) : nil }"#,
                "nonisolated struct Keys2Values: Sendable {",
                #"var api: Fingerpost.Secret<String> { _environment._declared("keys2.api") }"#,
                "nonisolated struct DeepValues: Sendable {",
                #"var er: Double { _environment._declared("keys2.deep.er") }"#,
                #"var mixedNumbers: Double { _declared("mixedNumbers") }"#,
                #"var none: [String] { _declared("none") }"#,
                #"// "odd" is left out: its values have no common type."#,
                #"var rate: Double { _declared("rate") }"#,
                #"var someURL: String { _declared("someURL") }"#,
                #"var text: String { _declared("text") }"#,
                #"var texts: [String] { _declared("texts") }"#,
                #"var url: URL { _declared("url") }"#,
                #"var urls: [URL] { _declared("urls") }"#,
                #"var when: Date { _declared("when") }"#,
            ])
        #expect(!result.text.contains("secret words"))
    }

    @Test func `Keys become Swift names or are left out`() throws {
        let keys: [(String, String?, String?)] = [
            ("a-b c", "aBC", nil), ("in", "`in`", nil), ("größe", "größe", nil), ("_x", "_x", nil),
            ("dialect", "dialect", nil),
            ("🚀", nil, "its name cannot be a Swift identifier"), ("2fa", nil, "its name cannot be a Swift identifier"),
            ("name", "nameValue", nil), ("Network", "NetworkValue", nil), ("isSealed", "isSealedValue", nil),
            ("value", "valueValue", nil), ("self", "selfValue", nil), ("declared", "declared", nil),
            ("_declared", "_declaredValue", nil),
        ]
        for (key, name, reason) in keys {
            let found = try accessor("{\"\(key)\": 1}")
            let accessor = name.map { "var \($0): Int { _declared(\"\(key)\") }" }
            let line = accessor ?? "// \"\(key)\" is left out: \(reason ?? "")."
            let problems = found.problems.map { $0.contains(" warning: ") }
            #expect((found.lines, problems) == ([line], reason == nil ? [] : [true]), "\(found.problems)")
        }
    }

    @Test func `The bytes of a value decide its type`() throws {
        let values: [(String, String?)] = [
            ("2147483647", "Int"), ("-2147483649", "Int64"), ("1790000000000", "Int64"),
            ("[1, 1790000000000]", "[Int64]"),
            (#""https://h.example/a""#, "URL"), (#""https://h.example/{id}""#, "String"),
            (#""https://h.example/a b""#, "String"), (#""https://h.example/%7Bid%7D""#, "URL"),
            (#""https://bücher.example""#, "String"), (#""https://h.example/a[0]""#, "String"),
            (#""https://h example/a""#, nil), (#""https://{host}/a""#, nil), (#""https://[::1/a""#, nil),
        ]
        for (value, type) in values {
            let found = try accessor("{\"key\": \(value)}")
            let lines = type.map { ["var key: \($0) { _declared(\"key\") }"] } ?? found.lines
            let problems = found.problems.map { $0.contains("\"key\" ") }
            #expect((found.lines, problems) == (lines, type == nil ? [true] : []), "\(value): \(found.problems)")
        }
    }

    @Test(
        arguments: [
            (#"{"a-b": 1, "aB": 2}"#, 12, "a-b", "aB", "aB"),
            (#"{"foo": {"x": 1}, "FooValues": 2}"#, 2, "FooValues", "foo", "FooValues"),
            (#"{"foo": {"x": 1}, "Foo-values": {"x": 1}}"#, 2, "Foo-values", "foo", "FooValues"),
        ])
    func `Keys that need the same name are an error`(
        json: String, column: Int, first: String, second: String, name: String
    ) throws {
        let result = try generated(["Environments/App-Env.json": json])
        #expect(
            result.problems == [
                "Environments/App-Env.json:1:\(column): error: the keys \"\(first)\" and \"\(second)\" "
                    + "both need the name \(name) in Swift. Fix: rename one of them"
            ])
    }

    @Test func `Mocks have constants`() throws {
        let names = [
            "users/show.json", "login.json", "login.401.json", "login.locked.423.json", "login.mock.json",
            "avatar@2x.png", "repo-created.json", "class.json", "none.json", "unmocked.json", "repoCreated.json",
            ".DS_Store", "job.pending.json", "1.json",
        ]
        let result = try generated(Dictionary(uniqueKeysWithValues: names.map { ("Mocks/\($0)", "{}") }))
        #expect(
            lines(of: result.text, with: ["static var", "left out"]) == [
                "// 1.json is left out: its name cannot be a Swift identifier.",
                #"static var avatar2xPng: Self { "avatar@2x.png" }"#,
                #"static var `class`: Self { "class" }"#,
                #"static var jobPending: Self { "job.pending" }"#,
                #"static var login: Self { "login" }"#,
                "// none.json is left out: .none already has another meaning where a mock is named.",
                #"static var repoCreated: Self { "repo-created" }"#,
                "// repoCreated.json is left out: repoCreated is taken by repo-created.json.",
                "// unmocked.json is left out: .unmocked already has another meaning where a mock is named.",
                #"static var usersShow: Self { "users/show" }"#,
            ])
        #expect(result.problems.count == 4 && result.problems.allSatisfy { $0.contains(" warning: ") })
    }

    @Test func `The body that settings name is no mock of its own, and without names the file has none`() throws {
        let names = [
            "page.html", "page.mock.json", "plain.html", "both.html", "both.json", "both.mock.json", "created.201.json",
            "created.failed.json", "later.401.json", "logout.204",
        ]
        let result = try generated(Dictionary(uniqueKeysWithValues: names.map { ("Mocks/\($0)", "{}") }))
        let constants = lines(of: result.text, with: ["static var"]).map { $0.split(separator: " ")[2] }
        let files = lines(of: result.text, with: ["/// `"]).map { $0.dropFirst(5).dropLast() }
        #expect(
            (constants, files) == (
                ["bothHtml:", "both:", "created:", "logout:", "page:", "plainHtml:"],
                ["both.html", "both.json", "created.201.json", "logout.204", "page.mock.json", "plain.html"]
            ))
        #expect(try generated([:]).text == "import Fingerpost\n")
    }

    @Test(arguments: [("public", "public "), ("internal", "")])
    func `Base sets the access level of all names`(access: String, modifier: String) throws {
        let result = try generated([
            "Environments/Base-Env.json": "{\"$access\": \"\(access)\"}",
            "Environments/App-Env.json": #"{"analytics": {"host": "https://a.example"}}"#, "Mocks/user.json": "{}",
        ])
        #expect(
            result.problems.joined() + result.text == """
                \(modifier)import Fingerpost
                \(modifier)import Foundation

                /// The keys of the environment files.
                nonisolated extension Fingerpost.Environment {
                    /// The key `analytics`.
                    \(modifier)var analytics: AnalyticsValues { AnalyticsValues(_environment: self) }
                    /// The key `analytics` of the current environment.
                    \(modifier)static var analytics: AnalyticsValues { get throws(Fingerpost.EnvironmentError) { try current.analytics } }

                    /// The keys of `analytics`.
                    \(modifier)nonisolated struct AnalyticsValues: Sendable {
                        fileprivate let _environment: Fingerpost.Environment

                        /// The key `analytics.host`.
                        \(modifier)var host: URL { _environment._declared("analytics.host") }
                    }
                }

                /// The files of the folder Mocks.
                nonisolated extension Fingerpost.MockName {
                    /// `user.json`
                    \(modifier)static var user: Self { "user" }
                }

                """)
    }
}
