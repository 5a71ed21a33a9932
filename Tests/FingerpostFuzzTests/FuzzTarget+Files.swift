import TestSupport

@testable import FingerpostBuilding
@testable import FingerpostCatalog
@testable import FingerpostChecks
@testable import FingerpostDocuments
@testable import FingerpostFiles
@testable import FingerpostMockFiles
@testable import FingerpostTooling

// Parsers of the files that users write.
extension FuzzTarget {
    static let files: [FuzzTarget] = [
        json, propertyListXML, propertyListBinary, environmentLayers, environmentVariables, endpointFile, placeholders,
        mockSettings, scenarios, mockFileName, mockRoute, iso8601, secretShapes, secretValues,
    ]

    private static let json = FuzzTarget(
        "JSON",
        [
            #"{"a": [1, -2.5e3, true, false, null, "é\u00e9\n\uD83E\uDD89"], "b": {"": {}}}"#, "[[[[]]]]", "0",
            #""x""#, "{\n  \"a\": \"b\"\r\n}", "\u{FEFF}[1]", "9223372036854775807",
        ], tokens: ["[", "]", "{", "}", ",", "true", "null", "\\u", "\\uD83E", "1e308", "1E999", "-0", "99999999999"]
    ) { data in
        let node = try JSONReader.read(data)
        // Foundation skips a byte order mark only in some places.
        let text = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
        let isForFoundation = (try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)) != nil
        try FuzzFinding.check(isForFoundation, "accepted, but Foundation rejects it")
        _ = try? FoundationReader.read(data, path: "x.json")
        // Foundation's encoder leaves one of several equal keys, so the texts are equal only from then on.
        let written = try JSONReader.read(node.json())
        try FuzzFinding.check(
            try written.json() == JSONReader.read(written.json()).json(), "changes when written again")
    }

    private static let propertyListXML = FuzzTarget(
        "XML property list",
        [
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict><key>a</key><string>x &amp; <![CDATA[<y>]]></string><!-- c -->
            <key>n</key><array><integer>-7</integer><real>1.5</real><true/><false/></array>
            <key>d</key><date>2026-01-31T12:00:00Z</date><key>b</key><data>AQID</data></dict></plist>
            """, "<plist><array><dict/><string/></array></plist>", "<plist><integer>0x1F</integer></plist>",
        ],
        tokens: [
            "<array>", "</array>", "<dict>", "</dict>", "<key>a</key>", "<string>", "</string>", "<!--", "-->",
            "<![CDATA[",
            "]]>", "&#65;", "&lt;", "<integer>", "</integer>", "<true/>", "<date>", "<data>", "CF$UID", "<!DOCTYPE",
        ]
    ) { data in
        let root = try Document(propertyList: data, path: "x.plist").root
        guard let ours = try PropertyListXML.read(Array(data)) else { return }
        let object = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        guard let object, let foundation = try? FoundationReader.node(object) else {
            throw FuzzFinding("accepted, but Foundation rejects it")
        }
        try FuzzFinding.check(ours.normal == root.normal, "two readings differ")
        try FuzzFinding.check(ours.normal == foundation.normal, "not as Foundation reads it: \(ours.normal)")
    }

    private static let propertyListBinary = FuzzTarget("binary property list", data: binaries) { data in
        _ = try? FoundationReader.read(data, path: "x.plist")
        let root = try BuildParser.read(data, path: "x.plist", .file).root
        try FuzzFinding.check(root.size <= data.count, "\(root.size) values from \(data.count) bytes")
        _ = try root.json()
    }

    private static let binaries: [Data] = {
        let objects: [Any] = [
            [
                "a": [1, 255, 65_536, -1, 1.5, true, "é", "ascii", Data([1]), Date(timeIntervalSince1970: 0)],
                "b": ["c": [Int]()],
            ],
            [["k": "v"], ["k": "v"], ["k": "v"]], Dictionary(uniqueKeysWithValues: (0..<40).map { ("\($0)", $0) }),
        ]
        return objects.compactMap {
            try? PropertyListSerialization.data(fromPropertyList: $0, format: .binary, options: 0)
        }
    }()

    private static let environmentLayers = FuzzTarget(
        "environment file",
        [
            """
            {"$extends": "Base", "$secrets": ["key", "a.b"], "$optional": ["o"], "$unset": ["u"], "$network": "live",
            "$dialect": "rails", "$timeout": 2.5, "description": "Live", "baseURL": "https://h.example", "key": "s",
            "a": {"b": 1, "c": [1]}, "list": [{"x": null}]}
            """
        ], tokens: ["$secrets", "$extends", "$unset", "$network", "baseURL", "\"a.b\"", "a", ".", "sealed", "Testing"]
    ) { data in
        let document = try Document(json: data, path: "X-Env.json")
        for parser in [strictParser, nil] as [(any StrictParsing.Type)?] {
            let layers = LayeredEnvironment(document, name: "X", parser: parser)
            for path in ["a.b", "baseURL", "list.0", "", ".", "$secrets"] { _ = layers.root[path: path] }
            _ = layers.problems.map(\.description)
        }
    }

    private static let environmentVariables = FuzzTarget.text(
        "environment variable",
        ["ENV__A__B=1", "ENV__BASE_URL=https://h.example", "ENV__LIST=[1, 2]", "ENV__A_FILE=x"],
        tokens: ["ENV__", "__", "_", "A", "=", "[", "{\"a\":1}"]
    ) { text in
        let pair = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        _ = EnvironmentVariables([pair[0]: pair.count > 1 ? pair[1] : ""])
        _ = EnvironmentVariables.name(for: text)
    }

    private static let endpointFile = FuzzTarget(
        "endpoint file",
        [
            """
            {"host": "h.example", "port": 80, "headers": {"A": "b"}, "queries": {"q": "{q}"},
            "get": {"path": "a/{id}", "httpMethod": "PUT", "body": {"x": ["{n}", "{{y}}"]}, "timeout": 1.5},
            "list": {"queries": [{"page": "{page}"}], "authorization": "none", "mock": "m"}}
            """
        ], tokens: ["{id}", "{{", "}}", "\"scheme\"", "\"http\"", "\"path\"", "\"headers\"", "\"body\"", "\"a\": {}"]
    ) { data in
        let file = try EndpointFile(data: data, path: "e.json")
        for name in file.names {
            guard let endpoint = file.endpoint(name) else { throw FuzzFinding("\(name) is listed and missing") }
            _ = (endpoint.headers, endpoint.queries, endpoint.authorization)
        }
    }

    private static let placeholders = FuzzTarget.text(
        "placeholders", ["a/{id}/b", "{{x}}", "{a}{b}", "plain"], tokens: ["{", "}", "{{", "}}", "{a}"]
    ) { text in
        let placeholders = Placeholders(text)
        guard placeholders.malformed == nil else { return }
        // Written again, the pieces are the text.
        let written = placeholders.pieces.map { piece in
            switch piece {
            case .text(let text): text.replacing("{", with: "{{").replacing("}", with: "}}")
            case .placeholder(let name): "{\(name)}"
            }
        }
        try FuzzFinding.check(written.joined() == text, "the pieces are \(placeholders.pieces)")
    }

    private static func index(_ files: [String]) -> MockIndex {
        MockIndex(url: URL(fileURLWithPath: "/"), entries: files.map { .init(path: $0, kind: .file) })
    }

    private static let mockSettings = FuzzTarget(
        "mock settings",
        [
            """
            {"status": 404, "headers": {"A": "b"}, "delay": {"median": 0.1, "p99": 2}, "for": "GET /a/{id}",
            "then": {"list": "full"}}
            """, #"{"sequence": [{"status": 500}, {"delay": [0.1, 0.2]}], "after": "loop"}"#,
            #"{"failure": "timedOut"}"#,
            #"{"pace": {"each": "bytes:4096", "delay": 0.2}, "failure": "truncated", "after": 3}"#,
            #"{"pace": {"each": "event"}, "open": true}"#,
            #"{"recorded": {"at": "2026-01-31T12:00:00Z", "expires": "30d"}}"#,
        ],
        tokens: [
            "\"sequence\"", "\"status\"", "1e9", "-1", "\"body\"", "\"pace\"", "\"after\"", "\"open\"", "bytes:",
        ]
    ) { data in
        let index = index(["user.json"])
        do throws(InvalidFile) {
            _ = try MockSettingsReader.read("user.mock.json", in: index) { data }
        } catch {
            try FuzzFinding.check(!error.problems.isEmpty, "rejected without a problem")
            // The seeds name bodies and keys that this index lacks.
            _ = error.problems.map(\.description)
        }
    }

    private static let scenarios = FuzzTarget(
        "scenarios and orders",
        [
            #"{"login": "locked", "*": {"delay": 2, "failure": "notConnectedToInternet"}}"#,
            #"{"login": {"variant": "locked", "times": 2}, "user": {"status": 500, "delay": 0.25}}"#,
            #"{"user": {"status": 200, "body": "{\"login\": \"octocat\"}"}, "*": "locked"}"#,
        ],
        tokens: [
            "\"login\"", "\"*\"", "\"variant\"", "\"locked\"", "\"times\"", "\"failure\"", "\"truncated\"", "\"body\"",
            "1e9", "-1", "null",
        ]
    ) { data in
        let folder = index(["login.json", "login.locked.423.json", "user.json"])
        let document = try Document(json: data, path: "_scenarios.json")
        let root = Node.Entry(key: "offline", node: document.root)
        for allowsBodies in [false, true] {
            var reader = ObjectReader(document)
            let changes = MockChanges(root, in: folder, allowsBodies: allowsBodies, &reader)
            _ = reader.problems.map(\.description)
            for name in ["login", "user"] {
                guard let change = changes.change(of: name, in: folder) else { continue }
                if let variant = change.variant {
                    try FuzzFinding.check(folder.stub(named: name)[variant] != nil, "\(name) has no \(variant)")
                }
                if case .fixed(let delay)? = change.delay {
                    try FuzzFinding.check((.zero ... .seconds(86_400)).contains(delay), "a delay of \(delay)")
                }
            }
        }
    }

    private static let mockFileName = FuzzTarget.text(
        "mock file name",
        [
            "login.locked.423.json", "avatar.small.png", "users/show.json", "login.mock.json", "logout.204",
            "a.b.c.d.e", "ticker.busy.503.events", "ticker.ndjson", "ticker.events.mock.json",
        ],
        tokens: [".json", ".mock", ".events", ".ndjson", ".401", ".png", "a", "."]
    ) { text in
        let index = index([text, "login.json", text + ".json", "a.json"])
        for reading in MockFileName.readings(of: text) {
            try FuzzFinding.check(reading.path.isSame(as: text), "\(reading) is the file \(reading.path)")
        }
        let owner = index.owner(of: text)
        if MockFileName.objection(to: owner.mock) == nil {
            let parts = owner.mock.split(separator: "/", omittingEmptySubsequences: false)
            try FuzzFinding.check(
                !parts.contains("..") && !owner.mock.hasPrefix("/"), "\(owner.mock) leaves the folder")
        }
        _ = index.stub(named: text)
    }

    private static let mockRoute = FuzzTarget.text(
        "mock route", ["GET /a/{id}", "POST /", "DELETE a/b"], tokens: ["GET", " ", "{", "}", "{x}"]
    ) { _ = try MockRoute($0) }

    private static let iso8601 = FuzzTarget.text(
        "ISO 8601",
        ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.123+02:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"],
        tokens: ["-", ":", "T", "Z", "+00:00", "99", "."]
    ) { text in
        guard let date = ISO8601Text.date(text), ISO8601Text.canWrite(date) else { return }
        let written = ISO8601Text.text(of: date)
        let difference = ISO8601Text.date(written).map { abs($0.timeIntervalSince(date)) }
        try FuzzFinding.check(
            difference.map { $0 < 0.00051 } ?? false, "\(date.timeIntervalSince1970) is written as \(written)")
    }

    private static let secretShapes = FuzzTarget(
        "secrets by their shape",
        [
            "ghp_" + String(repeating: "a1B2c3", count: 6),
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", "xoxb-1-2",
        ],
        tokens: ["ghp_", "AKIA", "-----BEGIN ", "eyJ", "sk_live_"]
    ) { data in
        for found in Array(data).shapedSecrets {
            let isInside = !found.range.isEmpty && found.range.upperBound <= data.count
            try FuzzFinding.check(isInside, "found at \(found.range)")
        }
    }

    private static let secretValues = FuzzTarget.text(
        "secrets by their value", ["ab|bab|aabbabab", "aaa|aa|b|abaaaab"], tokens: ["|", "a", "b", "aabb"]
    ) { text in
        // Letters alone: nothing escapes them.
        let parts = text.filter { "ab|".contains($0) }.split(separator: "|").map(String.init)
        guard let sample = parts.last else { return }
        var hidden = Set<Int>()
        for value in parts.dropLast() {
            for start in 0..<sample.count where sample.dropFirst(start).hasPrefix(value) {
                hidden.formUnion(start..<start + value.count)
            }
        }
        let found = SecretScanner(parts.dropLast().map { ($0, "", isWord: false) }).hide(sample)
        let expected = String(sample.enumerated().filter { !hidden.contains($0.offset) }.map(\.element))
        try FuzzFinding.check(found == expected, "\(found) is left of \(sample)")
    }
}

extension Node {
    /// The number of values and keys.
    fileprivate var size: Int {
        switch value {
        case .array(let elements): elements.reduce(1) { $0 + $1.size }
        case .dictionary(let entries): entries.reduce(1) { $0 + $1.node.size + 1 }
        default: 1
        }
    }
}
