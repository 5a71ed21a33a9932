@testable import FingerpostFiles

/// What an app without the strict readers refuses: what could send calls to a server, or show a secret.
@Suite(.inTurn) struct WithoutStrictParserTests {
    /// Files, and parts of a problem that is reported.
    private static let cases =
        WrittenCase.table(
            #"""
            A value of a reserved key
            X-Env.json = {"$network": "seald"}
            X-Env.json … "seald" is not a valid value of "$network" (did you mean "sealed"?) … Fix: use

            A byte order mark
            X-Env.json = {↵ "\#u{FEFF}$network": "live"}
            X-Env.json:2:3 … a byte order mark (U+FEFF) … Fix: remove

            A key with a character that nothing shows
            X-Env.json = {"base\#u{200D}URL": "https://a.example"}
            X-Env.json … the key "base\u{200D}URL" contains a character that nothing shows … Fix:

            A key in a list
            X-Env.json = {"l": [{"\n": 1}]}
            X-Env.json … the key "\n" contains a character that nothing shows … Fix:

            A list of keys
            X-Env.json = {"$optional": ["a\ufeff"]}
            X-Env.json … "$optional" contains a character that nothing shows … Fix:

            A base URL
            X-Env.json = {"baseURL": "https://a.example\u200b"}
            X-Env.json … "baseURL" contains a character that nothing shows … Fix:

            Secrets that are no list
            X-Env.json = {"$secrets": "apiKey", "apiKey": null}
            X-Env.json … "$secrets" is a string where a list of keys is expected … Fix: write

            Letter case of a base URL
            Base-Env.json = {"baseURL": "https://a.example"}
            X-Env.json = {"baseUrl": "https://b.example"}
            the keys "baseUrl" and "baseURL" … differ only in letter case … Fix:

            A variable in a base URL
            X-Env.json = {"baseURL": "$(API_URL)"}
            X-Env.json … baseURL … contains a variable that was not replaced … Fix:

            A variable in a secret
            X-Env.json = {"$secrets": ["key"], "key": null}
            X-Secrets.json = {"key": "$(API_TOKEN)"}
            X-Secrets.json … key … contains a variable that was not replaced … Fix:

            An almost testing environment
            X-Env.json = {"description": "testing"}
            X-Env.json … description … Testing … Fix:

            An unknown reserved key
            X-Env.json = {"$netwrok": "sealed"}
            X-Env.json … unknown key "$netwrok" (did you mean "$network"?) … Fix:

            A misspelled secret
            X-Env.json = {"$secrets": ["apiKye"], "apiKey": "x"}
            X-Env.json … the secret "apiKye" has no value … Fix:

            A broken file
            X-Env.json = {
            X-Env.json … syntax error … Fix:
            """#)
        + ["\\nTesting", "Testing\\n", "Testing\\u0000", "\u{200B}testing\u{AD}", "ＴＥＳＴＩＮＧ", "\\ufeffTesting"].flatMap {
            WrittenCase.table(
                """
                A description that is almost Testing
                X-Env.json = {"description": "\($0)"}
                X-Env.json … the description … is not "Testing", so calls would be sent to the server
                """)
        }

    @Test(arguments: cases) func `What could send calls to a server is refused`(_ example: WrittenCase) throws {
        try LinkedParser.$isHidden.withValue(true) {
            let problems = try EnvironmentFixture(example.files).layers().problems.map(\.description)
            let parts = example.expected.flatMap { $0.components(separatedBy: " … ") }
            #expect(problems.contains { problem in parts.allSatisfy { problem.contains($0) } }, "\(problems)")
        }
    }

    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16, .utf32])
    func `JSON that is not UTF-8 is refused, because a byte order mark would not be found`(
        encoding: String.Encoding
    ) throws {
        try LinkedParser.$isHidden.withValue(true) {
            let fixture = try EnvironmentFixture([:])
            try fixture.folder.write("{\"\u{FEFF}$network\": \"live\"}".data(using: encoding)!, to: "X-Env.json")
            #expect(try fixture.layers().problems.map(\.message) == ["the file is not UTF-8"])
        }
    }

    /// Texts with a key twice, which the strict parser alone refuses, and texts with a key once.
    private static let keys: [(name: String, text: String, isTwice: Bool)] = [
        ("X-Env.json", #"{"$network": "sealed", "$network" : "sealed"}"#, true),
        ("X-Env.json", #"{"$network": "sealed", "\u0024network": "sealed"}"#, true),
        ("X-Env.json", #"{"description": "a", "description": "a"}"#, true),
        ("X-Env.json", #"{"baseURL": "https://a.example", "base\u0055RL": "https://a.example"}"#, true),
        ("X-Env.plist", twice("&#36;network"), true), ("X-Env.plist", twice("<![CDATA[$network]]>"), true),
        ("X-Env.plist", twice("$network</key ><string>sealed</string><key>$log"), true),
        (
            "X-Env.plist",
            """
            <plist><dict><!-- <key>$network</key><string>live</string> -->
            <key>$network</key><string>sealed</string></dict></plist>
            """, false
        ),
        (
            "X-Env.plist",
            """
            <plist><dict><key>$network</key><string>sealed</string>
            <key>help</key><string>"$network": live, or "$network": sealed</string></dict></plist>
            """, false
        ),
    ]

    private static func twice(_ key: String) -> String {
        "<plist><dict><key>$network</key><string>sealed</string><key>\(key)</key><string>off</string></dict></plist>"
            .replacingOccurrences(of: ">off<", with: key.contains("log") ? ">off<" : ">sealed<")
    }

    @Test func `The strict parser alone looks for keys that are there twice`() throws {
        for (name, text, isTwice) in Self.keys {
            let fixture = try EnvironmentFixture([name: text])
            let strict = try fixture.layers().problems.map(\.message)
            let other = try LinkedParser.$isHidden.withValue(true) { try fixture.layers().problems.map(\.message) }
            let found = (strict.contains { $0.begins(with: "duplicate key") }, strict.isEmpty, other)
            #expect(found == (isTwice, !isTwice, []), "\(text): \(strict)")
        }
    }

    @Test func `Every value of a secrets file is secret, listed or not`() throws {
        try LinkedParser.$isHidden.withValue(true) {
            let layers = try EnvironmentFixture([
                "X-Env.json": #"{"baseURL": "https://a.example", "maps": {"key": "committed"}}"#,
                "X-Secrets.json": #"{"token": "s3cret-value", "maps": {"key": "s3cret-2"}}"#,
            ]).layers()
            let texts = layers.secretTexts.map(\.text)
            let found = [layers.rules.secrets.contains("token"), layers.rules.secrets.contains("maps.key")]
            #expect((layers.problems.map(\.message), found) == ([], [true, true]))
            #expect(Set(texts).isSuperset(of: ["s3cret-value", "s3cret-2"]), "\(texts)")
        }
    }

    @Test(arguments: [
        "X-Secrets.json": #"{"token": s3cret-value}"#,
        "X-Secrets.plist": "<plist><dict><key>token</key><s3cret-value>s3cret-value</s3cret-value></dict></plist>",
    ])
    func `A secrets file that cannot be read shows nothing of it`(name: String, text: String) throws {
        try LinkedParser.$isHidden.withValue(true) {
            let problems = try EnvironmentFixture([
                "X-Env.json": #"{"$secrets": ["token"], "token": null}"#, name: text,
            ]).layers().problems.map(\.description).joined(separator: "\n")
            #expect((problems.contains(name), problems.contains("s3cret-value")) == (true, false), "\(problems)")
        }
    }
}
