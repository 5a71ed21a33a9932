import FingerpostDocuments

@testable import FingerpostTesting

@Suite(.inTurn) struct RedactedJSONTests {
    private static func recorded(_ json: String, without secrets: [String] = []) throws -> RedactedJSON {
        let data = Data(json.utf8)
        return try RedactedJSON(
            JSONReader.read(data, keepsEveryDigit: false), in: data, redactor: SecretRedactor(credentials: secrets))
    }

    /// Each with the recorded JSON, without whitespace, and the redacted places.
    @Test(
        arguments: [
            (
                #"{"a": "x secret-1 y\n", "b": [1, "secret-1"]}"#, #"{"a":"x<redacted>y\n","b":[1,"<redacted>"]}"#,
                ["/a", "/b/1"]
            ),
            ("[12345678, 5]", "[0,5]", ["/0"]), (#""secret-1""#, #""<redacted>""#, [""]),
            (#"{"a/b": {"~": "secret\u002d1"}}"#, #"{"a/b":{"~":"<redacted>"}}"#, ["/a~1b/~0"]),
            (#"{"a": "\"secret-1\\", "b": "é\u00e9"}"#, #"{"a":"\"<redacted>\\","b":"é\u00e9"}"#, ["/a"]),
        ] as [(String, String, [String])])
    func `Secrets in values are redacted, and the result is valid JSON`(
        _ json: String, _ expected: String, _ places: [String]
    ) throws {
        let recorded = try Self.recorded(json, without: ["secret-1", "12345678"])
        let text = String(decoding: recorded.data, as: UTF8.self).filter { !$0.isWhitespace }
        #expect((text, recorded.redacted) == (expected, places))
        _ = try JSONReader.read(recorded.data)
    }

    @Test(
        arguments: [
            // Nothing but a secret changes.
            (
                "{ \"b\":\"é\\u00e9\",\r\n\"a\": [1234 ,\"x test\"] }\n",
                "{ \"b\":\"é\\u00e9\",\r\n\"a\": [0 ,\"x <redacted>\"] }\n", ["/a/0", "/a/1"]
            ),
            (
                #"{"latest": 1, "a": "latest test", "b": "my-test"}"#,
                #"{"latest": 1, "a": "latest <redacted>", "b": "my-<redacted>"}"#, ["/a", "/b"]
            ),
            ("[1234, -1234, 512345, 12.1234, 1234.5]", "[0, 0, 512345, 12.1234, 1234.5]", ["/0", "/1"]),
            (#"["1234", "x 1234", "512345"]"#, #"["<redacted>", "x <redacted>", "512345"]"#, ["/0", "/1"]),
            (
                #"{"test_mode": "on", "passwordResetRequired": true}"#,
                #"{"test_mode": "on", "passwordResetRequired": true}"#, []
            ),
        ] as [(String, String, [String])])
    func `Short credentials are redacted as whole words, and never in keys`(
        _ json: String, _ expected: String, _ places: [String]
    ) throws {
        let recorded = try Self.recorded(json, without: ["test", "1234", "on", "Reset"])
        let text = String(decoding: recorded.data, as: UTF8.self)
        #expect((text, recorded.redacted) == (expected, places))
    }

    /// Each with the place of the object that contains the key.
    @Test(
        arguments: [
            (#"{"test": 1}"#, ""), (#"{"a": [{"\u0074est": 1}]}"#, "/a/0"), (#"{"a/b": {"my-secret-1": 1}}"#, "/a~1b"),
            (#"{"dGVzdA": 1}"#, ""),
        ])
    func `A secret in a key is an error`(_ json: String, _ place: String) throws {
        let error = #expect(throws: FixedSecret.self) { try Self.recorded(json, without: ["test", "secret-1"]) }
        #expect(error?.reason(in: "it") == "a key of it\(place.isEmpty ? "" : " at \(place)") contains a secret")
    }

    /// Each with the redacted places. Other names are in ``ResponseNames``.
    @Test(
        arguments: [
            (
                #"{"access_token": "0a1b", "refresh_token": "zzz", "token_type": "bearer"}"#,
                ["/access_token", "/refresh_token"]
            ),
            (#"{"user": [{"id": 1, "password": "x", "pin": 1234}]}"#, ["/user/0/password", "/user/0/pin"]),
            (#"{"tokens": ["a", "b"], "secrets": 2}"#, ["/tokens/0", "/tokens/1"]),
            (
                #"{"tokens": {"access": "a", "kind": "b", "raw": "9f3kd02mfl4kqp7zx81b", "until": "2026-01-31T12:00:00Z", "n": 3}}"#,
                ["/tokens/access", "/tokens/raw"]
            ),
            (
                #"{"token": {"value": "a", "type": "b", "n": {"id": 3, "value": 4}}, "password": {"values": ["c"], "value": ["d"]}, "value": "e"}"#,
                ["/token/value", "/token/n/value", "/password/values/0", "/password/value/0"]
            ),
            (
                #"{"key": "a", "session": "c", "pass": 3, "token_count": 3, "passwordResetRequired": false, "password_changed_at": "2026-01-31"}"#,
                []
            ),
            (#"{"token": null, "secret": "", "pin": 0, "password": "<redacted>", "jwt": true}"#, []),
        ] as [(String, [String])])
    func `Values under the names of issued secrets are redacted`(_ json: String, _ places: [String]) throws {
        let recorded = try Self.recorded(json)
        let read = try [recorded.data, Data(json.utf8)].map {
            try JSONSerialization.jsonObject(with: $0) as? NSDictionary
        }
        #expect((recorded.redacted, read[0] == read[1]) == (places, places.isEmpty))
    }
}
