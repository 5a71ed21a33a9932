import TestSupport

@testable import Fingerpost

/// Values in the texts of others that have the name of a credential.
@Suite(.inTurn) struct NamedValuesTests {
    @Test(
        arguments: [
            (
                "GET https://u:p@h.example/x?token=abc&page=2#f",
                "GET https://<redacted>@h.example/x?token=<redacted>&page=2#f"
            ),
            (
                "at 'https://h.example/?key=abcd&sig=efgh', not",
                "at 'https://h.example/?key=<redacted>&sig=<redacted>', not"
            ),
            ("https://h.example/a;jsessionid=abc1/b", "https://h.example/a;jsessionid=<redacted>"),
            ("see /x?page=2&code=ab#sid=c", "see /x?page=2&code=<redacted>#sid=<redacted>"),
            ("Refused(token: \"abcd\", status: 3)", "Refused(token: \"<redacted>\", status: 3)"),
            ("Refused(password: Optional(\"ab cd\"))", "Refused(password: Optional(\"<redacted>\"))"),
            (
                #"{"access_token": "abcd", "page_token": "efgh"}"#,
                #"{"access_token": "<redacted>", "page_token": "efgh"}"#
            ),
            (#"{\"client_secret\":\"ab\/cd\",\"a\":1}"#, #"{\"client_secret\":\"<redacted>\",\"a\":1}"#),
            ("grant_type=x&code_verifier=abcd&scope=a", "grant_type=x&code_verifier=<redacted>&scope=a"),
            ("Authorization: Bearer abcd efgh\nnext", "Authorization: <redacted>\nnext"),
            (#"{"password": "it's \"a\" secret", "a": 1}"#, #"{"password": "<redacted>", "a": 1}"#),
            (#"{"password": "<b3gins", "a": 1}"#, #"{"password": "<redacted>", "a": 1}"#),
            ("user[password]=abcd", "user[password]=<redacted>"), ("apiKey = abcd1", "apiKey = <redacted>"),
            ("pin=1234", "pin=<redacted>"), ("token: abcdefgh12345678", "token: <redacted>"),
            ("invalid token: abc123", "invalid token: <redacted>"),
            ("token: abcdefghijklmnop.", "token: <redacted>"),
        ])
    func `What has the name of a credential is hidden`(text: String, shown: String) {
        #expect(NamedValues.hidden(in: text) == shown && NamedValues.hidden(in: shown) == shown)
    }

    @Test(
        arguments: [
            "", ":", "=", "://", "token", "token=", "token: ", "the token: expired", "invalid password: too short",
            "unexpected token: }", "basic authentication", "max_tokens: 100000", "tokens=123456", "status=404",
            "https://h.example/x?page=2", "at 12:30:45", "ENV__API_KEY is not set", "the key \"token\" is missing",
            "Access-Control-Allow-Credentials: true", "a bearer token is required", "// see somebody@h.example",
        ])
    func `Ordinary text is unchanged`(_ text: String) {
        #expect(NamedValues.hidden(in: text) == text)
    }

    /// Each is so long that quadratic time would exceed the limit.
    @Test(
        .heavy, arguments: [("://", 20_000), ("authorization=<redacted>&", 5_000), ("token=<secret ", 5_000)])
    func `Very many starts of a credential are read in time`(start: String, count: Int) {
        let text = "https://h.example/?" + String(repeating: start, count: count)
        #expect(NamedValues.hidden(in: text) == text)
    }

    @Test(.heavy, arguments: ["token", "authorization"])
    func `Very many values that end at a fragment are read in time`(name: String) {
        let text = "https://h.example/?" + String(repeating: "\(name)=a#", count: 5_000)
        let expected = "https://h.example/?" + String(repeating: "\(name)=<redacted>#", count: 5_000)
        #expect(NamedValues.hidden(in: text) == expected)
    }
}
