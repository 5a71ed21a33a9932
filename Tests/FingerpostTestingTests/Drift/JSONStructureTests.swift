import FingerpostDocuments
import FingerpostFiles

@testable import FingerpostTesting

@Suite(.inTurn) struct JSONStructureTests {
    private static func shape(_ json: String, dictionaries: Set<String> = []) throws -> JSONStructure {
        JSONStructure(try JSONReader.read(Data(json.utf8))) {
            dictionaries.contains($0.description) ? .dictionary : nil
        }
    }

    @Test(
        arguments: [
            (#"{"a": true}"#, #"{"a": [1]}"#, ["a is list, not boolean"]),
            (#"{"a": "x"}"#, #"{"a": null}"#, ["a is null"]),
            (#"[{"a": 1}]"#, #"[{"a": 1}, {"a": 2, "b": null}]"#, ["[*].b is new"]),
            (#"[{"a": 1}, {"b": 2}]"#, #"[{"a": 1}]"#, ["[*].b is gone"]),
            ("[]", #"[{"a": 1}]"#, []),
            (#"[{"a": 1}]"#, "[]", []),
            (#"[{"a": 1}]"#, #"[{"a": null}, {"a": 2}]"#, []),
            ("[1]", #"[1, "x"]"#, ["[*] is number or string, not number"]),
            (#"[1, "x", null]"#, "[1]", []),
            (#"{"a": {"b": {"c": 1}}}"#, #"{"a": {"b": {"c": {}}}}"#, ["a.b.c is object, not number"]),
            ("{}", "[]", [" is list, not object"]),
            (#"{"a": [[1]]}"#, #"{"a": [["x"]]}"#, ["a[*][*] is string, not number"]),
            (
                #"{"a": {"x": {"v": 1}}, "map": {"k": 1}}"#, #"{"a": {}, "map": {"other": 2, "third": 3}}"#,
                ["a.x is gone"]
            ),
            // Two ways to write "é" are two keys.
            ("{\"\u{E9}\": 1}", "{\"e\u{301}\": 2}", ["e\u{301} is new", "\u{E9} is gone"]),
            (#"{"map": {"k": {"v": 1}}}"#, #"{"map": {"o": {"v": "x"}}}"#, ["map[*].v is string, not number"]),
        ] as [(String, String, [String])])
    func `Differences are those of the shapes, not of the values`(_ old: String, _ new: String, _ expected: [String])
        throws
    {
        let found = try Self.shape(old, dictionaries: ["map"])
            .differences(to: Self.shape(new, dictionaries: ["map"]))
            .map { "\($0.path) is \($0.change)" }
        #expect(found.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(found)")
    }
}
