import TestSupport
import Testing

@testable import Fingerpost
@testable import FingerpostTesting

@Suite(.inTurn) struct ForeignTextTests {
    @Test(
        arguments: [
            (
                "GET https://u:p@h.example/x?token=abc&page=2#f",
                "GET https://<redacted>@h.example/x?token=<redacted>&page=2#f"
            ),
            ("at '//u:p@h.example/x', not", "at '//<redacted>@h.example/x', not"),
            (
                "at 'https://h.example/?key=abcd&sig=efgh', not",
                "at 'https://h.example/?key=<redacted>&sig=<redacted>', not"
            ),
            ("https://h.example/a;jsessionid=abc1/b", "https://h.example/a;jsessionid=<redacted>"),
            ("see /x?page=2&code=ab#sid=c", "see /x?page=2&code=<redacted>#sid=<redacted>"),
            (
                "https://h.example/?to=https%3A%2F%2Fa.example%2F%3Fcode%3Dab&page=2",
                "https://h.example/?to=<redacted>&page=2"
            ),
            ("Refused(token: \"abcd\", status: 3)", "Refused(token: \"<redacted>\", status: 3)"),
            ("Refused(password: Optional(\"ab cd\"))", "Refused(password: Optional(\"<redacted>\"))"),
            (
                #"{"access_token": "abcd", "page_token": "efgh"}"#,
                #"{"access_token": "<redacted>", "page_token": "efgh"}"#
            ),
            (#"{\"client_secret\":\"ab\/cd\",\"a\":1}"#, #"{\"client_secret\":\"<redacted>\",\"a\":1}"#),
            ("grant_type=x&code_verifier=abcd&scope=a", "grant_type=x&code_verifier=<redacted>&scope=a"),
            ("Authorization: Bearer abcd efgh\nnext", "Authorization: <redacted>\nnext"),
            ("sent Bearer abcd1234, then", "sent Bearer <redacted>, then"), ("apiKey = abcd1", "apiKey = <redacted>"),
            ("pin=1234", "pin=<redacted>"), ("token: abcdefgh12345678", "token: <redacted>"),
        ])
    func `What looks like a credential is redacted`(text: String, redacted: String) {
        #expect(ForeignText.redacted(text) == redacted)
        #expect(ForeignText.redacted(redacted) == redacted)
    }

    @Test(
        arguments: [
            "", ":", "=", "://", "token", "token=", "token: ", "the token: expired", "invalid password: too short",
            "unexpected token: }", "basic authentication", "max_tokens: 100000", "tokens=123456", "status=404",
            "https://h.example/x?page=2", "at 12:30:45", "ENV__API_KEY is not set", "the key \"token\" is missing",
            "Access-Control-Allow-Credentials: true", "a bearer token is required", "// see somebody@h.example",
        ])
    func `Ordinary text is unchanged`(_ text: String) {
        #expect(ForeignText.redacted(text) == text)
    }

    /// Each is so long that quadratic time would exceed the limit.
    @Test(.heavy, arguments: [("://", 100_000), ("authorization=<", 20_000)])
    func `Very many starts of a credential are read in time`(start: String, count: Int) {
        let text = "https://h.example/?" + String(repeating: start, count: count)
        #expect(ForeignText.redacted(text) == text)
    }

    @Test(.heavy, arguments: ["token", "authorization"])
    func `Very many values that end at a fragment are read in time`(name: String) {
        let text = "https://h.example/?" + String(repeating: "\(name)=a#", count: 100_000)
        let expected = "https://h.example/?" + String(repeating: "\(name)=<redacted>#", count: 100_000)
        #expect(ForeignText.redacted(text) == expected)
    }
}
