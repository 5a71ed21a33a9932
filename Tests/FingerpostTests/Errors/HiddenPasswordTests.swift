import CallSupport

@testable import Fingerpost

/// Passwords in bodies that are nested or broken, which the server repeats.
@Suite(.inTurn) struct HiddenPasswordTests {
    private static let json = "application/json"
    private static let form = "application/x-www-form-urlencoded"

    private static func multipart(_ part: String, _ end: String = "\r\n--b--") -> (String, String) {
        (boundary + "b", "--b\r\n\(part)\(end)")
    }

    private static let boundary = "multipart/form-data; boundary="

    private static let bodies: [(type: String, body: String)] = [
        (json, #"{"credentials": {"password": {"value": "hunter-22"}}}"#), (json, #"{"password": "hunter-22",}"#),
        (json, #"{"password": "hunter-22""#), (json, #"{'password': 'hunter-22'}"#),
        (json, #"{"event": " {\"password\": \"hunter-22\"}"}"#),
        (json, #"{"event": "[{\"password\": \"hunter-22\"}]"}"#),
        (form, #"payload={"password":"hunter-22"}"#), (form, "payload=%7B%22password%22%3A%22hunter-22%22%7D"),
        (form, "user%5Bpassword%5D=hunter-22&p=1"), (form, "user[password]=hunter-22&p=1"),
        multipart("Content-Disposition: form-data; name=\"x\"\r\n\r\n{\"password\": \"hunter-22\"}"),
        multipart("Content-Disposition: form-data; name=password\r\n\r\nhunter-22"),
        multipart("Content-Disposition: form-data; Name=\"password\"\r\n\r\nhunter-22"),
        multipart("Content-Disposition: form-data; name=\"userPin\"\r\n\r\nhunter-22"),
        multipart("Content-Disposition: form-data; name=\"password\"\r\n\r\nhunter-22", "\r\n"),
        (boundary + "b", "--b\nContent-Disposition: form-data; name=\"password\"\n\nhunter-22\n--b--"),
        (boundary + "c", multipart("Content-Disposition: form-data; name=\"password\"\r\n\r\nhunter-22", "").1),
        ("multipart/form-data", multipart("Content-Disposition: form-data; name=\"password\"\r\n\r\nhunter-22").1),
    ]

    private func expectHidden(_ secret: String, _ route: Route) async throws {
        let client = StubTransport(422, [.contentType: Self.json], #"{"message": "\#(secret) is wrong"}"#).client()
        let error = try await failure { try await client.send(route) }
        var text = "\(error)\n\(String(reflecting: error)) \(error.localizedDescription) \(error.curl ?? "")"
        dump(error, to: &text)
        #expect(!text.contains(secret), "\(text.prefix(2000))")
    }

    @Test(arguments: bodies)
    func `A password that is nested or in a broken body is not shown`(type: String, body: String) async throws {
        try await expectHidden("hunter-22", .post("x").body(.data(Data(body.utf8), contentType: type)))
    }

    @Test(arguments: ["90817.25", "90817.250", "123456789012345678901234567890", "9.0817e30"])
    func `A password that is a fraction, or of more than 64 bits, is not shown`(number: String) async throws {
        let body = Data(#"{"a": [1, {"password": -\#(number)}]}"#.utf8)
        try await expectHidden(number, .post("x").body(.data(body, contentType: Self.json)))
    }

    @Test func `A password in JSON of a query is not shown`() async throws {
        try await expectHidden("hunter-22", .get("x").query("filter", #"{"password": "hunter-22"}"#))
    }
}
