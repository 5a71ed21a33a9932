import FingerpostFiles
import FingerpostShared
import Foundation
import TestSupport
import Testing

@testable import FingerpostTooling

@Suite(.inTurn) struct KnownSecretsTests {
    /// A PEM with this many lines of base64.
    private static func pem(_ count: Int) -> String {
        let lines = (0..<count).map { line in
            String((0..<4).map { "Line\(line)Part\($0)QkFTRQab" }.joined().prefix(64))
        }
        return "-----BEGIN PRIVATE KEY-----\n\(lines.joined(separator: "\n"))\n-----END PRIVATE KEY-----\n"
    }

    /// Values, and the texts that formats write for them.
    static let written: [(secret: String, text: String)] =
        [
            ("Tr0ub4dor&3xyz!", "<string>Tr0ub4dor&amp;3xyz!</string>"),
            ("a<b>c'd\"e-12345", "a&lt;b&gt;c'd&quot;e-12345"), ("a<b>c'd\"e-12345", "a&lt;b&gt;c&apos;d&quot;e-12345"),
            ("a<b>c'd\"e-12345", "a&lt;b&gt;c&#39;d&#34;e-12345"), ("ab\"cdefghijk99", #"{"a": "ab\"cdefghijk99"}"#),
            (#"ab\cdefghijk99"#, #"{"a": "ab\\cdefghijk99"}"#), ("pass\tword-12345", #""pass\tword-12345""#),
            ("pässwörd-äöü-1234", #""p\u00e4ssw\u00f6rd-\u00e4\u00f6\u00fc-1234""#),
            ("pässwörd-äöü-1234", #""p\u00E4ssw\u00F6rd-\u00E4\u00F6\u00FC-1234""#),
            ("😀-password-12", #""\ud83d\ude00-password-12""#), ("ab/cd/\"efgh12", #""ab\/cd\/\"efgh12""#),
            ("p@ssw0rd2024", "https://x.y/?a=p%40ssw0rd2024"), ("dGhpc2lzYQ==", "?t=dGhpc2lzYQ%3D%3D"),
            ("dGhpc2lzYQ==", "?t=dGhpc2lzYQ%3d%3d"), ("pass word(12)!", "a=pass%20word(12)!&b=1"),
            ("pass word(12)!", "a=pass+word%2812%29%21"), ("p@ss word/12", "a=p@ss%20word/12"),
            ("Tr0ub4dor&3xyz!", #""Tr0ub4dor\u00263xyz!""#), ("a<b>c'd-12345", #""a\u003cb\u003Ec\u0027d-12345""#),
            ("abc+def/012=345==", #""abc\u002Bdef\/012\u003d345\u003D\u003D""#),
            ("a'b`c$d-12345", #"'a\'b\`c\$d-12345'"#),
            ("pässwörd-äöü-1234", #"'p\xe4ssw\xF6rd-\xE4\xf6\xfc-1234'"#),
            ("pässwörd-äöü-1234", #""p\U00e4ssw\U00f6rd-\U00e4\U00f6\U00fc-1234""#),
            ("Tr0ub4dor&3xyz!", "Tr0ub4dor&#38;3xyz&#033;"), ("Tr0ub4dor&3xyz!", "Tr0ub4dor&#x26;3xyz&#X21;"),
            ("pässwörd-äöü-1234", "p&#228;ssw&#xF6;rd-&#xe4;&#246;&#252;-1234"),
            ("a\\b'c\"d-12345", #""a\\b\u0027c\"d-12345""#),
            ("k3y%41\\n+0123", #"k3y%41\n+0123"#), ("k3y%41\\n+0123", #""k3y%41\\n\u002b0123""#),
            ("k3y%41\\n+0123", "k3y%2541%5Cn%2B0123"), ("k3y&amp;0123", "k3y&amp;amp;0123"),
            ("k3y&amp;0123", "k3y&amp;0123"),
            ("12345678", #"\u0031\u0032\u0033\u0034\u0035\u0036\u0037\u0038"#),
            ("12345678", "%31%32%33%34%35%36%37%38"),
            (#"a&b"c-12345"#, #"<string>{"k":"a&amp;b\u0022c-12345"}</string>"#),
        ]
        + (1...6).flatMap { count -> [(String, String)] in
            let pem = pem(count)
            return [
                (pem, #"{"private_key": "\#(pem.replacingOccurrences(of: "\n", with: "\\n"))"}"#),
                (pem, pem.replacingOccurrences(of: "\n", with: "\r\n")), (pem, pem),
            ]
        }

    @Test(arguments: written) func `A value is found as formats write it`(secret: String, text: String) throws {
        #expect(try findings(secret, in: text).count == 1)
    }

    @Test(arguments: written.filter { $0.text.utf8.count < 100 }, [String.Encoding.utf16LittleEndian, .utf16BigEndian])
    func `A value is found as formats write it in UTF-16`(
        written: (secret: String, text: String), encoding: String.Encoding
    )
        throws
    {
        let text = try #require(written.text.data(using: encoding))
        for padding in [Data(), Data([0]), Data([0xFF, 0xFE])] {
            #expect(try findings(written.secret, in: padding + text).count == 1)
        }
    }

    /// Writes a text as formats do: a character with an escape, or as it is.
    static let writers: [@Sendable (Unicode.Scalar, Int) -> String] = [
        { scalar, _ in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\t": "\\t"
            default: String(scalar)
            }
        },
        { scalar, number in
            guard scalar.properties.isAlphabetic == false || number % 5 == 0 || !scalar.isASCII else {
                return String(scalar)
            }
            return String(scalar).utf16.map { String(format: number % 2 == 0 ? "\\u%04x" : "\\u%04X", $0) }.joined()
        },
        { scalar, number in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": number % 2 == 0 ? "&quot;" : "&#34;"
            case "'": number % 2 == 0 ? "&apos;" : "&#x27;"
            default:
                scalar.isASCII
                    ? String(scalar) : number % 2 == 0 ? "&#\(scalar.value);" : "&#x\(String(scalar.value, radix: 16));"
            }
        },
        { scalar, number in
            if scalar == " " { return number % 2 == 0 ? "+" : "%20" }
            let isKept = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            return isKept
                ? String(scalar)
                : String(scalar).utf8.map { String(format: number % 2 == 0 ? "%%%02X" : "%%%02x", $0) }.joined()
        },
        { scalar, _ in String(scalar) },
    ]

    @Test(arguments: 0..<200) func `A random value is found however formats write it, and another is not`(seed: Int)
        throws
    {
        var generator = SeededGenerator(seed: UInt64(seed))
        let characters = Array("abcXYZ019 \\\"'&<>%+/=;#@u\täß€я😀".unicodeScalars)
        func text(_ count: Int) -> String {
            var text = String.UnicodeScalarView()
            for _ in 0..<count { text.append(characters.randomElement(using: &generator) ?? "a") }
            return String(text)
        }
        let secret = "k" + text(Int.random(in: 9...40, using: &generator)) + "x"
        for (index, write) in Self.writers.enumerated() {
            func written(_ text: String) -> String {
                text.unicodeScalars.enumerated().map { write($0.element, $0.offset + seed) }.joined()
            }
            let whole = written(text(5) + secret + text(5))
            for encoding in [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian] {
                let data = try #require(whole.data(using: encoding))
                #expect(try findings(secret, in: data).count == 1, "\(index) \(encoding): \(whole)")
            }
            let other = written(text(5) + secret.unicodeScalars.dropLast().map(String.init).joined() + "y")
            if secret.utf8.count <= 32 {
                #expect(try findings(secret, in: Data(other.utf8)).isEmpty, "\(index): \(other)")
            }
        }
    }

    @Test(arguments: ["k%00", "k\\u0000", "k3\0", "k&#9;", "k\0\0\0", "k3y%4", "k\\", "k\\u00"])
    func `A value is found after many beginnings of it`(beginning: String) throws {
        let text = String(repeating: beginning, count: 100)
        #expect(try findings("k3y&0123456789", in: text + " k3y\\u00260123456789").count == 1)
        #expect(try findings("k3y&0123456789", in: text + "k3y&amp;0123456789").count == 1)
    }

    @Test(arguments: ["\\n", "\\r\\n", "&#10;", "&#xA;", "%0A", "%0d%0a", "\\\n", "\\u000a"])
    func `A value is found in base64 whose line ends are escapes`(end: String) throws {
        let text = Data("\(String(repeating: "x", count: 50))sk_live_51HqABCDEFGH tail".utf8).base64EncodedString()
        for width in [10, 64, 76] {
            let lines = stride(from: 0, to: text.utf8.count, by: width).map { text.dropFirst($0).prefix(width) }
            for encoding in [String.Encoding.utf8, .utf16LittleEndian] {
                let data = try #require(lines.joined(separator: end).data(using: encoding))
                #expect(try findings("sk_live_51HqABCDEFGH", in: data).count == 1)
            }
        }
    }

    @Test(arguments: [64, 76], ["\n", "\r\n", "\n\t\t"])
    func `A value is found in base64 that is wrapped`(width: Int, end: String) throws {
        for before in 0..<80 {
            let whole = Array(
                Data("\(String(repeating: "x", count: before))sk_live_51HqABCDEFGH tail".utf8)
                    .base64EncodedString())
            let lines = stride(from: 0, to: whole.count, by: width).map { start in
                String(whole[start..<min(start + width, whole.count)])
            }
            #expect(try findings("sk_live_51HqABCDEFGH", in: lines.joined(separator: end)).count == 1)
        }
    }

    private func findings(_ secret: String, in text: String) throws -> [FileProblem] {
        try findings(secret, in: Data(text.utf8))
    }

    private func findings(_ secret: String, in data: Data) throws -> [FileProblem] {
        let folder = try TemporaryFolder(["A-Env.json": #"{ "$secrets": ["key"], "key": null }"#])
        var secrets = KnownSecrets()
        secrets.add(try EnvironmentFolder(url: folder.url), ["ENV__KEY": secret])
        return ByteSearch(secrets, sourcePaths: []).findings(in: data, "file")
    }

    @Test func `A variable or a higher layer hides no value of a secrets file`() throws {
        let environment = #"{ "$secrets": ["apiKey"], "apiKey": null }"#
        let folder = try TemporaryFolder([
            "Production-Env.json": environment, "Staging-Env.json": environment,
            "Base-Secrets.json": #"{ "apiKey": "the-key-of-base" }"#,
            "Production-Secrets.json": #"{ "apiKey": "the-key-of-production" }"#,
            "Staging-Secrets.json": #"{ "apiKey": "the-key-of-staging" }"#,
        ])
        var secrets = KnownSecrets()
        secrets.add(try EnvironmentFolder(url: folder.url), ["ENV__API_KEY": "the-key-of-a-variable"])
        #expect(secrets.count == 4)
        #expect(secrets.fromVariables == 1)
        for name in ["base", "production", "staging", "a-variable"] {
            let found = ByteSearch(secrets, sourcePaths: []).findings(in: Data("the-key-of-\(name)".utf8), "file")
            #expect(found.count == 1, "\(name)")
        }
    }

    @Test func `A value that a variable and the file of a later environment have counts as one of a file`() throws {
        let environment = #"{ "$secrets": ["apiKey"], "apiKey": null }"#
        let folder = try TemporaryFolder([
            "Production-Env.json": environment, "Staging-Env.json": environment,
            "Production-Secrets.json": #"{ "apiKey": "the-key-of-production" }"#,
            "Staging-Secrets.json": #"{ "apiKey": "the-key-of-staging" }"#,
        ])
        for (variable, count) in [("the-key-of-staging", 2), ("the-key-of-production", 2), ("the-key-of-ci", 3)] {
            var secrets = KnownSecrets()
            secrets.add(try EnvironmentFolder(url: folder.url), ["ENV__API_KEY": variable])
            #expect(secrets.count == count)
            #expect(secrets.fromVariables == count - 2)
        }
    }

    @Test(arguments: [("{}", [:]), ("{}", ["ENV__API_KEEY": "the-key-of-ci"]), (#"{ "apiKey": null }"#, [:])])
    func `A secret without a value is named`(file: String, variables: [String: String]) throws {
        let folder = try TemporaryFolder([
            "Production-Env.json": #"{ "$secrets": ["apiKey"], "apiKey": null }"#, "Production-Secrets.json": file,
            "Staging-Env.json": #"{ "$secrets": ["apiKey"], "apiKey": null }"#,
            "Staging-Secrets.json": #"{ "apiKey": "the-key-of-staging" }"#,
        ])
        var secrets = KnownSecrets()
        secrets.add(try EnvironmentFolder(url: folder.url), variables)
        #expect(secrets.unknown == ["apiKey of Production"])
    }

    @Test func `A secret with a value in one of the folders is not named`() throws {
        let environment = #"{ "$secrets": ["apiKey", "other"], "apiKey": null, "other": null }"#
        let source = try TemporaryFolder([
            "Production-Env.json": environment, "Production-Secrets.json": #"{ "apiKey": "the-key-of-production" }"#,
        ])
        let build = try TemporaryFolder(["Production-Env.json": environment, "Beta-Env.json": environment])
        for folders in [[source, build], [build, source]] {
            var secrets = KnownSecrets()
            for folder in folders { secrets.add(try EnvironmentFolder(url: folder.url), [:]) }
            #expect(secrets.unknown == ["apiKey of Beta", "other of Beta", "other of Production"])
        }
    }

    @Test func `A good build names no secret whose value the source gives`() throws {
        let environment = BuiltFixture.production.replacingOccurrences(
            of: "{", with: #"{ "$secrets": ["apiKey"], "$optional": ["apiKey"], "apiKey": null, "#)
        var fixture = try BuiltFixture(
            BuiltFixture.app(["Environments/Production-Env.json": environment, "Environments/Staging-Env.json": nil])
                .merging([
                    "Project/Environments/Production-Env.json": environment,
                    "Project/Environments/Production-Secrets.json": #"{ "apiKey": "the-key-of-production" }"#,
                ]) { $1 })
        fixture.options.source = "Project"
        let notes = try fixture.text().filter { $0.hasPrefix("Note: ") }
        #expect(notes.count == 1 && notes[0].hasPrefix("Note: Searched for 1 value of secrets (1 from files), "))
    }
}
