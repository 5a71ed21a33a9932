import FingerpostFiles
import Foundation
import TestSupport
import Testing

@testable import FingerpostTooling

@Suite(.inTurn) struct ByteSearchTests {
    private static let secret = "k3y-0123456789-äbcdef"
    private static let pem = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKB
        \((0..<20).map { "Line\($0)ofTheKeyThatIsDifferentInEachKey" }.joined(separator: "\n"))
        -----END PRIVATE KEY-----
        """

    private func search(_ secret: String, _ folder: TemporaryFolder) throws -> ByteSearch {
        var secrets = KnownSecrets()
        secrets.add(try EnvironmentFolder(url: folder.url), ["ENV__KEY": secret])
        return ByteSearch(secrets, sourcePaths: [])
    }

    private func findings(_ secret: String, in data: Data) throws -> [String] {
        let folder = try TemporaryFolder(["A-Env.json": #"{ "$secrets": ["key"], "key": null }"#])
        return try search(secret, folder).findings(in: data, "file").map(\.message)
    }

    @Test(arguments: [secret, pem, "12345678"]) func `A value is found in each form, at each alignment`(
        secret: String
    ) throws {
        let utf8 = Data(secret.utf8)
        var forms: [(String, Data)] = [("as text", utf8)]
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
            forms.append(("as UTF-16", try #require(secret.data(using: encoding))))
        }
        for before in 0..<4 {
            for after in 0..<4 {
                let data = Data(repeating: 0x41, count: before) + utf8 + Data(repeating: 0xFE, count: after)
                let text = data.base64EncodedString()
                forms.append(("in base64", Data(text.utf8)))
                let forURLs = text.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
                forms.append(("in base64", Data(forURLs.utf8)))
            }
        }
        for (form, data) in forms {
            for before in [Data(), Data([0]), Data("a\u{0}bc".utf8)] {
                let found = try findings(secret, in: before + data + Data([0, 0xFF]))
                #expect(found.count == 1)
                #expect(
                    found.first
                        == "the file contains the value of the secret \"key\", \(form), and everybody can read it there"
                )
            }
        }
        #expect(try findings(secret, in: utf8.dropLast(secret.utf8.count / 2 + 1)).isEmpty)
    }

    @Test func `A value is found in JSON that Foundation wrote, and made-up values of tests are not searched for`()
        throws
    {
        let secret = "abc/def+012/345=="
        let json = try JSONSerialization.data(withJSONObject: ["a": "x\(secret)x"])
        #expect(try findings(secret, in: json).count == 1)
        let folder = try TemporaryFolder([
            "Testing-Env.json": #"{ "$secrets": ["key"], "key": null, "baseURL": "https://a:password@b.invalid" }"#,
            "Testing-Secrets.json": #"{ "key": "a-made-up-value" }"#,
        ])
        let search = try search("another-value", folder)
        #expect(search.findings(in: Data("password a-made-up-value another-value".utf8), "file").isEmpty)
    }

    @Test func `The beginning that all keys of one kind share is not a finding`() throws {
        #expect(try findings(Self.pem, in: Data(Self.pem.utf8.prefix(100))).isEmpty)
    }

    @Test func `Values that are too short are not searched for, and the report says so`() throws {
        #expect(try findings("1234567", in: Data("1234567".utf8)).isEmpty)
        var fixture = try BuiltFixture(
            BuiltFixture.app([
                "Environments/Production-Env.json": """
                { "$secrets": ["a", "b", "c"], "$optional": ["a", "b", "c"], "a": null, "b": null, "c": null,
                  "baseURL": "https://api.acme.app" }
                """,
                "Environments/Staging-Env.json": nil,
            ]))
        fixture.variables = ["ENV__A": "1234567", "ENV__B": "123456789012345", "ENV__C": "1234567890123456"]
        let notes = try fixture.text().filter { $0.hasPrefix("Note: ") }
        #expect(
            notes == [
                "Note: Searched for 2 values of secrets (2 from variables), as text, UTF-16 and base64, "
                    + "and with the escapes of XML, JSON and URLs.",
                "Note: Not searched for, because they have less than 8 bytes: a.",
                "Note: Cannot be found if they are literals in code, where the compiler stores texts of up to 15 bytes "
                    + "in instructions: b.",
                "Note: Nothing was compared with what was reviewed. Pass --source with its folder.",
            ])
    }

    @Test(.heavy)
    func `Of very many values and lines five thousand are searched for, and the report says so`() throws {
        let keys = ["a", "b", "c", "d", "e"]
        let secrets = keys.map { "\"\($0)\"" }.joined(separator: ", ")
        let lines = (0..<4_998).map { KeyFixture.base64(KeyFixture.bytes(48, "line \($0)")) }
        var fixture = try BuiltFixture(
            BuiltFixture.app([
                "Environments/Production-Env.json": """
                { "$secrets": [\(secrets)], "$optional": [\(secrets)], "baseURL": "https://api.acme.app",
                  \(keys.map { "\"\($0)\": null" }.joined(separator: ", ")) }
                """,
                "Environments/Staging-Env.json": nil, "first": lines[0], "last": lines[4_997],
                "c": "the value of c", "d": "the value of d",
            ]))
        for key in keys { fixture.variables["ENV__\(key.uppercased())"] = "the value of \(key)" }
        fixture.variables["ENV__A"] = lines.joined(separator: "\n")
        let text = try fixture.text()
        for file in ["c", "first", "last"] { #expect(text.contains { $0.hasPrefix("Acme.app/\(file):1: error: ") }) }
        #expect(text.last?.hasPrefix("3 errors, 0 warnings in ") == true)
        #expect(text.contains("Note: Not searched for: 2 more values of secrets."))
    }

    @Test func `The name with which the library looks the class up is no debug build`() throws {
        let release = Data("\0._FingerpostSource\0\0/Users/jo/Environments\0".utf8)
        #expect(try findings(Self.secret, in: release).isEmpty)
        for name in ["\0_FingerpostSource\0", "_TtC4Acme17_FingerpostSource"] {
            #expect(
                try findings(Self.secret, in: release + Data("\(name)\0".utf8)) == [
                    "the file is a debug build: it contains the path of the source folder, /Users/jo/Environments"
                ])
        }
    }

    @Test func `A path in a release build is found if the source is known`() throws {
        var fixture = try BuiltFixture(BuiltFixture.app())
        for name in ["Production", "Staging"] {
            try fixture.folder.write(
                Data(contentsOf: fixture.folder["Acme.app/Environments/\(name)-Env.json"]),
                to: "Project/Environments/\(name)-Env.json")
        }
        let path = fixture.folder["Project/Environments"].path
        try fixture.folder.write(Data("\(BuiltFixture.program)\0\(path)\0".utf8), to: "Acme.app/Acme")
        #expect(try fixture.problems().isEmpty)
        fixture.options.source = "Project"
        #expect(try fixture.problems().count == 1)
        #expect(try fixture.problems().first?.contains("the file contains the path of the source folder") == true)
    }

    @Test(.heavy) func `A large file is searched to its end`() throws {
        var fixture = try BuiltFixture(
            BuiltFixture.app([
                "Environments/Production-Env.json": """
                { "$secrets": ["key"], "$optional": ["key"], "key": null, "baseURL": "https://api.acme.app" }
                """,
                "Environments/Staging-Env.json": nil,
            ]))
        let noise = Data((0..<20_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
        try fixture.folder.write(noise + Data(Self.secret.utf8), to: "Acme.app/assets.bin")
        fixture.variables = ["ENV__KEY": Self.secret]
        let problems = try fixture.problems()
        #expect(problems.count == 1 && problems[0].hasPrefix("Acme.app/assets.bin: error: the file contains the value"))
    }
}
