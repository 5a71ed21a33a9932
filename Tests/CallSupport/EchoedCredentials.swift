/// Texts in which a server repeats the credentials of a request, and the same texts after redaction, in an app's error
/// message and in a recording. The tests of both use these tables.
public enum EchoedCredentials {
    /// A text before and after the redaction.
    public typealias Echo = (text: String, message: String, recording: String)

    private static func same(_ text: String, _ redacted: String) -> Echo { (text, redacted, redacted) }

    /// Echoes of the password of ``passwordBody``, which is `p@ss wörd/"+`.
    public static let echoes: [Echo] = [
        same("no p@ss wörd/\"+ here", "no <redacted> here"),
        same(#"{"e": "p@ss wörd/\"+"}"#, #"{"e": "<redacted>"}"#),
        same(#"{"e": "p@ss wörd\/\"+"}"#, #"{"e": "<redacted>"}"#),
        same(#"{"e": "p@ss w\u00f6rd\/\"+"}"#, #"{"e": "<redacted>"}"#),
        same(#"{"e": "p@ss w\u00F6rd\u002F\u0022\u002B"}"#, #"{"e": "<redacted>"}"#),
        same(#"{"e": "{\"password\": \"p@ss w\\u00f6rd\\/\\\"+\"}"}"#, #"{"e": "{\"password\": \"<redacted>\"}"}"#),
        same("q=p%40ss%20w%C3%B6rd%2F%22%2B&x", "q=<redacted>&x"),
        same("q=p%40ss+w%c3%b6rd%2f%22%2b&x", "q=<redacted>&x"),
        same("q=p@ss%20w%C3%B6rd/%22+&x", "q=<redacted>&x"),
        same("%E2%28 %p@ss wörd/\"+%", "%E2%28 %<redacted>%"),
        same("P@SS WÖRD/\"+", "P@SS WÖRD/\"+"), same("", ""), same("100% \\ \\u12 %4", "100% \\ \\u12 %4"),
        same(#"p@ss wo\u0308rd"#, #"p@ss wo\u0308rd"#), same("p%2540ss", "p%2540ss"),
        // Escapes of both kinds.
        same(#"{"e": "?q=p%40ss+w%C3%B6rd\/%22%2B"}"#, #"{"e": "?q=<redacted>"}"#),
        // Encodings that the redaction of an app's messages does not recognize.
        ("cEBzcyB3w7ZyZC8iKw==", "cEBzcyB3w7ZyZC8iKw==", "<redacted>=="),
        ("Basic dXNlcjpwQHNzIHfDtnJkLyIr", "Basic dXNlcjpwQHNzIHfDtnJkLyIr", "Basic dXNlcjp<redacted>"),
    ]

    public static let passwordBody = #"{"password": "p@ss w\u00f6rd\/\"+"}"#

    /// Texts with the passwords of ``wordsBody``, `test` and `reset-it`, and with words that contain them.
    public static let words: [Echo] = [
        same("test", "<redacted>"),
        same("test_mode, a-test: 'test'.", "<redacted>_mode, a-<redacted>: '<redacted>'."),
        same("latest protest test2 testing 2test", "latest protest test2 testing 2test"),
        same("b=x%20test&c=atest", "b=x%20<redacted>&c=atest"),
        same(#"\ntest \u0020test"#, #"\n<redacted> \u0020<redacted>"#), same("合言葉はtestです", "合言葉は<redacted>です"),
        same("preset-items", "p<redacted>ems"),
        (
            "dGVzdA== dGVzdA xdGVzdA bGF0ZXN0", "dGVzdA== dGVzdA xdGVzdA bGF0ZXN0",
            "<redacted>== <redacted> xdGVzdA bGF0ZXN0"
        ),
    ]

    public static let wordsBody = #"{"password": "test", "newPassword": "reset-it"}"#

    /// A request, and ``answer`` after the redaction of the request's credentials.
    public typealias Sent = (url: String, headers: [String: String], body: String?, message: String)

    private static func sent(_ url: String, _ headers: [String: String], _ body: String?, _ message: String) -> Sent {
        (url.hasPrefix("//") ? "https:\(url)" : "https://api.example.com\(url)", headers, body, message)
    }

    /// A response that echoes everything.
    public static let answer = "hunter-22 octocat 4711 90125"

    private static let multipart =
        "--B-1\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\noctocat\r\n"
        + "--B-1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"password\"\r\n\r\nfile-text\r\n"
        + "--B-1\r\ncontent-disposition: form-data; name=\"password\"\r\nContent-Type: text/plain\r\n\r\nhunter-22\r\n"
        + "--B-1--\r\n"

    public static let requests: [Sent] = [
        sent("/x", [:], #"{"password": "hunter-22", "user": "octocat"}"#, "<redacted> octocat 4711 90125"),
        sent(
            "/x", [:], #"{"a": [{"userPassword": ["hunter-22"]}], "pin": 4711}"#,
            "<redacted> octocat <redacted> 90125"),
        sent("/x", [:], #"{"otp": 90125, "id": 4711}"#, "hunter-22 octocat 4711 <redacted>"),
        sent("/x", [:], #"{"smsPin": -4711, "pins": 90125}"#, "hunter-22 octocat <redacted> 90125"),
        sent("/x", [:], #"{"pin": 471, "shipping": 90125, "key": "octocat"}"#, answer),
        sent("/x", [:], "pwd=hunter-22&pin=4711&user=octocat", "<redacted> octocat <redacted> 90125"),
        sent("/x", [:], "grant_type=x&device_code=hunter-22&max_tokens=90125", "<redacted> octocat 4711 90125"),
        sent("/x", ["Content-Type": "multipart/form-data; boundary=B-1"], multipart, "<redacted> octocat 4711 90125"),
        sent(
            "/x", ["content-type": #"Multipart/Form-Data; boundary="B-1"; charset=utf-8"#], multipart,
            "<redacted> octocat 4711 90125"),
        sent("/x", ["Content-Type": "multipart/form-data"], multipart, "<redacted> octocat 4711 90125"),
        sent("/x", ["X-Trace": "hunter-22"], "hunter-22", answer),
        sent("/x", ["X-Api-Key": "octocat"], nil, "hunter-22 <redacted> 4711 90125"),
        sent("/x", ["Authorization": "Basic b2N0b2NhdDpodW50ZXItMjI="], nil, "<redacted> octocat 4711 90125"),
        sent("/x", ["Authorization": "Digest user=octocat, pin=4711"], nil, "hunter-22 octocat <redacted> 90125"),
        sent(
            "/x", ["Authorization": #"Digest username="octocat", realm="hunter-22", response="90125x4711""#], nil,
            answer),
        sent(
            "/x", ["Authorization": #"Digest username="octocat", response="hunter-22", pin="4711""#], nil,
            "<redacted> octocat <redacted> 90125"),
        sent("/x", ["Cookie": "a=hunter-22; b=true; pin=90125"], nil, "<redacted> octocat 4711 <redacted>"),
        sent("/x", ["Cookie": "mySig=4711; c=90125"], nil, "hunter-22 octocat <redacted> 90125"),
        sent("/x", ["Cookie": "a=octocat; c=90125"], nil, answer),
        sent("/x", ["Cookie": #"sid="hunter-22"; pin="4711""#], nil, "<redacted> octocat <redacted> 90125"),
        sent("/x?token=hunter-22&page=4711", [:], nil, "<redacted> octocat 4711 90125"),
        sent("/x?a=1#token=octocat", [:], nil, "hunter-22 <redacted> 4711 90125"),
        sent("/x;jsessionid=octocat/y;v=90125?a=1", [:], nil, "hunter-22 <redacted> 4711 90125"),
        sent("//octocat:hunter-22@api.example.com/x", [:], nil, "<redacted> octocat 4711 90125"),
        sent("//octocat@api.example.com/x", [:], nil, "hunter-22 <redacted> 4711 90125"),
        sent("//octocat:@api.example.com/x", [:], nil, "hunter-22 <redacted> 4711 90125"),
        sent("//octocat:x-oauth-basic@api.example.com/x", [:], nil, "hunter-22 <redacted> 4711 90125"),
        sent("//a:hunter%2D22@api.example.com/x", [:], nil, "<redacted> octocat 4711 90125"),
    ]
}
