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

    /// Requests with a password that the server repeats.
    private static let requests: [(password: String, route: Route)] =
        bodies.map { ("hunter-22", .post("x").body(.data(Data($1.utf8), contentType: $0))) }
        // Fractions, and numbers of more than 64 bits.
        + ["90817.25", "90817.250", "123456789012345678901234567890", "9.0817e30"].map { number in
            let body = Data(#"{"a": [1, {"password": -\#(number)}]}"#.utf8)
            return (number, .post("x").body(.data(body, contentType: json)))
        } + [
            ("hunter-22", .get("x").query("filter", #"{"password": "hunter-22"}"#)),
            ("hunter-22", .post("x").json(["image": String(repeating: "x", count: 100_000), "password": "hunter-22"])),
        ]

    @Test(arguments: requests)
    func `A password that is nested, a number, in a query, or in a broken or large body is not shown`(
        password: String, route: Route
    ) async throws {
        let client = StubTransport(422, [.contentType: Self.json], #"{"message": "\#(password) is wrong"}"#).client()
        let error = try await failure { try await client.send(route) }
        var text = "\(error)\n\(String(reflecting: error)) \(error.localizedDescription) \(error.curl ?? "")"
        dump(error, to: &text)
        #expect(!text.contains(password), "\(text.prefix(2000))")
    }
}
