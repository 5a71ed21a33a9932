import TestSupport

@testable import FingerpostFiles

/// Values in the texts of others that have the name of a credential.
@Suite(.inTurn) struct NamedValuesTests {
    @Test func `What has the name of a credential is hidden`() {
        let texts: [(String, String)] = [
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
            ("Authorization: Bearer abcd1 efgh\nnext", "Authorization: Bearer <redacted> efgh\nnext"),
            ("Authorization: Bearer abcd\nnext", "Authorization: Bearer <redacted>\nnext"),
            ("authorization: abcdefgh12345678 is old", "authorization: <redacted> is old"),
            ("Authorization: Digest a=\"b c\", d=e1 is wrong", "Authorization: Digest <redacted> is wrong"),
            ("Authorization: Acme abcd-1234", "Authorization: Acme <redacted>"),
            // The fields of a form, the first one too.
            ("code=abcd&grant_type=x", "code=<redacted>&grant_type=x"),
            ("a=1&card_pin=abcd", "a=1&card_pin=<redacted>"), ("card_pin=abcd&a=1", "card_pin=<redacted>&a=1"),
            ("password=a,b(c)&x=1", "password=<redacted>&x=1"), ("code=abcd&note=a b", "code=<redacted>&note=a b"),
            ("%70assword=abcd&x=1", "%70assword=<redacted>&x=1"),
            // JSON that is cut off.
            ("{\"password\"\t:\t\"abcd\", \"a\":", "{\"password\"\t:\t\"<redacted>\", \"a\":"),
            (#"{"pass\u0077ord": "abcd", "a":"#, #"{"pass\u0077ord": "<redacted>", "a":"#),
            // Lists and objects end at their bracket.
            ("secret: {name: db-prod} not found in payments", "secret: <redacted> not found in payments"),
            (#"{"tokens":{"a":["b}"],"c":"d"},"e":1"#, #"{"tokens":<redacted>,"e":1"#),
            (#"{"tokens": ["abcd"], "used_tokens": 7"#, #"{"tokens": <redacted>, "used_tokens": 7"#),
            (#"{\"tokens\":{\"a\":\"b}\"},\"e\":1"#, #"{\"tokens\":<redacted>,\"e\":1"#),
            ("tokens: [\"abcd\"", "tokens: <redacted>"),
            // JSON Web Tokens have any name.
            (
                "refresh eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln, a=eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln",
                "refresh <redacted>, a=<redacted>"
            ),
            (#"{"password": "it's \"a\" secret", "a": 1}"#, #"{"password": "<redacted>", "a": 1}"#),
            (#"{"password": "<b3gins", "a": 1}"#, #"{"password": "<redacted>", "a": 1}"#),
            ("user[password]=abcd", "user[password]=<redacted>"), ("apiKey = abcd1", "apiKey = <redacted>"),
            (#"{"password"=>"abcd", "a"=>"b"}"#, #"{"password"=>"<redacted>", "a"=>"b"}"#),
            ("pin=1234", "pin=<redacted>"), ("token: abcdefgh12345678", "token: <redacted>"),
            ("invalid token: abc123", "invalid token: <redacted>"),
            ("token: abcdefghijklmnop.", "token: <redacted>"),
            ("Cookie: sessionid=abcd; theme=dark", "Cookie: <redacted>"),
            ("sent Set-Cookie: sid=abcd; Path=/; HttpOnly", "sent Set-Cookie: <redacted>; HttpOnly"),
            ("Authorization header: Bearer abcd1 is old", "Authorization header: Bearer <redacted> is old"),
            ("X-Api-Key Header: abcd1", "X-Api-Key Header: <redacted>"),
            // Names without a sign.
            ("invalid password \"abcd\"", "invalid password \"<redacted>\""),
            ("the token 'abcd-1234' is old", "the token '<redacted>' is old"),
            (
                "sb://h.example/;SharedAccessKeyName=abcd;SharedAccessKey=efgh=",
                "sb://h.example/;SharedAccessKeyName=abcd;SharedAccessKey=<redacted>"
            ),
            ("/x?id_token_hint=abcd&token_type_hint=efgh", "/x?id_token_hint=<redacted>&token_type_hint=efgh"),
            ("/x?code=4044&key=abcd", "/x?code=<redacted>&key=<redacted>"),
        ]
        for (text, shown) in texts {
            #expect([text, shown].map { NamedValues.hidden(in: $0) } == [shown, shown], "\(text)")
        }
    }

    @Test func `Ordinary text is unchanged`() {
        let texts: [String] = [
            "", ":", "=", "://", "token", "token=", "token: ", "the token: expired", "invalid password: too short",
            "unexpected token: }", "basic authentication", "max_tokens: 100000", "tokens=123456", "status=404",
            "https://h.example/x?page=2", "at 12:30:45", "ENV__API_KEY is not set", "the key \"token\" is missing",
            "Authorization: header is missing, see https://docs.example.com/auth",
            "Missing header Authorization: Bearer <token> expected, see https://docs.example.com",
            "Authorization: Bearer token is required", "Authorization: Token rejected",
            "authorization: scope repo:read needed; your scopes: user",
            "error in field 'password': [\"This password is too short.\"] at index 3 of users",
            "pin: 3 attempts left", "client_secret: 40 characters expected",
            "Invalid token: signature_mismatch_for_key_3", "password: 8 to 64 characters", "code=403 and more",
            "{\"usage\": {\"tokens\": 8123, \"prompt_tokens_details\": {\"cached_tokens\": 0}}",
            "{\"tokens\": \"8123\"}", "{\"max_tokens\": \"4096\"", "max_tokens: unlimited", "eyJ is the start of one",
            "see https://h.example/x?code=404&key=quota_exceeded", "/x?sort_key=name&partition_key=1", "cvc_check=pass",
            "passwordPolicy=strict", "\"secretName\": \"db-prod\"", "Cookie: required", "the header: abcdefgh12345678",
            "invalid password \"a b\"", "Unexpected token 'null', \"nullx\" is not valid JSON",
            "secrets \"db-prod-12345\" not found", "missing token \"access_token\"", "the users' password 'x'",
            "Access-Control-Allow-Credentials: true", "a bearer token is required", "// see somebody@h.example",
        ]
        for text in texts {
            #expect(NamedValues.hidden(in: text) == text)
        }
    }

    @Test func `Values in markup have the names of elements and attributes`() {
        let texts: [(String, [String])] = [
            ("<a token=\"abcd\"><b:token a='1'> efgh </b:token></a>", ["abcd", "efgh"]),
            ("<key>token</key><string>abcd</string><key>title</key><string>efgh</string>", ["abcd"]),
            ("<input value=abcd name = 'token'/><input name=\"title\" value=\"efgh\">", ["abcd"]),
            ("<token><![CDATA[a<b>c]]></token><token>abcd", ["a<b>c", "abcd"]),
            ("<passwords><item>abcd</item><a>efgh</a></passwords>", ["abcd"]),
            ("<token a=\"<b>abcd</b>", []), ("expected <password> but got <b>", []),
            ("<name>the token</name><a>b</a>", []),
            ("<secret token>abcd, <redacted>efgh", []), ("< token>abcd</token>", []), ("<", []), ("</", []),
            ("<a \"", []),
            ("<a:>b</a:>", []), ("<token>", []), ("<token/>abcd", []), ("<a token=>b", []),
        ]
        for (text, values) in texts {
            let found = NamedValues.markup(in: text).map {
                text.utf8.dropFirst($0.place.lowerBound).prefix($0.place.count)
            }
            #expect(found.map { String(Substring($0)) } == values, "\(text)")
        }
    }

    /// A server decides how many names a text has.
    @Test func `As many values and different names are looked for as are allowed`() {
        var asked: [String] = []
        let elements = (1...30).map { "<name\($0)></name>" }.joined()
        let found = NamedValues.markup(in: elements + "<name1>x</name1>", upTo: 10) {
            asked.append($0)
            return $0 == "name1"
        }
        #expect((asked, found.map(\.name)) == ((1...10).map { "name\($0)" }, ["name1"]))
        let (named, other) = ((1...30).map { "token=a\($0) " }.joined(), (1...30).map { "name\($0)=a " }.joined())
        let texts = [named, other + "token=a1", String(repeating: "name=a ", count: 30) + "token=a1"]
        #expect(texts.map { NamedValues.found(in: $0, upTo: 10) } == [(1...10).map { "a\($0)" }, [], ["a1"]])
    }

    /// Each is so long that quadratic time would exceed the limit.
    @Test(
        .heavy,
        arguments: [
            ("://", "://", 20_000), ("authorization=<redacted>&", "authorization=<redacted>&", 5_000),
            ("token=<secret ", "token=<secret ", 5_000), ("token=a#", "token=<redacted>#", 5_000),
            ("authorization=a#", "authorization=<redacted>#", 5_000),
        ])
    func `Very many credentials, or starts of one, are read in time`(part: String, shown: String, count: Int) {
        let text = "https://h.example/?" + String(repeating: part, count: count)
        #expect(NamedValues.hidden(in: text) == "https://h.example/?" + String(repeating: shown, count: count))
    }
}
