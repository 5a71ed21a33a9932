import FingerpostFiles
import Foundation
import TestSupport
import Testing

@testable import FingerpostTooling

@Suite struct KnownSecretsTests {
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
        let folder = try TemporaryFolder(["A-Env.json": #"{ "$secrets": ["key"], "key": null }"#])
        var secrets = KnownSecrets()
        secrets.add(try EnvironmentFolder(url: folder.url), ["ENV__KEY": secret])
        return ByteSearch(secrets, sourcePaths: []).findings(in: Data(text.utf8), "file")
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
}
