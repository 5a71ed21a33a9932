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

    @Test func `A value is found as formats write it, in UTF-16, and in base64 at each alignment`() throws {
        var forms: [(secret: String, data: Data, form: String)] = Self.written.map { ($0, Data($1.utf8), $2) }
        for (secret, text, _) in Self.written {
            for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
                let data = text.data(using: encoding)!
                for padding in [Data(), Data([0]), Data([0xFF, 0xFE])] {
                    forms.append((secret, padding + data, "as UTF-16"))
                }
            }
        }
        for (before, after) in [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3)] {
            let data = Data(repeating: 0x41, count: before) + Data(Self.key.utf8) + Data(repeating: 0xFE, count: after)
            let text = data.base64EncodedString()
            for text in [text, text.replacing("+", with: "-").replacing("/", with: "_")] {
                forms.append((Self.key, Data(text.utf8), "in base64"))
            }
        }
        // A file is searched to its end.
        let noise = Data((0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
        forms.append((Self.key, noise + Data(Self.key.utf8), "as text"))
        for (secret, data, form) in forms {
            let found = try findings(secret, in: data).first ?? "nothing"
            #expect(
                found.contains(", \(form), and everybody can read it there"),
                "\(data.suffix(200).map(\.description)): \(found)")
        }
    }

    @Test func `Of a value of several lines, each long line is found, and what all keys begin with is not`() throws {
        let lines = (0..<3).map { "Line\($0)ofTheKeyThatIsDifferentInEachKeyAndHasSixtyFourCharacters" }
        let key = "-----BEGIN PRIVATE KEY-----\n\(lines.joined(separator: "\n"))\nshort\n-----END PRIVATE KEY-----\n"
        let texts = lines.map { "x\\n\($0)\\nx" } + ["-----BEGIN PRIVATE KEY----- short", "\(lines[0].prefix(40))"]
        #expect(try texts.map { try findings(key, in: $0).count } == [1, 1, 1, 0, 0])
        #expect(try findings("apple\npear\nplum", in: #"{"a":"apple\npear\nplum"}"#).count == 1)
        let long = String(repeating: "0123456789", count: 20)
        #expect(try [long, String(long.prefix(60))].map { try findings(long, in: $0).count } == [1, 0])
    }

    @Test func `Parts of a value, short values and made-up values of tests are not found`() throws {
        let parts = try findings(Self.key, in: String(Self.key.dropLast())) + findings("1234567", in: "1234567")
        let folder = try TemporaryFolder([
            "Testing-Env.json": #"{ "$secrets": ["key"], "key": null, "baseURL": "https://a:password@b.invalid" }"#,
            "Testing-Secrets.json": #"{ "key": "a-made-up-value" }"#,
        ])
        var secrets = KnownSecrets()
        secrets.add(try EnvironmentFolder(url: folder.url), ["ENV__KEY": "another-value"])
        let data = Data("password a-made-up-value another-value".utf8)
        #expect(parts + ByteSearch(secrets).findings(in: data, "file").map(\.message) == [])
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
        let counts = ["base", "production", "staging", "a-variable"].map {
            ByteSearch(secrets).findings(in: Data("the-key-of-\($0)".utf8), "file").count
        }
        #expect(
            (secrets.count, secrets.unknown, counts) == (4, ["other of Production", "other of Staging"], [1, 1, 1, 1]))
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
        let parts = ["Acme.app/b:1: error: ", "Acme.app/first:1: error: ", "Acme.app/last:1: error: "]
        let missing = parts.filter { part in !text.contains { $0.hasPrefix(part) } }
        let isNoted = text.contains("Note: Not searched for: 1 more value of secrets.")
        #expect((missing, isNoted, text.last?.hasPrefix("3 errors, 0 warnings in ")) == ([], true, true), "\(text)")
    }

    @Test func `The name with which the library looks a class up is no debug build`() throws {
        let texts = [
            "._FingerpostSource\0\0/Users/jo/Environments", "\0_FingerpostSource\0", "_TtC4Acme17_FingerpostSource",
        ]
        let message = "the file is a debug build: it contains the path of the source folder"
        #expect(try texts.map { try findings(Self.key, in: "\0\($0)\0") } == [[], [message], [message]])
    }
}
