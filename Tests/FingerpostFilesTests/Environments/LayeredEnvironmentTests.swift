@testable import FingerpostDocuments
@testable import FingerpostFiles

@Suite(.inTurn) struct LayeredEnvironmentTests {
    /// Files and variables, and for keys the value, its source, and the sources that it replaced.
    private static let cases = WrittenCase.table(
        #"""
        The target overrides Base
        Base-Env.json = {"a": 1, "b": 2}
        X-Env.json = {↵"b": 3, "c": 4}
        a: 1 Base-Env.json:1
        b: 3 X-Env.json:2 Base-Env.json:1
        c: 4 X-Env.json:2

        An $extends chain lies between Base and the target, nearest on top
        Base-Env.json = {"a": "base", "b": "base", "c": "base", "d": "base"}
        One-Env.json = {"b": "one", "c": "one", "d": "one"}
        Two-Env.json = {"$extends": "One", "c": "two", "d": "two"}
        X-Env.json = {"$extends": "Two", "d": "x"}
        a: base Base-Env.json:1
        b: one One-Env.json:1 Base-Env.json:1
        c: two Two-Env.json:1 One-Env.json:1 Base-Env.json:1
        d: x X-Env.json:1 Two-Env.json:1 One-Env.json:1 Base-Env.json:1

        A target can name Base in $extends
        Base-Env.json = {"a": 1}
        X-Env.json = {"$extends": "Base"}
        a: 1 Base-Env.json:1

        Secrets override the target, and variables override secrets
        Base-Env.json = {"$secrets": ["k", "l"], "k": null, "l": null}
        X-Env.json = {}
        X-Secrets.json = {"k": "from the file", "l": "from the file"}
        ENV__L = from the variable
        k: <secret k> X-Secrets.json:1 Base-Env.json:1
        l: <secret l> environment variable ENV__L X-Secrets.json:1 Base-Env.json:1

        The secrets of another target are not read
        Base-Env.json = {"$secrets": ["k"], "$optional": ["k"], "k": null}
        One-Env.json = {}
        One-Secrets.json = {"k": "no"}
        X-Env.json = {}
        k: null Base-Env.json:1

        Secrets are inherited from Base and by $extends, above all committed files and nearest on top
        Base-Env.json = {"$secrets": ["a", "b", "c", "d"], "a": null, "b": null, "c": null, "d": null}
        Base-Secrets.json = {"a": "base", "b": "base", "c": "base", "d": "base"}
        One-Env.json = {}
        One-Secrets.plist = <key>b</key><string>1</string><key>c</key><string>1</string><key>d</key><string>1</string>
        Two-Env.json = {"$extends": "One"}
        Two-Secrets.json = {"c": "two", "d": "two"}
        X-Env.json = {"$extends": "Two", "a": null}
        X-Secrets.json = {"d": "x"}
        a: <secret a> Base-Secrets.json:1 X-Env.json:1 Base-Env.json:1
        b: <secret b> One-Secrets.plist:4 Base-Secrets.json:1 Base-Env.json:1
        c: <secret c> Two-Secrets.json:1 One-Secrets.plist:4 Base-Secrets.json:1 Base-Env.json:1
        d: <secret d> X-Secrets.json:1 Two-Secrets.json:1 One-Secrets.plist:4 Base-Secrets.json:1 Base-Env.json:1

        Secrets of Base are read without a file for Base, and declare themselves
        Base-Secrets.json = {"$secrets": ["l"], "k": "a", "l": "b"}
        X-Env.json = {"$secrets": ["k"]}
        k: <secret k> Base-Secrets.json:1 X-Env.json:1
        l: <secret l> Base-Secrets.json:1

        A property list declares secrets by `$secrets`, with an empty text or without
        Base-Env.plist = <key>$secrets</key><array><string>k</string><string>l</string>
        ↵<string>d.k</string><string>m</string><string>gone</string></array>↵<key>l</key><string></string>
        ↵<key>d</key><dict><key>host</key><string>h</string></dict>
        X-Env.plist = <key>$unset</key><array><string>gone</string></array>
        X-Secrets.plist = <key>k</key><string>1</string>↵<key>l</key><string>2</string>↵<key>m</key><string>3</string>
        ENV__D__K = 4
        ENV__M =
        d.host: h Base-Env.plist:7
        d.k: <secret d.k> environment variable ENV__D__K Base-Env.plist:5
        gone: -
        k: <secret k> X-Secrets.plist:4 Base-Env.plist:4
        l: <secret l> X-Secrets.plist:5 Base-Env.plist:6
        m: <secret m> X-Secrets.plist:6 Base-Env.plist:5

        An inherited secret does not restore an unset key
        Base-Env.json = {"$secrets": ["k", "d.k", "e.k"], "k": null, "d": {"k": null}, "e": {"k": null}}
        Base-Secrets.json = {"k": "a", "d": {"k": "b"}, "e": {"k": "c"}}
        X-Env.json = {"$unset": ["k", "d", "e.k"]}
        d: -
        e.k: -
        k: -

        A sealed environment reads only its own secrets
        Base-Env.json = {"$secrets": ["k", "l"], "k": null, "l": null}
        Base-Secrets.json = {"k": "base", "l": "base"}
        X-Env.json = {"description": "Testing"}
        X-Secrets.json = {"l": "x"}
        k: null Base-Env.json:1
        l: <secret l> X-Secrets.json:1 Base-Env.json:1

        Dictionaries merge, lists and scalars replace
        Base-Env.json = {"d": {"a": 1, "e": {"x": 1, "y": 2}}, "l": [1, 2, 3], "s": "old"}
        X-Env.json = {"d": {"b": 2, "e": {"y": 3}}, "l": [4], "s": "new"}
        d.a: 1 Base-Env.json:1
        d.b: 2 X-Env.json:1
        d.e.x: 1 Base-Env.json:1
        d.e.y: 3 X-Env.json:1 Base-Env.json:1
        l: a list of 1 X-Env.json:1 Base-Env.json:1
        s: new X-Env.json:1 Base-Env.json:1

        An integer over a real number becomes real, and a real number can replace an integer
        Base-Env.json = {"a": 1.5, "b": 1}
        X-Env.json = {"a": 2, "b": 2.5}
        a: 2.0 X-Env.json:1 Base-Env.json:1
        b: 2.5 X-Env.json:1 Base-Env.json:1

        Dates and data of a property list can be overridden by text in JSON
        Base-Env.plist = <key>at</key><date>2026-01-31T12:00:00Z</date>↵<key>blob</key><data>AQID</data>
        X-Env.json = {"at": "2027-01-31T12:00:00.5Z", "blob": "BAUGBw=="}
        at: 2027-01-31T12:00:00.500Z X-Env.json:1 Base-Env.plist:4
        blob: 4 bytes X-Env.json:1 Base-Env.plist:5

        Text in JSON can be overridden by dates and data of a property list
        Base-Env.json = {"at": "2027-01-31T12:00:00Z", "blob": "BAUGBw==", "n": 1}
        X-Env.plist = <key>at</key><date>2026-01-31T12:00:00Z</date><key>blob</key><data>AQID</data><key>n</key><real>2</real>
        at: 2026-01-31T12:00:00Z X-Env.plist:4 Base-Env.json:1
        blob: 3 bytes X-Env.plist:4 Base-Env.json:1
        n: 2.0 X-Env.plist:4 Base-Env.json:1

        A null declares a key, and any type can replace it
        Base-Env.json = {"a": null, "b": null, "c": {"d": null}}
        X-Env.json = {"a": "text", "b": [1], "c": {"d": 1}}
        a: text X-Env.json:1 Base-Env.json:1
        b: a list of 1 X-Env.json:1 Base-Env.json:1
        c.d: 1 X-Env.json:1 Base-Env.json:1

        A null removes the value of an optional key
        Base-Env.json = {"$optional": ["a"], "a": 1}
        X-Env.json = {"a": null}
        a: null X-Env.json:1 Base-Env.json:1

        A null keeps the type of the key for variables
        Base-Env.json = {"$optional": ["a"], "a": 1}
        X-Env.json = {"a": null}
        ENV__A = 7
        a: 7 environment variable ENV__A X-Env.json:1 Base-Env.json:1

        An unset key is removed
        Base-Env.json = {"a": 1, "d": {"x": 1, "y": 2}}
        X-Env.json = {"$unset": ["a", "d.x"]}
        a: -
        d.x: -
        d.y: 2 Base-Env.json:1

        A key that is both unset and set is replaced completely, by any type
        Base-Env.json = {"d": {"x": 1, "y": 2}, "a": 1}
        X-Env.json = {"d": {"z": 3}, "a": "text", "$unset": ["d", "a"]}
        a: text X-Env.json:1
        d.x: -
        d.z: 3 X-Env.json:1

        A secret can be unset
        Base-Env.json = {"$secrets": ["k"], "k": null}
        X-Env.json = {"$unset": ["k"]}
        k: -

        Variables are read as the types of the files
        X-Env.json = {"text": "a", "flag": false, "whole": 1, "real": 1.5, "list": ["a"], "a": {"sampleRate": 1.0}}
        ENV = x
        ENV_X = x
        ENV__A__SAMPLE_RATE = 0.5
        ENV__FLAG = YES
        ENV__LIST = ["b", "c"]
        ENV__REAL = 2
        ENV__TEXT = b
        ENV__WHOLE = -3
        OTHER = x
        a.sampleRate: 0.5 environment variable ENV__A__SAMPLE_RATE X-Env.json:1
        flag: true environment variable ENV__FLAG X-Env.json:1
        list: a list of 2 environment variable ENV__LIST X-Env.json:1
        real: 2.0 environment variable ENV__REAL X-Env.json:1
        text: b environment variable ENV__TEXT X-Env.json:1
        whole: -3 environment variable ENV__WHOLE X-Env.json:1

        Variables are read as dates and data if a property list declares those
        X-Env.plist = <key>at</key><date>2026-01-31T12:00:00Z</date><key>blob</key><data>AQID</data>
        ENV__AT = 2027-01-31T12:00:00Z
        ENV__BLOB = AQ==
        at: 2027-01-31T12:00:00Z environment variable ENV__AT X-Env.plist:4
        blob: 1 bytes environment variable ENV__BLOB X-Env.plist:4

        A variable can name a file, whose trailing line break is ignored
        key.txt = s3cret↵
        lines.txt = one\#u{D}↵two\#u{D}↵
        number.txt = 7
        X-Env.json = {"$secrets": ["k"], "k": null, "a": 1, "b": "x"}
        ENV_FILE__A = FOLDER/number.txt
        ENV_FILE__B = FOLDER/lines.txt
        ENV_FILE__K = FOLDER/key.txt
        a: 7 environment variable ENV_FILE__A X-Env.json:1
        b: one\#u{D}↵two environment variable ENV_FILE__B X-Env.json:1
        k: <secret k> environment variable ENV_FILE__K X-Env.json:1

        Variable names are the words of the keys
        X-Env.json = {"apiBasePath": 1, "baseURL": 1, "baseURLKey": 1, "x-y z": 1, "http2Port": 1, "A": {"B": 1}, "größe": 1}
        ENV__API_BASE_PATH = 2
        ENV__A__B = 2
        ENV__BASE_URL = 2
        ENV__BASE_URL_KEY = 2
        ENV__GRÖSSE = 2
        ENV__HTTP2_PORT = 2
        ENV__X_Y_Z = 2
        A.B: 2 environment variable ENV__A__B X-Env.json:1
        apiBasePath: 2 environment variable ENV__API_BASE_PATH X-Env.json:1
        baseURL: 2 environment variable ENV__BASE_URL X-Env.json:1
        baseURLKey: 2 environment variable ENV__BASE_URL_KEY X-Env.json:1
        http2Port: 2 environment variable ENV__HTTP2_PORT X-Env.json:1
        x-y z: 2 environment variable ENV__X_Y_Z X-Env.json:1

        The highest layer sets reserved values, and the lists of all layers are merged
        Base-Env.json = {"$network": "sealed", "$timeout": 5, "$secrets": ["a"], "a": null}
        X-Env.json = {"$network": "mocksThenLive", "$secrets": ["b"], "b": null}
        ENV__A = 1234
        ENV__B = 5678
        $network: mocksThenLive X-Env.json:1
        $timeout: 5 Base-Env.json:1
        a: <secret a> environment variable ENV__A Base-Env.json:1
        b: <secret b> environment variable ENV__B X-Env.json:1

        Keys can use any script
        Base-Env.json = {"🦉": {"é": 1}}
        X-Env.json = {"🦉": {"e\#u{301}": 2}}
        🦉.é: 2 X-Env.json:1 Base-Env.json:1
        """#)

    @Test(arguments: cases) func `Layers merge to the expected values`(_ layering: WrittenCase) throws {
        let fixture = try EnvironmentFixture(layering.files)
        let layers = try fixture.layers(variables: layering.variables)
        let found = layering.expected.map { line in
            let key = line.components(separatedBy: ": ")[0]
            guard let setting = layers[key] else { return "\(key): -" }
            let places = layers.sources(of: key).map(\.description).joined(separator: " ")
            return fixture.withoutPath("\(key): \(layers.shown(setting.value, at: key)) \(places)")
        }
        #expect((fixture.report(layers), found) == ("", layering.expected))
    }
}
