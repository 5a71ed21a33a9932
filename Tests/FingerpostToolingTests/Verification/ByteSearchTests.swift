import FingerpostFiles
import TestSupport

@testable import FingerpostTooling

@Suite(.inTurn) struct ByteSearchTests {
    private static let key = "k3y/0123456789-äbc&\"def"

    /// The findings in a file, in an app whose process knows the value of a secret.
    private func findings(_ secret: String, in data: Data) throws -> [String] {
        let folder = try TemporaryFolder(["A-Env.json": #"{ "$secrets": ["key"], "key": null }"#])
        var secrets = KnownSecrets()
        secrets.add(try EnvironmentFolder(url: folder.url), ["ENV__KEY": secret])
        return ByteSearch(secrets).findings(in: data, "file").map(\.message)
    }

    private func findings(_ secret: String, in text: String) throws -> [String] {
        try findings(secret, in: Data(text.utf8))
    }

    static let written: [(secret: String, text: String, form: String)] = [
        (key, key, "as text"),
        (key, #"{"a":"k3y\/0123456789-äbc&\"def"}"#, "escaped for JSON"),
        (key, #"{"a":"k3y\/0123456789-\u00e4bc&\"def"}"#, "escaped for JSON"),
        (key, #"{"a":"k3y/0123456789-äbc\u0026\"def"}"#, "escaped for JSON"),
        (key, "?a=k3y%2F0123456789-%C3%A4bc%26%22def", "percent-encoded"),
        (key, "a/k3y/0123456789-%C3%A4bc&%22def", "percent-encoded"),
        ("pass word(12)!", "a=pass+word%2812%29%21&b", "percent-encoded"),
        ("pass word(12)!", "a=pass%20word(12)!&b", "percent-encoded"), ("12345678", "x12345678x", "as text"),
    ]

    @Test(arguments: written)
    func `A value is found as formats write it, and in UTF-16`(secret: String, text: String, form: String) throws {
        #expect(try findings(secret, in: text).first?.contains(", \(form), and everybody can read it there") == true)
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
            for padding in [Data(), Data([0]), Data([0xFF, 0xFE])] {
                let data = padding + (try #require(text.data(using: encoding)))
                #expect(try findings(secret, in: data).first?.contains(", as UTF-16, ") == true)
            }
        }
    }

    @Test func `A value is found in base64 at each alignment`() throws {
        for (before, after) in [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3)] {
            let data = Data(repeating: 0x41, count: before) + Data(Self.key.utf8) + Data(repeating: 0xFE, count: after)
            let text = data.base64EncodedString()
            for text in [text, text.replacing("+", with: "-").replacing("/", with: "_")] {
                #expect(try findings(Self.key, in: text).first?.contains(", in base64, ") == true, "\(text)")
            }
        }
    }

    @Test func `Of a value of several lines, each long line is found, and what all keys begin with is not`() throws {
        let lines = (0..<3).map { "Line\($0)ofTheKeyThatIsDifferentInEachKeyAndHasSixtyFourCharacters" }
        let key = "-----BEGIN PRIVATE KEY-----\n\(lines.joined(separator: "\n"))\nshort\n-----END PRIVATE KEY-----\n"
        for line in lines { #expect(try findings(key, in: "x\\n\(line)\\nx").count == 1) }
        #expect(try findings(key, in: "-----BEGIN PRIVATE KEY----- short").isEmpty)
        #expect(try findings(key, in: "\(lines[0].prefix(40))").isEmpty)
        #expect(try findings("apple\npear\nplum", in: #"{"a":"apple\npear\nplum"}"#).count == 1)
        let long = String(repeating: "0123456789", count: 20)
        #expect(try findings(long, in: long).count == 1 && findings(long, in: String(long.prefix(60))).isEmpty)
    }

    @Test func `Parts of a value, short values and made-up values of tests are not found`() throws {
        #expect(try findings(Self.key, in: String(Self.key.dropLast())).isEmpty)
        #expect(try findings("1234567", in: "1234567").isEmpty)
        let folder = try TemporaryFolder([
            "Testing-Env.json": #"{ "$secrets": ["key"], "key": null, "baseURL": "https://a:password@b.invalid" }"#,
            "Testing-Secrets.json": #"{ "key": "a-made-up-value" }"#,
        ])
        var secrets = KnownSecrets()
        secrets.add(try EnvironmentFolder(url: folder.url), ["ENV__KEY": "another-value"])
        #expect(ByteSearch(secrets).findings(in: Data("password a-made-up-value another-value".utf8), "file").isEmpty)
    }

    @Test func `A variable or a higher layer hides no value of a secrets file`() throws {
        let environment = #"{ "$secrets": ["apiKey", "other"], "apiKey": null, "other": null }"#
        let folder = try TemporaryFolder([
            "Production-Env.json": environment, "Staging-Env.json": environment,
            "Base-Secrets.json": #"{ "apiKey": "the-key-of-base" }"#,
            "Production-Secrets.json": #"{ "apiKey": "the-key-of-production" }"#,
            "Staging-Secrets.json": #"{ "apiKey": "the-key-of-staging" }"#,
        ])
        var secrets = KnownSecrets()
        secrets.add(try EnvironmentFolder(url: folder.url), ["ENV__API_KEY": "the-key-of-a-variable"])
        #expect((secrets.count, secrets.unknown) == (4, ["other of Production", "other of Staging"]))
        for name in ["base", "production", "staging", "a-variable"] {
            #expect(ByteSearch(secrets).findings(in: Data("the-key-of-\(name)".utf8), "file").count == 1, "\(name)")
        }
    }

    @Test func `Of very many values and lines five thousand are searched for, and the report says so`() throws {
        let lines = (0..<4_999).map { "line \($0) of a secret of very many lines" }
        var fixture = try BuiltFixture(
            BuiltFixture.app([
                "Environments/Production-Env.json": """
                { "$secrets": ["a", "b", "c"], "$optional": ["a", "b", "c"], "a": null, "b": null, "c": null,
                  "baseURL": "https://api.acme.app" }
                """,
                "Environments/Staging-Env.json": nil, "first": lines[0], "last": lines[4_998], "b": "the value of b",
                "c": "the value of c",
            ]))
        fixture.variables = [
            "ENV__A": lines.joined(separator: "\n"), "ENV__B": "the value of b", "ENV__C": "the value of c",
        ]
        let text = try fixture.text()
        for file in ["b", "first", "last"] { #expect(text.contains { $0.hasPrefix("Acme.app/\(file):1: error: ") }) }
        #expect(text.last?.hasPrefix("3 errors, 0 warnings in ") == true)
        #expect(text.contains("Note: Not searched for: 1 more value of secrets."))
    }

    @Test func `The name with which the library looks a class up is no debug build`() throws {
        #expect(try findings(Self.key, in: "\0._FingerpostSource\0\0/Users/jo/Environments\0").isEmpty)
        for name in ["\0_FingerpostSource\0", "_TtC4Acme17_FingerpostSource"] {
            #expect(
                try findings(Self.key, in: "\0\(name)\0") == [
                    "the file is a debug build: it contains the path of the source folder"
                ])
        }
    }

    @Test func `A file is searched to its end`() throws {
        let noise = Data((0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
        #expect(try findings(Self.key, in: noise + Data(Self.key.utf8)).count == 1)
    }
}
