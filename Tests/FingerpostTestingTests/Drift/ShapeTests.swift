import FingerpostDocuments
import FingerpostFiles
import TestSupport

@testable import FingerpostTesting

@Suite(.inTurn) struct ShapeTests {
    private static func shape(_ json: String, dictionaries: Set<String> = []) throws -> Shape {
        Shape(try JSONReader.read(Data(json.utf8))) { dictionaries.contains($0.description) ? .dictionary : nil }
    }

    @Test(
        arguments: [
            ("1", "2.5", []),
            (#"{"id": 1, "at": "2026"}"#, #"{"id": 99, "at": "1999"}"#, []),
            (#"{"a": 1}"#, #"{"a": 1, "b": "x"}"#, ["b: + string"]),
            (#"{"a": 1, "b": 2}"#, #"{"a": 1}"#, ["b: -"]),
            (#"{"a": 1}"#, #"{"a": "1"}"#, ["a: number > string"]),
            (#"{"a": true}"#, #"{"a": [1]}"#, ["a: boolean > list"]),
            (#"{"a": "x"}"#, #"{"a": null}"#, []),
            (#"{"a": null}"#, #"{"a": {"b": 1}}"#, []),
            (#"[{"a": 1}]"#, #"[{"a": 1}, {"a": 2, "b": null}]"#, ["[*].b: + null"]),
            (#"[{"a": 1}, {"b": 2}]"#, #"[{"a": 1}]"#, ["[*].b: -"]),
            ("[]", #"[{"a": 1}]"#, []),
            (#"[{"a": 1}]"#, "[]", []),
            ("[1]", #"[1, "x"]"#, ["[*]: number > number or string"]),
            (#"[1, "x", null]"#, "[1]", []),
            (#"{"a": {"b": {"c": 1}}}"#, #"{"a": {"b": {"c": {}}}}"#, ["a.b.c: number > object"]),
            ("{}", "[]", [": object > list"]),
            (#"{"a": [[1]]}"#, #"{"a": [["x"]]}"#, ["a[*][*]: number > string"]),
            (#"{"a": {"x": {"v": 1}}, "map": {"k": 1}}"#, #"{"a": {}, "map": {"other": 2, "third": 3}}"#, ["a.x: -"]),
            // Two ways to write "é" are two keys.
            ("{\"\u{E9}\": 1}", "{\"e\u{301}\": 2}", ["\u{E9}: = e\u{301}"]),
            ("{\"\u{E9}\": 1}", "{\"e\u{301}\": \"x\"}", ["\u{E9}: = e\u{301}", "\u{E9}: number > string"]),
            ("{\"\u{E9}\": 1}", "{\"e\u{301}\": \"x\", \"\u{E9}\": 2}", ["e\u{301}: + string"]),
            ("{\"e\u{301}\": \"x\", \"\u{E9}\": 2}", "{\"\u{E9}\": 1}", ["e\u{301}: -"]),
            (#"{"map": {"k": {"v": 1}}}"#, #"{"map": {"o": {"v": "x"}}}"#, ["map[*].v: number > string"]),
        ] as [(String, String, [String])])
    func `Differences are those of the shapes, not of the values`(_ old: String, _ new: String, _ expected: [String])
        throws
    {
        let found = try Self.shape(old, dictionaries: ["map"])
            .differences(to: Self.shape(new, dictionaries: ["map"]))
            .map { difference in
                switch difference.change {
                case .added(let kinds): "\(difference.path): + \(kinds.text)"
                case .removed: "\(difference.path): -"
                case .spelling(let key): "\(difference.path): = \(key)"
                case .type(let from, let to): "\(difference.path): \(from.text) > \(to.text)"
                }
            }
        #expect(found.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(found)")
    }

    @Test func `A union has the keys of both shapes`() throws {
        let union = try Self.shape(#"{"a": 1}"#).union(Self.shape(#"{"a": null, "b": "x"}"#))
        #expect(try Self.shape(#"{"a": 2, "b": "y"}"#).differences(to: union).isEmpty)
    }
}
