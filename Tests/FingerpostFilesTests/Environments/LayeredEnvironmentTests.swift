import FingerpostDocuments
import TestSupport

@testable import FingerpostFiles

@Suite(.inTurn) struct LayeredEnvironmentTests {
    /// Files and variables, and the expected result for keys: the value, its source, and the sources it replaced.
    struct Case: CustomTestStringConvertible {
        let name: String
        let files: [String: String]
        var variables: [String: String] = [:]
        let expected: [String: String]

        var testDescription: String { name }
    }

    private static let cases = [
        Case(
            name: "The target overrides Base",
            files: ["Base-Env.json": #"{"a": 1, "b": 2}"#, "X-Env.json": "{\n\"b\": 3, \"c\": 4}"],
            expected: ["a": "1 Base-Env.json:1", "b": "3 X-Env.json:2 Base-Env.json:1", "c": "4 X-Env.json:2"]),
        Case(
            name: "An $extends chain lies between Base and the target, nearest on top",
            files: [
                "Base-Env.json": #"{"a": "base", "b": "base", "c": "base", "d": "base"}"#,
                "One-Env.json": #"{"b": "one", "c": "one", "d": "one"}"#,
                "Two-Env.json": #"{"$extends": "One", "c": "two", "d": "two"}"#,
                "X-Env.json": #"{"$extends": "Two", "d": "x"}"#,
            ],
            expected: [
                "a": "base Base-Env.json:1", "b": "one One-Env.json:1 Base-Env.json:1",
                "c": "two Two-Env.json:1 One-Env.json:1 Base-Env.json:1",
                "d": "x X-Env.json:1 Two-Env.json:1 One-Env.json:1 Base-Env.json:1",
            ]),
        Case(
            name: "A target can name Base in $extends",
            files: ["Base-Env.json": #"{"a": 1}"#, "X-Env.json": #"{"$extends": "Base"}"#],
            expected: ["a": "1 Base-Env.json:1"]),
        Case(
            name: "Secrets override the target, and variables override secrets",
            files: [
                "Base-Env.json": #"{"$secrets": ["k", "l"], "k": null, "l": null}"#, "X-Env.json": "{}",
                "X-Secrets.json": #"{"k": "from the file", "l": "from the file"}"#,
            ],
            variables: ["ENV__L": "from the variable"],
            expected: [
                "k": "<secret k> X-Secrets.json:1 Base-Env.json:1",
                "l": "<secret l> process variable ENV__L X-Secrets.json:1 Base-Env.json:1",
            ]),
        Case(
            name: "The secrets of another target are not read",
            files: [
                "Base-Env.json": #"{"$secrets": ["k"], "$optional": ["k"], "k": null}"#,
                "One-Env.json": "{}", "X-Env.json": "{}", "One-Secrets.json": #"{"k": "no"}"#,
            ],
            expected: ["k": "null Base-Env.json:1"]),
        Case(
            name: "Secrets are inherited from Base and by $extends, above all committed files and nearest on top",
            files: [
                "Base-Env.json": #"{"$secrets": ["a", "b", "c", "d"], "a": null, "b": null, "c": null, "d": null}"#,
                "One-Env.json": "{}", "Two-Env.json": #"{"$extends": "One"}"#,
                "X-Env.json": #"{"$extends": "Two", "a": null}"#,
                "Base-Secrets.json": #"{"a": "base", "b": "base", "c": "base", "d": "base"}"#,
                "One-Secrets.plist": EnvironmentFixture.propertyList(
                    "<key>b</key><string>1</string><key>c</key><string>1</string><key>d</key><string>1</string>"),
                "Two-Secrets.json": #"{"c": "two", "d": "two"}"#, "X-Secrets.json": #"{"d": "x"}"#,
            ],
            expected: [
                "a": "<secret a> Base-Secrets.json:1 X-Env.json:1 Base-Env.json:1",
                "b": "<secret b> One-Secrets.plist:4 Base-Secrets.json:1 Base-Env.json:1",
                "c": "<secret c> Two-Secrets.json:1 One-Secrets.plist:4 Base-Secrets.json:1 Base-Env.json:1",
                "d": "<secret d> X-Secrets.json:1 Two-Secrets.json:1 One-Secrets.plist:4 Base-Secrets.json:1 "
                    + "Base-Env.json:1",
            ]),
        Case(
            name: "Secrets of Base are read without a file for Base, and declare themselves",
            files: [
                "X-Env.json": #"{"$secrets": ["k"]}"#, "Base-Secrets.json": #"{"$secrets": ["l"], "k": "a", "l": "b"}"#,
            ],
            expected: ["k": "<secret k> Base-Secrets.json:1 X-Env.json:1", "l": "<secret l> Base-Secrets.json:1"]),
        Case(
            name: "A property list declares secrets by `$secrets`, with an empty text or without",
            files: [
                "Base-Env.plist": EnvironmentFixture.propertyList(
                    """
                    <key>$secrets</key><array><string>k</string><string>l</string>
                    <string>d.k</string><string>m</string><string>gone</string></array>
                    <key>l</key><string></string>
                    <key>d</key><dict><key>host</key><string>h</string></dict>
                    """),
                "X-Env.plist": EnvironmentFixture.propertyList("<key>$unset</key><array><string>gone</string></array>"),
                "X-Secrets.plist": EnvironmentFixture.propertyList(
                    "<key>k</key><string>1</string>\n<key>l</key><string>2</string>\n<key>m</key><string>3</string>"),
            ],
            variables: ["ENV__D__K": "4", "ENV__M": ""],
            expected: [
                "k": "<secret k> X-Secrets.plist:4 Base-Env.plist:4",
                "l": "<secret l> X-Secrets.plist:5 Base-Env.plist:6",
                "m": "<secret m> X-Secrets.plist:6 Base-Env.plist:5",
                "d.k": "<secret d.k> process variable ENV__D__K Base-Env.plist:5", "d.host": "h Base-Env.plist:7",
                "gone": "-",
            ]),
        Case(
            name: "An inherited secret does not restore an unset key",
            files: [
                "Base-Env.json": #"{"$secrets": ["k", "d.k", "e.k"], "k": null, "d": {"k": null}, "e": {"k": null}}"#,
                "X-Env.json": #"{"$unset": ["k", "d", "e.k"]}"#,
                "Base-Secrets.json": #"{"k": "a", "d": {"k": "b"}, "e": {"k": "c"}}"#,
            ],
            expected: ["k": "-", "d": "-", "e.k": "-"]),
        Case(
            name: "A sealed environment reads only its own secrets",
            files: [
                "Base-Env.json": #"{"$secrets": ["k", "l"], "k": null, "l": null}"#,
                "X-Env.json": #"{"description": "Testing"}"#,
                "Base-Secrets.json": #"{"k": "base", "l": "base"}"#, "X-Secrets.json": #"{"l": "x"}"#,
            ],
            expected: ["k": "null Base-Env.json:1", "l": "<secret l> X-Secrets.json:1 Base-Env.json:1"]),
        Case(
            name: "Dictionaries merge, lists and scalars replace",
            files: [
                "Base-Env.json": #"{"d": {"a": 1, "e": {"x": 1, "y": 2}}, "l": [1, 2, 3], "s": "old"}"#,
                "X-Env.json": #"{"d": {"b": 2, "e": {"y": 3}}, "l": [4], "s": "new"}"#,
            ],
            expected: [
                "d.a": "1 Base-Env.json:1", "d.b": "2 X-Env.json:1", "d.e.x": "1 Base-Env.json:1",
                "d.e.y": "3 X-Env.json:1 Base-Env.json:1", "l": "a list of 1 X-Env.json:1 Base-Env.json:1",
                "s": "new X-Env.json:1 Base-Env.json:1",
            ]),
        Case(
            name: "An integer over a real number becomes real, and a real number can replace an integer",
            files: ["Base-Env.json": #"{"a": 1.5, "b": 1}"#, "X-Env.json": #"{"a": 2, "b": 2.5}"#],
            expected: ["a": "2.0 X-Env.json:1 Base-Env.json:1", "b": "2.5 X-Env.json:1 Base-Env.json:1"]),
        Case(
            name: "Dates and data of a property list can be overridden by text in JSON",
            files: [
                "Base-Env.plist": EnvironmentFixture.propertyList(
                    "<key>at</key><date>2026-01-31T12:00:00Z</date>\n<key>blob</key><data>AQID</data>"),
                "X-Env.json": #"{"at": "2027-01-31T12:00:00.5Z", "blob": "BAUGBw=="}"#,
            ],
            expected: [
                "at": "2027-01-31T12:00:00.500Z X-Env.json:1 Base-Env.plist:4",
                "blob": "4 bytes X-Env.json:1 Base-Env.plist:5",
            ]),
        Case(
            name: "Text in JSON can be overridden by dates and data of a property list",
            files: [
                "Base-Env.json": #"{"at": "2027-01-31T12:00:00Z", "blob": "BAUGBw==", "n": 1}"#,
                "X-Env.plist": EnvironmentFixture.propertyList(
                    "<key>at</key><date>2026-01-31T12:00:00Z</date><key>blob</key><data>AQID</data><key>n</key><real>2</real>"
                ),
            ],
            expected: [
                "at": "2026-01-31T12:00:00Z X-Env.plist:4 Base-Env.json:1",
                "blob": "3 bytes X-Env.plist:4 Base-Env.json:1", "n": "2.0 X-Env.plist:4 Base-Env.json:1",
            ]),
        Case(
            name: "A null declares a key, and any type can replace it",
            files: [
                "Base-Env.json": #"{"a": null, "b": null, "c": {"d": null}}"#,
                "X-Env.json": #"{"a": "text", "b": [1], "c": {"d": 1}}"#,
            ],
            expected: [
                "a": "text X-Env.json:1 Base-Env.json:1", "b": "a list of 1 X-Env.json:1 Base-Env.json:1",
                "c.d": "1 X-Env.json:1 Base-Env.json:1",
            ]),
        Case(
            name: "A null removes the value of an optional key",
            files: ["Base-Env.json": #"{"$optional": ["a"], "a": 1}"#, "X-Env.json": #"{"a": null}"#],
            expected: ["a": "null X-Env.json:1 Base-Env.json:1"]),
        Case(
            name: "A null keeps the type of the key for variables",
            files: ["Base-Env.json": #"{"$optional": ["a"], "a": 1}"#, "X-Env.json": #"{"a": null}"#],
            variables: ["ENV__A": "7"],
            expected: ["a": "7 process variable ENV__A X-Env.json:1 Base-Env.json:1"]),
        Case(
            name: "An unset key is removed",
            files: [
                "Base-Env.json": #"{"a": 1, "d": {"x": 1, "y": 2}}"#,
                "X-Env.json": #"{"$unset": ["a", "d.x"]}"#,
            ],
            expected: ["a": "-", "d.x": "-", "d.y": "2 Base-Env.json:1"]),
        Case(
            name: "A key that is both unset and set is replaced completely, by any type",
            files: [
                "Base-Env.json": #"{"d": {"x": 1, "y": 2}, "a": 1}"#,
                "X-Env.json": #"{"d": {"z": 3}, "a": "text", "$unset": ["d", "a"]}"#,
            ],
            expected: ["d.x": "-", "d.z": "3 X-Env.json:1", "a": "text X-Env.json:1"]),
        Case(
            name: "A secret can be unset",
            files: ["Base-Env.json": #"{"$secrets": ["k"], "k": null}"#, "X-Env.json": #"{"$unset": ["k"]}"#],
            expected: ["k": "-"]),
        Case(
            name: "Variables are read as the types of the files",
            files: [
                "X-Env.json":
                    #"{"text": "a", "flag": false, "whole": 1, "real": 1.5, "list": ["a"], "a": {"sampleRate": 1.0}}"#
            ],
            variables: [
                "ENV__TEXT": "b", "ENV__FLAG": "YES", "ENV__WHOLE": "-3", "ENV__REAL": "2",
                "ENV__LIST": "[\"b\", \"c\"]",
                "ENV__A__SAMPLE_RATE": "0.5", "OTHER": "x", "ENV": "x", "ENV_X": "x",
            ],
            expected: [
                "text": "b process variable ENV__TEXT X-Env.json:1",
                "flag": "true process variable ENV__FLAG X-Env.json:1",
                "whole": "-3 process variable ENV__WHOLE X-Env.json:1",
                "real": "2.0 process variable ENV__REAL X-Env.json:1",
                "list": "a list of 2 process variable ENV__LIST X-Env.json:1",
                "a.sampleRate": "0.5 process variable ENV__A__SAMPLE_RATE X-Env.json:1",
            ]),
        Case(
            name: "Variables are read as dates and data if a property list declares those",
            files: [
                "X-Env.plist": EnvironmentFixture.propertyList(
                    "<key>at</key><date>2026-01-31T12:00:00Z</date><key>blob</key><data>AQID</data>")
            ],
            variables: ["ENV__AT": "2027-01-31T12:00:00Z", "ENV__BLOB": "AQ=="],
            expected: [
                "at": "2027-01-31T12:00:00Z process variable ENV__AT X-Env.plist:4",
                "blob": "1 bytes process variable ENV__BLOB X-Env.plist:4",
            ]),
        Case(
            name: "A variable can name a file, whose trailing line break is ignored",
            files: [
                "X-Env.json": #"{"$secrets": ["k"], "k": null, "a": 1, "b": "x"}"#, "key.txt": "s3cret\n",
                "number.txt": "7", "lines.txt": "one\r\ntwo\r\n",
            ],
            variables: [
                "ENV_FILE__K": "FOLDER/key.txt", "ENV_FILE__A": "FOLDER/number.txt", "ENV_FILE__B": "FOLDER/lines.txt",
            ],
            expected: [
                "k": "<secret k> process variable ENV_FILE__K X-Env.json:1",
                "a": "7 process variable ENV_FILE__A X-Env.json:1",
                "b": "one\r\ntwo process variable ENV_FILE__B X-Env.json:1",
            ]),
        Case(
            name: "Variable names are the words of the keys",
            files: [
                "X-Env.json": #"""
                {"apiBasePath": 1, "baseURL": 1, "baseURLKey": 1, "x-y z": 1, "http2Port": 1, "A": {"B": 1}, "größe": 1}
                """#
            ],
            variables: [
                "ENV__API_BASE_PATH": "2", "ENV__BASE_URL": "2", "ENV__BASE_URL_KEY": "2", "ENV__X_Y_Z": "2",
                "ENV__HTTP2_PORT": "2", "ENV__A__B": "2", "ENV__GRÖSSE": "2",
            ],
            expected: [
                "apiBasePath": "2 process variable ENV__API_BASE_PATH X-Env.json:1",
                "baseURL": "2 process variable ENV__BASE_URL X-Env.json:1",
                "baseURLKey": "2 process variable ENV__BASE_URL_KEY X-Env.json:1",
                "x-y z": "2 process variable ENV__X_Y_Z X-Env.json:1",
                "http2Port": "2 process variable ENV__HTTP2_PORT X-Env.json:1",
                "A.B": "2 process variable ENV__A__B X-Env.json:1",
            ]),
        Case(
            name: "The highest layer sets reserved values, and the lists of all layers are merged",
            files: [
                "Base-Env.json": #"{"$network": "sealed", "$timeout": 5, "$secrets": ["a"], "a": null}"#,
                "X-Env.json": #"{"$network": "mocksThenLive", "$secrets": ["b"], "b": null}"#,
            ],
            variables: ["ENV__A": "1234", "ENV__B": "5678"],
            expected: [
                "$network": "mocksThenLive X-Env.json:1", "$timeout": "5 Base-Env.json:1",
                "a": "<secret a> process variable ENV__A Base-Env.json:1",
                "b": "<secret b> process variable ENV__B X-Env.json:1",
            ]),
        Case(
            name: "Keys can use any script",
            files: ["Base-Env.json": #"{"🦉": {"é": 1}}"#, "X-Env.json": "{\"🦉\": {\"e\u{301}\": 2}}"],
            expected: ["🦉.é": "2 X-Env.json:1 Base-Env.json:1"]),
        Case(
            name: "A byte order mark is skipped",
            files: ["X-Env.json": "\u{FEFF}{\n\"a\": 1}"], expected: ["a": "1 X-Env.json:2"]),
    ]

    @Test(arguments: cases) func `Layers merge to the expected values`(_ layering: Case) throws {
        let fixture = try EnvironmentFixture(layering.files)
        let layers = try fixture.layers(variables: layering.variables)
        #expect(fixture.report(layers) == "")
        for (key, expected) in layering.expected {
            let found = layers[key].map { setting in
                let places = layers.sources(of: key).map(\.description).joined(separator: " ")
                return fixture.withoutPath("\(layers.shown(setting.value, at: key)) \(places)")
            }
            #expect(found ?? "-" == expected, "\(key)")
        }
    }
}
