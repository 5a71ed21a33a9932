import TestSupport

@testable import Fingerpost

@Suite(.inTurn) struct EnvironmentDeclaredTests {
    private static func environment(_ json: String) throws -> Environment {
        let folder = try TemporaryFolder(["X-Env.json": json])
        return try Environment(contentsOf: folder["X-Env.json"])
    }

    @Test func `Values are read as the declared types`() throws {
        let environment = try Self.environment(
            """
            { "flag": true, "count": 3, "rate": 0.5, "text": "t", "url": "https://h.example", "when": "2026-01-02T03:04:05Z",
              "data": "AAEC", "flags": [true], "counts": [1, 2], "rates": [1, 0.5], "texts": ["a", "https://b"],
              "urls": ["https://a"], "none": [], "nested": { "deeper": { "key": 7 } } }
            """
        )
        func declared<Value: _DeclaredValue>(_ keys: String..., as type: Value.Type = Value.self) -> [Value] {
            keys.map { environment._declared($0) }
        }
        let (h, a) = (try #require(URL(string: "https://h.example")), try #require(URL(string: "https://a")))
        #expect(declared("flag") == [true] && declared("count", "nested.deeper.key") == [3, 7])
        #expect(declared("count", "rate") == [3.0, 0.5] && declared("text", "url") == ["t", "https://h.example"])
        #expect(declared("url") == [h] && declared("urls", "none") == [[a], []])
        #expect(
            declared("when") == [Date(timeIntervalSince1970: 1_767_323_045)] && declared("data") == [Data([0, 1, 2])])
        #expect(declared("flags") == [[true]] && declared("counts", as: [Int].self) == [[1, 2]])
        #expect(declared("counts", "rates") == [[1.0, 2.0], [1.0, 0.5]])
        #expect(declared("texts", "urls") == [["a", "https://b"], ["https://a"]])
        #expect(environment._declares("nested.deeper") && !environment._declares("nested.other"))
    }

    @Test func `A missing optional value is nil`() throws {
        let environment = try Self.environment(#"{"$optional": ["a", "b"], "a": null, "c": 1}"#)
        #expect(environment._declared("a") == String?.none && environment._declared("b") == Int?.none)
        #expect(environment._declared("c") == Int?.some(1))
    }

    @Test func `Secrets stay secret`() throws {
        let folder = try TemporaryFolder([
            "Base-Env.json": #"{"$secrets": ["a.key", "b"], "$optional": ["b"], "a": {"key": null}, "b": null}"#,
            "Testing-Env.json": #"{"description": "Testing"}"#, "Live-Env.json": "{}",
            "Live-Secrets.json": #"{"a": {"key": "hush"}}"#,
        ])
        let live = try Environment.load("Live", from: folder.url)
        let key: Secret<String> = live._declared("a.key")
        #expect("\(key)" == "<secret a.key>" && key.reveal() == "hush")
        // Mocks need no credentials.
        let testing = try Environment.load("Testing", from: folder.url)
        let placeholder: Secret<String> = testing._declared("a.key")
        #expect((placeholder.reveal(), testing._declared("b")) == ("<secret a.key>", Secret<String>?.none))
    }

    @Test func `Many keys are all found`() throws {
        let keys = (0..<500).map { "key\($0)" + String(repeating: "x", count: $0 % 20) }
        let json = "{" + keys.enumerated().map { "\"\($1)\": \($0)" }.joined(separator: ", ") + "}"
        let environment = try Self.environment(json)
        #expect(environment.keys.count == 500 && environment._declared("key0") == 0)
        #expect(environment._declared("key19xxxxxxxxxxxxxxxxxxx") == 19)
        #expect(environment._declared("key487xxxxxxx") == 487 && !environment._declares("key500"))
    }

    #if os(macOS) || os(Linux) || os(Windows)
        @Test func `A missing key, and a value of another type, end the process`() async throws {
            let missing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let _: Int = try Environment("Made", values: ["timeout": 1])._declared("timeouts")
            }
            let wrong = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let _: Int = try Environment("Made", values: ["timeout": "soon"])._declared("timeout")
            }
            let texts = [
                "the environment Made has no key \"timeouts\" (did you mean \"timeout\"?), which generated code reads. ",
                "the key \"timeout\" of the environment Made is a string, which generated code reads as Int. Fix: ",
            ]
            for (result, text) in zip([missing, wrong], texts) {
                #expect(String(decoding: try #require(result).standardErrorContent, as: UTF8.self).contains(text))
            }
        }
    #endif
}
