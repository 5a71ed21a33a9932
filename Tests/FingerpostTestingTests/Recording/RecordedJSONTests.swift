import FingerpostFiles
import Foundation
import Testing

@testable import FingerpostTesting

@Suite struct RecordedJSONTests {
    private static func text(_ json: String, without secret: String = "\u{1}") throws -> String {
        try RecordedJSON.text(of: Data(json.utf8)) { $0.replacingOccurrences(of: secret, with: "<redacted>") }
    }

    @Test(
        arguments: [
            (#"{"b":1,"a":[1,{}],"c":{}}"#, "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": 1,\n  \"c\": {}\n}\n"),
            ("[]", "[]\n"),
            (
                "[1.10, 1e5, -0, 123456789012345678901234567890]",
                "[\n  1.10,\n  1e5,\n  -0,\n  123456789012345678901234567890\n]\n"
            ),
            (#"["é\u00e9\/", "a\"b\\"]"#, "[\n  \"é\\u00e9\\/\",\n  \"a\\\"b\\\\\"\n]\n"),
            (#"{"a":true,"a":null}"#, "{\n  \"a\": true,\n  \"a\": null\n}\n"),
            (" 7 ", "7\n"),
        ])
    func `Keys are sorted, and every scalar stays as it was written`(_ json: String, _ expected: String) throws {
        #expect(try Self.text(json) == expected)
        #expect(try Self.text(expected) == expected)
    }

    @Test(
        arguments: [
            (#"{"a":"x1234y"}"#, "{\n  \"a\": \"x<redacted>y\"\n}\n"), ("[1234, 5]", "[\n  0,\n  5\n]\n"),
            (#"{"1234":2}"#, "{\n  \"<redacted>\": 2\n}\n"),
        ])
    func `What is secret is taken out and leaves JSON`(_ json: String, _ expected: String) throws {
        #expect(try Self.text(json, without: "1234") == expected)
    }

    @Test func `JSON that would be none any more is refused`() {
        #expect(throws: JSONReader.Failure.self) { try Self.text("[true]", without: "true") }
        #expect(throws: JSONReader.Failure.self) { try Self.text("{") }
    }
}
