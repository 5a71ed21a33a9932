import CallSupport

/// The messages that servers put into their error bodies.
@Suite(.inTurn) struct ServerMessageTests {
    private static let bodies: [(service: String, body: String, message: String?)] = [
        ("GitHub", #"{"message": "Not Found", "documentation_url": "https://docs.example"}"#, "Not Found"),
        ("OAuth 2", #"{"error": "invalid_grant", "error_description": "the code expired"}"#, "the code expired"),
        ("OAuth 2, short", #"{"error": "invalid_grant"}"#, "invalid_grant"),
        ("Google", #"{"error": {"code": 403, "message": "quota used up", "status": "X"}}"#, "quota used up"),
        ("RFC 9457", #"{"type": "about:blank", "title": "Forbidden", "detail": "no credit"}"#, "no credit"),
        ("RFC 9457, short", #"{"title": "Forbidden", "status": 403}"#, "Forbidden"),
        ("JSON:API", #"{"errors": [{"title": "Invalid", "detail": "name is short"}]}"#, "name is short"),
        ("Rails, fields", #"{"errors": {"email": ["can't be blank", "is odd"]}}"#, "email can't be blank"),
        ("Rails, scaffold", #"{"email": ["can't be blank"], "name": ["is odd", "is short"]}"#, "email can't be blank"),
        ("lists of values", #"{"ids": ["a", "b"], "names": []}"#, nil), ("blank", #"{"message": " \n"}"#, nil),
        ("blank first", #"{"message": "", "error": "Not Found"}"#, "Not Found"),
        ("Rails, list", #"{"errors": ["Name is too short"]}"#, "Name is too short"),
        ("Rails, text", #"{"status": 404, "error": "Not Found"}"#, "Not Found"),
        ("GitLab, fields", #"{"message": {"name": ["is too short"]}}"#, "name is too short"),
        ("GitLab, text", #"{"message": "404 Project Not Found"}"#, "404 Project Not Found"),
        (
            "FastAPI, validation",
            #"{"detail": [{"loc": ["body", "name"], "msg": "field required", "type": "missing"}]}"#, "field required"
        ),
        ("FastAPI, text", #"{"detail": "Not authenticated"}"#, "Not authenticated"),
        ("Vapor", #"{"error": true, "reason": "Abort.404"}"#, "Abort.404"),
        ("AWS, JSON", #"{"__type": "Throttled", "message": "slow down"}"#, "slow down"),
        ("AWS, capital", #"{"__type": "Throttled", "Message": "slow down"}"#, "slow down"),
        (
            "AWS, XML",
            #"<?xml version="1.0"?><Error><Code>No</Code><Message>no key &quot;a&quot; &amp; b</Message></Error>"#,
            #"no key "a" & b"#
        ),
        ("AWS, indented", "<Error>\n<Message>\n  slow down\n</Message></Error>", "slow down"),
        ("empty", "", nil), ("no message", #"{"code": 7, "error": true, "errors": []}"#, nil),
        ("a list", #"["no"]"#, nil), ("a number", #"{"message": 7}"#, nil),
        ("messages", #"{"errors": [{"message": "x"}]}"#, "x"), ("HTML", "<html>\n<h1>Bad Gateway</h1>", nil),
    ]

    /// The error of a call with a token whose answer this is.
    private static func error(_ status: Int, _ headers: HTTPHeaders, _ body: String) async throws -> APIError {
        let client = StubTransport(status, headers, body).client { $0.authorization = .bearer("s3cret-token") }
        return try await failure { try await client.send(Route.get("x")) }
    }

    @Test(arguments: bodies)
    func `The message is found`(service: String, body: String, message: String?) async throws {
        let error = try await Self.error(400, [:], body)
        #expect(error.serverMessage == message, "\(service)")
        #expect(error.errorDescription == message ?? "the server answered 400")
    }

    /// Swift joins each of these with the delimiter before it to one `Character`.
    @Test(arguments: ["\u{301}", "\u{200D}"])
    func `A message beside joining characters is found`(joiner: String) async throws {
        let body = "<Error><Message>\(joiner)no &quot;\(joiner)a&quot; &amp;\(joiner)b</Message></Error>"
        #expect(try await Self.error(400, [:], body).serverMessage == "\(joiner)no \"\(joiner)a\" &\(joiner)b")
    }

    @Test func `The first line of plain text is the message`() async throws {
        let text = "\n  upstream is down \nmore\n"
        let error = try await Self.error(503, [.contentType: "text/plain; charset=utf-8"], text)
        #expect(error.serverMessage == "upstream is down" && error.bodyLine == nil)
    }

    @Test(arguments: 4090...4100) func `A long line is not cut in the middle of a character`(count: Int) async throws {
        let body = String(repeating: "x", count: count) + "é🙂" + String(repeating: "y", count: 5000)
        let message = try #require(try await Self.error(503, [.contentType: "text/plain"], body).serverMessage)
        #expect(message.hasSuffix("…") && body.hasPrefix(message.dropLast()))
        #expect((4093...4096).contains(message.dropLast().utf8.count))
    }

    @Test func `The first line of any other body is in the description, shortened`() async throws {
        let long = String(repeating: "x", count: 5000)
        let html = "\n<html> for s3cret-token \(long)\n<body>"
        let error = try await Self.error(502, [.contentType: "text/html"], html)
        #expect(error.serverMessage == nil && "\(error)".count < 700)
        #expect("\(error)".contains("\n  body:        <html> for <redacted> xxx") && !"\(error)".contains("s3cret"))
    }
}
