import CallSupport

/// The identifier of a request, for the people who run the server.
@Suite(.inTurn) struct RequestIDTests {
    private static let cases: [(sent: HTTPHeaders, received: HTTPHeaders, id: String?)] = [
        ([:], ["X-Request-Id": "a-1"], "a-1"), ([:], ["request-id": "a-2"], "a-2"),
        ([:], ["x-amzn-RequestId": "a-3"], "a-3"), ([:], ["CF-RAY": "a-4"], "a-4"),
        ([:], ["X-Trace-Acme": "a-5", "X-Request-Id": "a-1"], "a-5"),
        (["X-Request-Id": "sent"], ["X-Request-Id": "a-1"], "a-1"), (["X-Request-Id": "sent"], [:], "sent"),
        ([:], ["X-Request-Id": ""], nil), ([:], [:], nil),
        (["X-Api-Key": "key-1234"], ["X-Request-Id": "a key-1234\u{1B}[2J"], #"a <redacted>\u{1B}[2J"#),
    ]

    @Test(arguments: cases.indices, [200, 500])
    func `Each error names the request for the people who run the server`(index: Int, status: Int) async throws {
        let (sent, received, id) = Self.cases[index]
        let client = StubTransport(status, received, "no JSON").client { $0.requestIDHeaders = ["X-Trace-Acme"] }
        var route = Route.get("x")
        route.headers = sent
        let error = try await failure { _ = try await client.send(route, as: [Int].self) }
        let line = "\(error)".split(separator: "\n").first { $0.hasPrefix("  request id:  ") }
        #expect((error.requestID, line.map { String($0.dropFirst(15)) }) == (id, id))
    }
}
