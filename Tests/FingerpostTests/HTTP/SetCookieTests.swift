import CallSupport

@testable import Fingerpost

/// Foundation joins the `Set-Cookie` fields of a response into one text.
@Suite(.inTurn) struct SetCookieTests {
    @Test func `Joined cookies are separated`() {
        let rows = [
            "a=1": ["a=1"], "a=1, b=2": ["a=1", "b=2"], "a=1,b=2; Path=/": ["a=1", "b=2; Path=/"],
            "a=1; Expires=Wed, 09 Jun 2021 10:18:14 GMT; Secure, b=2; Expires=Thursday, 09-Jun-21 10:18:14 GMT":
                [
                    "a=1; Expires=Wed, 09 Jun 2021 10:18:14 GMT; Secure",
                    "b=2; Expires=Thursday, 09-Jun-21 10:18:14 GMT",
                ],
            "a=x,y; Path=/": ["a=x,y; Path=/"], "a=, b=": ["a=", "b="], "a=\"1, 2\"": ["a=\"1, 2\""], "": [],
        ]
        for (text, values) in rows { #expect(HTTPHeaders.setCookieValues(in: text) == values, "\(text)") }
    }

    @Test func `A response has one value per cookie`() async throws {
        let cookies = ["a=1; Expires=Wed, 09 Jun 2021 10:18:14 GMT", "b=2; Path=/"]
        let server = try LoopbackServer { _, connection in
            connection.write(
                "HTTP/1.1 204 No Content\r\nSet-Cookie: \(cookies[0])\r\nSet-Cookie: \(cookies[1])\r\n\r\n")
        }
        let response = try await APIClient(baseURL: server.baseURL).response(for: Route.get("x"), as: NoContent.self)
        #expect(response.headers.values(for: .setCookie) == cookies)
    }
}
