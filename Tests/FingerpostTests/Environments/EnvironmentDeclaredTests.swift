import TestSupport

@testable import Fingerpost

@Suite(.inTurn) struct EnvironmentDeclaredTests {
    private static func environment(_ json: String) throws -> Environment {
        let folder = try TemporaryFolder(["X-Env.json": json])
        return try Environment(contentsOf: folder["X-Env.json"])
    }

    @Test func `Values are read as the declared types, and a missing optional value is nil`() throws {
        let environment = try Self.environment(
            """
            { "flag": true, "count": 3, "rate": 0.5, "text": "t", "url": "https://h.example", "when": "2026-01-02T03:04:05Z",
              "data": "AAEC", "flags": [true], "counts": [1, 2], "rates": [1, 0.5], "texts": ["a", "https://b"],
              "urls": ["https://a"], "none": [], "nested": { "deeper": { "key": 7 } }, "$optional": ["null", "gone"], "null": null }
            """
        )
        func declared<Value: _DeclaredValue>(_ key: String, as type: Value.Type) -> String {
            let value: Value = environment._declared(key)
            return "\(key): \((value as? Data).map { "\([UInt8]($0))" } ?? "\(value)")"
        }
        let seen = [
            declared("flag", as: Bool.self), declared("count", as: Int.self),
            declared("nested.deeper.key", as: Int.self), declared("count", as: Double.self),
            declared("rate", as: Double.self), declared("text", as: String.self), declared("url", as: String.self),
            declared("url", as: URL.self), declared("urls", as: [URL].self), declared("none", as: [URL].self),
            declared("when", as: Date.self), declared("data", as: Data.self), declared("flags", as: [Bool].self),
            declared("counts", as: [Int].self), declared("counts", as: [Double].self),
            declared("rates", as: [Double].self), declared("texts", as: [String].self),
            declared("urls", as: [String].self), declared("null", as: String?.self), declared("gone", as: Int?.self),
            declared("count", as: Int?.self),
        ]
        #expect(
            seen == [
                "flag: true", "count: 3", "nested.deeper.key: 7", "count: 3.0", "rate: 0.5", "text: t",
                "url: https://h.example", "url: https://h.example", "urls: [https://a]", "none: []",
                "when: 2026-01-02 03:04:05 +0000", "data: [0, 1, 2]", "flags: [true]", "counts: [1, 2]",
                "counts: [1.0, 2.0]", "rates: [1.0, 0.5]", #"texts: ["a", "https://b"]"#, #"urls: ["https://a"]"#,
                "null: nil", "gone: nil", "count: Optional(3)",
            ])
        #expect(environment._declares("nested.deeper") && !environment._declares("nested.other"))
    }

    @Test func `Secrets stay secret`() throws {
        let folder = try TemporaryFolder([
            "Base-Env.json": #"{"$secrets": ["a.key", "b"], "$optional": ["b"], "a": {"key": null}, "b": null}"#,
            "Testing-Env.json": #"{"description": "Testing"}"#, "Live-Env.json": "{}",
            "Live-Secrets.json": #"{"a": {"key": "hush"}}"#,
        ])
        let live: Secret<String> = try Environment.load("Live", from: folder.url)._declared("a.key")
        // Mocks need no credentials.
        let testing = try Environment.load("Testing", from: folder.url)
        let placeholder: Secret<String> = testing._declared("a.key")
        let optional: Secret<String>? = testing._declared("b")
        let seen = ("\(live)", live.reveal(), placeholder.reveal(), optional)
        #expect(seen == ("<secret a.key>", "hush", "<secret a.key>", nil))
    }

    @Test func `Many keys are all found`() throws {
        let keys = (0..<500).map { "key\($0)" + String(repeating: "x", count: $0 % 20) }
        let json = "{" + keys.enumerated().map { "\"\($1)\": \($0)" }.joined(separator: ", ") + "}"
        let environment = try Self.environment(json)
        #expect(keys.map { environment._declared($0) } == Array(0..<500))
        #expect(environment.keys.count == 500 && !environment._declares("key500"))
    }

    #if os(macOS) || os(Linux) || os(Windows)
        @Test func `A missing key, and a value of another type, end the process`() async throws {
            for (key, value, text) in [
                (
                    "timeouts", "1",
                    #"the environment Made has no key "timeouts" (did you mean "timeout"?), which generated code reads. "#
                ),
                (
                    "timeout", "soon",
                    #"the key "timeout" of the environment Made is a string, which generated code reads as Int. Fix: "#
                ),
            ] {
                let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                    [key = key as String, value = value as String] in
                    let _: Int = try Environment("Made", values: ["timeout": value])._declared(key)
                }
                let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
                #expect(output.contains(text), "\(output)")
            }
        }
    #endif
}
