import FingerpostFiles
import FingerpostShared
import TestSupport

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
        ("Basic dXNlcjphYmNkMTIzNA== x", "Basic dXNlcjp<secret a.key>A== x"),
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

    @Test func `Text does not change without secrets`() throws {
        let redactor = SecretRedactor(try Environment("X", values: ["key": "value"]))
        #expect(redactor.redact("key value") == "key value")
    }
}
