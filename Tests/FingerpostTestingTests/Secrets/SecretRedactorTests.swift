import FingerpostFiles
import FingerpostShared
import Foundation
import TestSupport
import Testing

@testable import Fingerpost
@testable import FingerpostTesting

@Suite(.inTurn) struct SecretRedactorTests {
    private static func environment(
        _ secret: String, network: String = "live", baseURL: String = "https://api.example.com"
    ) throws -> Environment {
        try Environment(
            "Live", values: ["$secrets": ["a.key"], "a": ["key": secret], "baseURL": baseURL, "$network": network])
    }

    private static let redactions: [(String, String)] = [
        ("no secret here", "no secret here"),
        ("key=abcd1234&x", "key=<secret a.key>&x"),
        ("abcd1234abcd1234", "<secret a.key><secret a.key>"),
        ("Basic dXNlcjphYmNkMTIzNA== x", "Basic <secret a.key> x"),
        ("https://h.example/YWJjZDEyMzQ/x", "https://h.example/<secret a.key>/x"),
        ("ABCD1234", "ABCD1234"), ("", ""),
        ("é abcd1234 é", "é <secret a.key> é"),
    ]

    @Test(arguments: redactions) func `A secret is replaced by its key`(text: String, redacted: String) throws {
        #expect(SecretRedactor(try Self.environment("abcd1234")).redact(text) == redacted)
    }

    @Test func `Overlapping secrets are hidden completely`() throws {
        let environment = try Environment(
            "X", values: ["$secrets": ["a", "b", "c"], "a": "secret", "b": "my secret key", "c": "key value"])
        let redactor = SecretRedactor(environment)
        #expect(redactor.redact("x secret y") == "x <secret a> y")
        #expect(redactor.redact("my secret key") == "<secret b>")
        #expect(redactor.redact("my secret key value.") == "<secret b>.")
    }

    /// Numbers, data and lists are hidden too. Texts of less than four bytes would match in every other word.
    @Test func `Secrets of any type are hidden, and very short ones are not`() throws {
        let values: Parameters = [
            "$secrets": ["pin", "list", "short", "flag"], "pin": 90125, "list": ["first-one", "second-one"],
            "short": "abc",
            "flag": true,
        ]
        let redactor = SecretRedactor(try Environment("X", values: values))
        #expect(
            redactor.redact("90125 first-one second-one abc true")
                == "<secret pin> <secret list> <secret list> abc true")
    }

    @Test func `A number is hidden with its digits in groups too`() throws {
        let environment = try Environment("X", values: ["$secrets": ["pin"], "pin": 90_717_351])
        let redactor = SecretRedactor(environment)
        for text in ["90717351", "90,717,351", "90.717.351", "90_717_351", "90 717 351", "90\u{202F}717\u{202F}351"] {
            #expect(redactor.redact("pin \(text).") == "pin <secret pin>.", "\(text)")
        }
        #expect(redactor.redact("907,173,51") == "907,173,51")
    }

    @Test func `Text does not change without secrets`() throws {
        let redactor = SecretRedactor(try Environment("X", values: ["key": "value"]))
        #expect(redactor.redact("key value") == "key value")
    }

    @Test(
        .heavy,
        arguments: [
            (String(repeating: "a", count: 20_000) + "b", "a", false),
            (String(repeating: "ab", count: 10_000) + "b", "ab", false),
            (String(repeating: "a", count: 20_000), "a", true),
        ])
    func `A secret that repeats itself is searched for in time`(secret: String, part: String, isEverywhere: Bool) {
        let redactor = SecretRedactor(secrets: [("key", secret)])
        let almost = String(repeating: part, count: 150_000)
        let text = redactor.redact(almost + secret + "." + almost)
        // The texts are compared only for equality, because searching in them takes long too.
        let isRedacted = text == (isEverywhere ? "<secret key>.<secret key>" : almost + "<secret key>." + almost)
        #expect(isRedacted)
    }

    @Test(.heavy) func `A long secret is found wherever it starts`() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            // Few letters, so that the secret and the text repeat themselves.
            let letters = { (count: Int) in String((0..<count).map { _ in "ab".randomElement(using: &random) ?? "a" }) }
            let period = letters(.random(in: 1...6, using: &random))
            let secret =
                String(String(repeating: period, count: 80).prefix(.random(in: 65...80, using: &random))) + letters(2)
            let text = letters(20) + String(secret.prefix(70)) + secret + letters(3) + secret.dropFirst(6) + secret
            var expected: [Range<Int>] = []
            let (bytes, form) = (Array(text.utf8), Array(secret.utf8))
            for start in 0...(bytes.count - form.count) where bytes[start...].starts(with: form) {
                let range = start..<(start + form.count)
                if let last = expected.last, range.lowerBound < last.upperBound {
                    expected[expected.count - 1] = last.lowerBound..<range.upperBound
                } else {
                    expected.append(range)
                }
            }
            #expect(SecretRedactor(secrets: [("key", secret)]).matches(in: bytes).map(\.range) == expected)
        }
    }
}
