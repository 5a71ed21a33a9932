@testable import FingerpostTesting

@Suite(.inTurn) struct FailedTestCallsTests {
    /// The text that a failed test would get.
    private func text(_ body: @Sendable (APIClient) async throws -> Void) async throws -> String {
        let environment = try Environment(
            "Testing", values: ["baseURL": "https://h.example", "$secrets": ["key"], "key": "s3cret-key"])
        let client = try APIClient { $0.authorization = .bearer("sekret-token-1") }
        return try await APIScope(environment: environment, network: .sealed).run {
            try await body(client)
            return FailedTestCalls.text(Mocks.calls)
        }
    }

    @Test func `Each call has its line, its request and its error, without secrets`() async throws {
        let text = try await text { client in
            Mocks.set("user", .status(204))
            try await client.send(Route.get("user").mock("user"))
            Mocks.set("login", .json(["message": "no s3cret-key\nGET user 200"], status: 401))
            _ = try? await client.send(
                Route.post("login").query("access_token", "tok-1234567").mock("login")
                    .json(["login": "octocat", "password": "hunter-22"]))
        }
        let lines = text.split(separator: "\n")
        let shown = ["s3cret-key", "sekret-token-1", "tok-1234567", "hunter-22"].filter(text.contains)
        let found = (
            lines.filter { !$0.hasPrefix(" ") }, lines[1].hasPrefix("    curl "),
            ["octocat", "no <secret key>"].map(text.contains), shown
        )
        #expect(
            found == (["GET user 204", "POST login?access_token=<redacted> 401"], true, [true, true], []), "\(text)")
    }

    @Test func `The last 100 calls are attached, without requests of more than 4 KiB`() async throws {
        let text = try await text { client in
            Mocks.set("user", .status(204))
            let body = Data(repeating: 0x78, count: 4096)
            for number in 0..<101 {
                try await client.send(
                    Route.put("user/\(number)").mock("user").body(.data(body, contentType: "text/plain")))
            }
        }
        let lines = text.split(separator: "\n")
        #expect(lines == (1...100).map { "PUT user/\($0) 204" })
    }
}
