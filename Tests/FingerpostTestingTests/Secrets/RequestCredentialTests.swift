@testable import Fingerpost
@testable import FingerpostTesting

@Suite(.inTurn) struct RequestCredentialTests {
    private static func request(
        _ url: String = "https://api.example.com/x", _ headers: [String: String] = [:], body: String? = nil
    ) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.allHTTPHeaderFields = headers
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    private func redact(_ text: String, of request: URLRequest) -> String {
        SecretRedactor(credentials: CallCredentials.of(request)).redact(text)
    }

    /// Short credentials match whole words, long ones match anywhere.
    @Test(
        arguments: EchoedCredentials.echoes.map { ($0.text, $0.recording, EchoedCredentials.passwordBody) }
            + EchoedCredentials.words.map { ($0.text, $0.recording, EchoedCredentials.wordsBody) })
    func `An echoed credential is recognised in every form, a short one as a whole word`(
        text: String, redacted: String, body: String
    ) throws {
        #expect(redact(text, of: try Self.request(body: body)) == redacted)
    }

    /// Swift joins each of these with the delimiter before it to one `Character`.
    @Test(arguments: ["\u{301}", "\u{200D}"]) func `Values beside joining characters are found`(
        joiner: String
    ) throws {
        let form = try Self.request(body: "pwd=hunter+\(joiner)22&user=octocat")
        let part = "--\(joiner)B\r\nContent-Disposition: form-data; name=\"\(joiner)password\"\r\n\r\nhunter-22\r\n"
        let multipart = try Self.request(
            "https://api.example.com/x", ["Content-Type": "multipart/\(joiner)x; boundary=\"\(joiner)B\""],
            body: part + "--\(joiner)B--\r\n")
        let found = (redact("hunter \(joiner)22 octocat", of: form), redact("hunter-22", of: multipart))
        #expect(found == ("<redacted> octocat", "<redacted>"))
    }
}
