import CallSupport
import FingerpostCallbacks
import Foundation
import TestSupport
import Testing

@testable import Fingerpost
@testable import FingerpostTesting

@Suite struct RequestCredentialTests {
    private static func request(
        _ url: String = "https://api.example.com/x", _ headers: [String: String] = [:], body: String? = nil
    ) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.allHTTPHeaderFields = headers
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    private func redact(_ text: String, of request: URLRequest) -> String {
        SecretRedactor(credentials: Credentials.of(request)).redact(text)
    }

    /// Echoes of the password `p@ss wörd/"+` by a server, and the redacted text.
    private static let echoes: [(String, String)] = [
        ("no p@ss wörd/\"+ here", "no <redacted> here"),
        (#"{"e": "p@ss wörd/\"+"}"#, #"{"e": "<redacted>"}"#),
        (#"{"e": "p@ss wörd\/\"+"}"#, #"{"e": "<redacted>"}"#),
        (#"{"e": "p@ss w\u00f6rd\/\"+"}"#, #"{"e": "<redacted>"}"#),
        (#"{"e": "p@ss w\u00F6rd\u002F\u0022\u002B"}"#, #"{"e": "<redacted>"}"#),
        (#"{"e": "{\"password\": \"p@ss w\\u00f6rd\\/\\\"+\"}"}"#, #"{"e": "{\"password\": \"<redacted>\"}"}"#),
        ("q=p%40ss%20w%C3%B6rd%2F%22%2B&x", "q=<redacted>&x"),
        ("q=p%40ss+w%c3%b6rd%2f%22%2b&x", "q=<redacted>&x"),
        ("q=p@ss%20w%C3%B6rd/%22+&x", "q=<redacted>&x"),
        (#"{"e": "?q=p%40ss+w%C3%B6rd\/%22%2B"}"#, #"{"e": "?q=<redacted>"}"#),
        ("cEBzcyB3w7ZyZC8iKw==", "<redacted>"), ("Basic dXNlcjpwQHNzIHfDtnJkLyIr", "Basic <redacted>"),
        (#"p@ss wo\u0308rd"#, #"p@ss wo\u0308rd"#), ("P@SS WÖRD/\"+", "P@SS WÖRD/\"+"), ("", ""),
    ]

    @Test(arguments: echoes) func `An echoed credential is recognised in every form`(text: String, redacted: String)
        throws
    {
        let request = try Self.request(body: #"{"password": "p@ss w\u00f6rd\/\"+"}"#)
        #expect(redact(text, of: request) == redacted)
    }

    private static let multipart =
        "--B-1\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\noctocat\r\n"
        + "--B-1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"password\"\r\n\r\nfile-text\r\n"
        + "--B-1\r\ncontent-disposition: form-data; name=\"password\"\r\nContent-Type: text/plain\r\n\r\nhunter-22\r\n"
        + "--B-1--\r\n"

    /// Requests, each with the redacted text of a response that echoes everything.
    private static let requests: [(String, [String: String], String?, String)] = [
        ("/x", [:], #"{"password": "hunter-22", "user": "octocat"}"#, "<redacted> octocat 4711 90125"),
        ("/x", [:], #"{"a": [{"userPassword": ["hunter-22"]}], "pin": 4711}"#, "<redacted> octocat <redacted> 90125"),
        ("/x", [:], #"{"otp": 90125, "id": 4711}"#, "hunter-22 octocat 4711 <redacted>"),
        ("/x", [:], #"{"smsPin": -4711, "pins": 90125}"#, "hunter-22 octocat <redacted> 90125"),
        ("/x", [:], #"{"pin": 471, "shipping": 90125, "key": "octocat"}"#, "hunter-22 octocat 4711 90125"),
        ("/x", [:], "pwd=hunter-22&pin=4711&user=octocat", "<redacted> octocat <redacted> 90125"),
        (
            "/x", ["Content-Type": "multipart/form-data; boundary=B-1"], multipart, "<redacted> octocat 4711 90125"
        ),
        (
            "/x", ["content-type": #"Multipart/Form-Data; boundary="B-1"; charset=utf-8"#], multipart,
            "<redacted> octocat 4711 90125"
        ),
        ("/x", ["Content-Type": "multipart/form-data"], multipart, "hunter-22 octocat 4711 90125"),
        ("/x", ["Authorization": "Basic b2N0b2NhdDpodW50ZXItMjI="], nil, "<redacted> octocat 4711 90125"),
        ("/x", ["Cookie": "a=hunter-22; b=true; pin=90125"], nil, "<redacted> octocat 4711 <redacted>"),
        ("/x", ["Cookie": "a=octocat; c=90125"], nil, "hunter-22 octocat 4711 90125"),
        ("/x", ["Authorization": "Digest user=octocat, pin=4711"], nil, "hunter-22 octocat <redacted> 90125"),
        ("/x", ["X-Api-Key": "octocat"], nil, "hunter-22 <redacted> 4711 90125"),
        ("/x?token=hunter-22&page=4711", [:], nil, "<redacted> octocat 4711 90125"),
        ("//octocat:hunter-22@api.example.com/x", [:], nil, "<redacted> octocat 4711 90125"),
        ("//octocat@api.example.com/x", [:], nil, "hunter-22 <redacted> 4711 90125"),
        ("//octocat:@api.example.com/x", [:], nil, "hunter-22 <redacted> 4711 90125"),
        ("//octocat:x-oauth-basic@api.example.com/x", [:], nil, "hunter-22 <redacted> 4711 90125"),
        ("//a:hunter%2D22@api.example.com/x", [:], nil, "<redacted> octocat 4711 90125"),
        ("/x;jsessionid=octocat/y;v=90125?a=1", [:], nil, "hunter-22 <redacted> 4711 90125"),
        (
            "/x", ["Authorization": #"Digest username="octocat", realm="hunter-22", response="90125x4711""#], nil,
            "hunter-22 octocat 4711 90125"
        ),
        (
            "/x", ["Authorization": #"Digest username="octocat", response="hunter-22", pin="4711""#], nil,
            "<redacted> octocat <redacted> 90125"
        ),
        ("/x", ["Cookie": #"sid="hunter-22"; pin="4711""#], nil, "<redacted> octocat <redacted> 90125"),
        ("/x", [:], "grant_type=x&device_code=hunter-22&max_tokens=90125", "<redacted> octocat 4711 90125"),
        ("/x", ["X-Trace": "hunter-22"], "hunter-22", "hunter-22 octocat 4711 90125"),
    ]

    @Test(arguments: requests) func `The credentials of a request are found in headers, URL and body`(
        url: String, headers: [String: String], body: String?, redacted: String
    ) throws {
        let request = try Self.request(
            url.hasPrefix("//") ? "https:\(url)" : "https://api.example.com\(url)", headers, body: body)
        #expect(redact("hunter-22 octocat 4711 90125", of: request) == redacted)
    }

    /// Swift joins each of these with the delimiter before it to one `Character`.
    @Test(arguments: ["\u{301}", "\u{200D}"]) func `Values beside joining characters are found`(
        joiner: String
    ) throws {
        let form = try Self.request(body: "pwd=hunter+\(joiner)22&user=octocat")
        #expect(redact("hunter \(joiner)22 octocat", of: form) == "<redacted> octocat")
        let part = "--\(joiner)B\r\nContent-Disposition: form-data; name=\"\(joiner)password\"\r\n\r\nhunter-22\r\n"
        let multipart = try Self.request(
            "https://api.example.com/x", ["Content-Type": "multipart/\(joiner)x; boundary=\"\(joiner)B\""],
            body: part + "--\(joiner)B--\r\n")
        #expect(redact("hunter-22", of: multipart) == "<redacted>")
        #expect(Credentials.isUnlikelyWord("abcdefgh\u{600}1"))
    }

    @Test(arguments: [(60_000, true), (1_000_000, true), (1_100_000, false)])
    func `Bodies of up to 1 MiB are searched`(size: Int, isSearched: Bool) throws {
        let padding = String(repeating: "x", count: size)
        let request = try Self.request(body: #"{"image": "\#(padding)", "password": "hunter-22"}"#)
        #expect(Credentials.of(request) == (isSearched ? ["hunter-22"] : []))
    }

    @Test(
        arguments: [
            ("sid=abc-1; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Secure", ["sid=abc-1"]),
            (
                "sid=abc-1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, theme=dark mode, csrf=vwx y=z=; Path=/",
                ["sid=abc-1", "theme=dark mode", "csrf=vwx y=z="]
            ),
            (
                "a=11111111; Expires=Wed, 21-Oct-2026 07:28:00 GMT,b=22222222;Max-Age=3,__Host-c=\"444444\"",
                ["a=11111111", "b=22222222", "__Host-c=\"444444\""]
            ),
            ("list=1,2,3,4,5; Path=/", ["list=1,2,3,4,5"]),
        ])
    func `Every cookie of a folded header is a credential`(header: String, cookies: [String]) {
        #expect(Credentials.cookies(header) == cookies)
        let credentials = Set(Credentials.of(["Set-Cookie": header, "X-Other": "d=5"]))
        #expect(cookies.allSatisfy { credentials.contains(String($0.split(separator: "=", maxSplits: 1)[1])) })
        #expect(credentials.isDisjoint(with: ["5", "/", "Secure", "21", "2026", "GMT", "Path=/"]))
    }

    @Test func `A response's cookie is found decoded, and an address in its Location too`() {
        let credentials = Credentials.of([
            "Set-Cookie": "sid=cookie%2Fvalue%3D1; Path=/",
            "Location": "https://h.example/in?to=https%3A%2F%2Fa.example%2F%3Fpage%3D2%26access_token%3Dtok-123",
            "Content-Location": "/x?to=%252Fy%253Fsig%253Dsig-456#id_token=tok-789",
            "Link": "<https://u:pa55word@h.example/x?page=2>; rel=next, </y?key=key-123>; rel=last",
        ])
        for expected in ["cookie/value=1", "tok-123", "sig-456", "tok-789", "pa55word", "key-123"] {
            #expect(credentials.contains(expected), "\(expected) in \(credentials)")
        }
        #expect(!credentials.contains("2"))
    }

    /// A token may contain text that looks like a parameter name.
    @Test func `The text after a scheme name is one credential`() throws {
        let request = try Self.request("https://api.example.com/x", ["Authorization": "Bearer a=octocat"])
        #expect(redact("octocat a=octocat", of: request) == "octocat <redacted>")
    }

    @Test func `A large number of cookies are all found`() throws {
        let cookies = (1000..<2000).map { "c\($0)=cookie-\($0)" }
        let request = try Self.request("https://api.example.com/x", ["Cookie": cookies.joined(separator: "; ")])
        let text = (1000..<2000).map { "cookie-\($0) no-cookie-\($0 + 1000)" }.joined(separator: "\n")
        let expected = (1000..<2000).map { "<redacted> no-cookie-\($0 + 1000)" }.joined(separator: "\n")
        #expect(redact(text, of: request) == expected)
    }

    /// Each text with its form after redaction of the passwords `test` and `reset-it`.
    @Test(
        arguments: [
            ("test", "<redacted>"), ("test_mode, a-test: 'test'.", "<redacted>_mode, a-<redacted>: '<redacted>'."),
            ("latest protest test2 testing 2test", "latest protest test2 testing 2test"),
            ("a=%74est&b=x%20test&c=atest", "a=<redacted>&b=x%20<redacted>&c=atest"),
            (#"\ntest \u0074est"#, #"\n<redacted> <redacted>"#),
            ("dGVzdA== dGVzdA xdGVzdA bGF0ZXN0", "<redacted>== <redacted> xdGVzdA bGF0ZXN0"),
            ("合言葉はtestです", "合言葉は<redacted>です"), ("preset-items", "p<redacted>ems"),
        ])
    func `Short credentials match whole words, long ones match anywhere`(text: String, redacted: String) throws {
        let request = try Self.request(body: #"{"password": "test", "newPassword": "reset-it"}"#)
        #expect(redact(text, of: request) == redacted)
    }
}
