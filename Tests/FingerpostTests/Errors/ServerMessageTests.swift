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
        ("a list", #"["no"]"#, "no"), ("text", #""Not Found""#, "Not Found"), ("a number", #"{"message": 7}"#, nil),
        ("messages", #"{"errors": [{"message": "x"}]}"#, "x"), ("the second", #"{"errors": [{"id": 1}, "x"]}"#, "x"),
        ("Salesforce", #"[{"errorCode": "E", "message": "no field"}]"#, "no field"),
        ("TMDb", #"{"status_code": 7, "status_message": "Invalid API key", "success": false}"#, "Invalid API key"),
        ("Telegram", #"{"ok": false, "description": "chat not found"}"#, "chat not found"),
        ("Zendesk", #"{"error": "RecordInvalid", "description": "Validation errors"}"#, "Validation errors"),
        ("Lambda", #"{"errorType": "E", "errorMessage": "no memory"}"#, "no memory"),
        ("Google Maps", #"{"status": "DENIED", "error_message": "no key"}"#, "no key"),
        ("Jira", #"{"errorMessages": ["no issue"], "errors": {}}"#, "no issue"),
        ("Jira, fields", #"{"errorMessages": [], "errors": {"a": "Pick one."}}"#, "a: Pick one."),
        ("Apigee", #"{"fault": {"faultstring": "no quota", "detail": {"errorcode": "Q"}}}"#, "no quota"),
        ("Riot", #"{"status": {"message": "Forbidden", "status_code": 403}}"#, "Forbidden"),
        ("Foursquare", #"{"meta": {"code": 400, "errorDetail": "no token"}}"#, "no token"),
        ("ASP.NET", #"{"title": "Errors.", "errors": {"Name": ["It is required."]}}"#, "Name: It is required."),
        ("Django", #"{"non_field_errors": ["Unable to log in."], "code": "x"}"#, "Unable to log in."),
        ("Django, fields", #"{"email": ["This field is required."]}"#, "email: This field is required."),
        ("Django, errors", #"{"errors": {"__all__": ["They differ."]}}"#, "They differ."),
        ("codes", #"{"error": {"code": "E1", "type": "x"}}"#, nil),
        ("SOAP", "<s:Fault><faultstring xml:lang=\"en\">\n no order</faultstring></s:Fault>", "no order"),
        ("HTML", "<html>\n<h1>Bad Gateway</h1>", nil),
    ]

    /// The error of a call with a token whose answer this is.
    private static func error(_ status: Int, _ headers: HTTPHeaders, _ body: String) async throws -> APIError {
        let client = StubTransport(status, headers, body).client { $0.authorization = .bearer("s3cret-token") }
        return try await failure { try await client.send(Route.get("x")) }
    }

    @Test func `The message is found`() async throws {
        for (service, body, message) in Self.bodies {
            let error = try await Self.error(400, [:], body)
            #expect(
                (error.serverMessage, error.errorDescription) == (message, message ?? "the server answered 400"),
                "\(service)")
        }
    }

    /// Swift joins each of these with the delimiter before it to one `Character`.
    @Test func `A message beside joining characters is found`() async throws {
        for joiner in ["\u{301}", "\u{200D}"] {
            let body = "<Error><Message>\(joiner)no &quot;\(joiner)a&quot; &amp;\(joiner)b</Message></Error>"
            #expect(try await Self.error(400, [:], body).serverMessage == "\(joiner)no \"\(joiner)a\" &\(joiner)b")
        }
    }

    /// Bodies, and what is shown of them: the message, or else a line.
    private static let texts: [(type: String, body: String, message: String?, line: String?)] = [
        ("text/plain; charset=utf-8", "\n  upstream is down \nmore\n", "upstream is down", nil),
        ("text/html", "<html>\r\n<head><TITLE>502 Bad\n &amp; Gateway</TITLE></head>", nil, "502 Bad & Gateway"),
        ("text/html", "<html><title></title>", nil, "<html><title></title>"),
        ("text/html", "down: <title>x</title>", nil, "down: <title>x</title>"),
    ]

    @Test func `The first line of plain text is the message, and of a page, the title is shown`() async throws {
        for (type, body, message, line) in Self.texts {
            let error = try await Self.error(502, [.contentType: type], body)
            #expect((error.serverMessage, error.bodyLine) == (message, line))
        }
    }

    @Test func `A long line is not cut in the middle of a character`() async throws {
        for count in 4090...4100 {
            let body = String(repeating: "x", count: count) + "é🙂" + String(repeating: "y", count: 5000)
            let message = try #require(try await Self.error(503, [.contentType: "text/plain"], body).serverMessage)
            let isWhole = message.hasSuffix("…") && body.hasPrefix(message.dropLast())
            #expect(isWhole && (4093...4096).contains(message.dropLast().utf8.count), "\(count)")
        }
    }

    private struct Problem: ErrorResponse {
        struct Detail: Decodable { let message, code: String }
        let error: Detail
        var message: String { error.message }
    }

    /// Bodies of the status 200, and the message; nil for no error of the server.
    private static let refusals: [(body: String, message: String?)] = [
        (#"{"error": {"message": "Rate limit reached", "code": "rate"}}"#, "Rate limit reached"),
        (#"{"errors": [{"message": "no field"}], "data": null}"#, "no field"),
        (#"{"error": null, "message": "all is well"}"#, nil), (#"{"error": false, "message": "all is well"}"#, nil),
        (#"{"errors": [], "message": "all is well"}"#, nil), (#"{"message": "all is well"}"#, nil),
    ]

    @Test(arguments: refusals)
    func `A body of the status 200 that does not decode says what the server says`(
        body: String, message: String?
    ) async throws {
        for type in [nil, Problem.self] {
            let client = StubTransport(200, [:], body).client { $0.errorResponse = type }
            let error = try await failure(.decoding) { try await client.send(Route.get("x"), as: [Int].self) }
            let isDecoded = type != nil && body.contains("code")
            #expect(
                (error.message, error.serverMessage, error.fragment?.first, (error.response as? Problem)?.error.code)
                    == (
                        "the body does not decode as Array<Int>: a list is expected", message, "{",
                        isDecoded ? "rate" : nil
                    ))
            if let message { #expect("\(error)".contains("}\n  server says: \(message)"), "\(error)") }
            if isDecoded { #expect(try error.decodeBody(as: Problem.self).message == message) }
        }
    }

    @Test func `An error in JSON without a message shows a piece of it, without credentials`() async throws {
        let body = #"{"ok": false, "token": "t0ken-in-body", "why": "s3cret-token", "list": [1, 2]}"#
        let error = try await Self.error(400, [:], body)
        let piece = #"{"ok": false, "token": <redacted>, "why": "<redacted>", "list": [1, 2]}"#
        #expect(error.fragment == piece && "\(error)".contains("\n  json:        \(piece)"), "\(error)")
        #expect(try await Self.error(400, [:], #"{"message": "x"}"#).fragment == nil)
    }

    @Test func `The first line of any other body is in the description, shortened`() async throws {
        let long = String(repeating: "x", count: 5000)
        let html = "\n<html> for s3cret-token \(long)\n<body>"
        let error = try await Self.error(502, [.contentType: "text/html"], html)
        #expect(error.serverMessage == nil && "\(error)".count < 700)
        #expect("\(error)".contains("\n  body:        <html> for <redacted> xxx") && !"\(error)".contains("s3cret"))
    }
}
