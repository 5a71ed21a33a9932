import FingerpostShared
import FingerpostTransfers

@testable import FingerpostTesting

/// Secrets and credentials, which no recording contains.
extension RecordingMiddlewareTests {
    private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0T"

    /// Each with the `for` of its settings.
    @Test(
        arguments: [
            (Route.get("keys/\("s3cret/value")/uses"), "GET /keys/{secret}/uses"),
            (.get("keys/id-\("s3cret/value")"), "GET /keys/{secret}"),
            (.get("keys/\(raw: "s3cret/value")/uses"), "GET /keys/{secret}/{secret}/uses"),
            (.get("keys/\(Data("u:s3cret/value".utf8).base64EncodedString())"), "GET /keys/{secret}"),
            (.get("pins/\(987654)?key=x"), "GET /pins/{secret}"),
            (.get("sessions/\("bearer-token-1")"), "GET /sessions/{secret}"),
            (.get("login/\("hunter-22")").query("token", "hunter-22"), "GET /login/{secret}"),
            (.get("a;sid=hunter-22/\(raw: jwt)/b"), "GET /{secret}/{secret}/b"),
        ])
    func `A secret in the path becomes a placeholder, and the recording replays`(_ route: Route, _ expected: String)
        async throws
    {
        let studio = try RecorderFixture(
            handler: { request, connection in
                connection.respond(
                    200, headers: ["Content-Type": "application/json"],
                    body: #"{"you asked for": "\#(request.target)"}"#)
            }, configure: { $0.authorization = .bearer("bearer-token-1") })
        let route = route.mock("path")
        _ = try await studio.client.data(for: route)
        let secrets = ["s3cret", "czNjcmV0", "987654", "bearer-token-1", "hunter-22", "dozjgNry"]
        let shown = try studio.files().values.flatMap { text in secrets.filter { text.contains($0) } }
        let replayed = String(decoding: try await studio.replay().data(for: route), as: UTF8.self)
        let found = try (studio.requests(), shown, studio.bodies())
        #expect(found == (["path": expected], [], ["path.json": replayed]))
    }

    /// The recording of a response to a request with a credential.
    private static func record(_ body: [UInt8], _ type: String, _ authorization: String? = nil) throws -> Recording {
        var request = URLRequest(url: try #require(URL(string: "https://h.example/page")))
        request.setValue(authorization, forHTTPHeaderField: "Authorization")
        let response = Response(status: 200, headers: ["Content-Type": type], data: Data(body), request: request)
        let answer = Recording.Answer(
            response: response, request: request, route: .get("page"), pace: nil, credentials: response.sentCredentials)
        return try Recording(answer, named: "page", environment: nil, at: Date())
    }

    @Test(arguments: ["image/png", "application/pdf", "application/octet-stream"])
    func `Random bytes are recorded, and refused with a secret in any form`(_ type: String) throws {
        var generator = SeededGenerator(seed: 3)
        let body = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &generator) } + [0]
        #expect(try Self.record(body, type, "Bearer bearer/token+1").body == Data(body))
        let secrets = ["bearer/token+1", "bearer%2Ftoken%2B1", #"bearer\/token+1"#, "YmVhcmVyL3Rva2VuKzE="]
        let recorded = try secrets.filter { secret in
            let planted = body[..<100_000] + Array(" \(secret) ".utf8) + body[100_000...]
            do { _ = try Self.record(Array(planted), type, "Bearer bearer/token+1") } catch is Recording.Refusal {
                return false
            }
            return true
        }
        #expect(recorded == [])
    }

    @Test(
        .heavy, arguments: [("application/json", nil), ("text/csv", "Bearer bearer-token-1"), ("image/png", nil)])
    func `A body that is too large to be searched for secrets is not written`(
        _ type: String, _ authorization: String?
    ) throws {
        let body = [UInt8](repeating: UInt8(ascii: "1"), count: Recording.largestSearched + 1)
        let error = #expect(throws: Recording.Refusal.self) { try Self.record(body, type, authorization) }
        #expect(
            error?.reason.hasPrefix("the body is longer than 8388608 bytes, so it is not searched for secrets; write")
                == true)
    }

    @Test func `Credentials that a redirect drops are redacted too`() async throws {
        let target = try LoopbackServer(handler: RecorderFixture.json(#"{"echo":"bearer-token-1"}"#))
        let location = target.baseURL.appendingPathComponent("there").absoluteString
        let studio = try RecorderFixture(
            handler: { _, connection in connection.respond(302, headers: ["Location": location], body: "") },
            configure: { $0.authorization = .bearer("bearer-token-1") })
        _ = try await studio.client.data(for: API.user(login: "octocat"))
        #expect(try studio.files()["users/show.json"] == #"{"echo":"<redacted>"}"#)
    }

    @Test(arguments: [
        Route.post("x").json(["user": "octocat", "password": "hunter-22"]),
        Route.post("x").json(["login": ["credentials": ["userPassword": "hunter-22"]]]),
        Route.post("x").parameters(["user": "octocat", "password": "hunter-22"]).encoding(.form),
        Route.post("x").json(["password": "hunter-22", "image": String(repeating: "x", count: 100_000)]),
        Route.post("x").multipart(MultipartForm().field("password", "hunter-22").data("image", Data(count: 1_200_000))),
    ])
    func `A password that the server echoes is redacted`(route: Route) async throws {
        let studio = try RecorderFixture(answer: #"{"echo":"you said hunter-22, octocat"}"#)
        _ = try await studio.client.data(for: route.mock("login"))
        #expect(try studio.files()["login.json"] == #"{"echo":"you said <redacted>, octocat"}"#)
    }

    @Test func `Only the first twenty redacted places of a file are listed`() async throws {
        let body = "[" + repeatElement(#"{"token":"x"}"#, count: 100).joined(separator: ",") + "]"
        let studio = try RecorderFixture(answer: body)
        _ = try await studio.client.data(for: API.page)
        let found = (studio.lines().count { $0.hasPrefix("redacted Mocks/page.json at /") }, studio.lines().last)
        #expect(found == (20, "redacted Mocks/page.json at 80 more places"))
    }

    @Test func `Secrets in existing settings are redacted`() async throws {
        let settings = """
            {"for": "POST /login/2023",
             "delay": 0.5, "then": {"page": "s3cret/value"},
             "recorded": {"at": "2020-01-01T00:00:00Z", "from": "s3cret/value", "expires": "90d"}}
            """
        // The PIN is the year of the recording.
        let studio = try RecorderFixture(
            ["Mocks/login.mock.json": settings],
            answer: #"{"id": 1}"#, ["ETag": "\"s3cret%2Fvalue-2023\"", "Location": "/s3cret/value"])
        _ = try await studio.client.data(for: Route.post("login/2023").json(["pin": 2023]).mock("login"))
        #expect(
            try studio.files()["login.mock.json"] == """
                {
                  "delay" : 0.5,
                  "for" : "POST /login/{secret}",
                  "headers" : {
                    "ETag" : "\\"<secret key>-<redacted>\\"",
                    "Location" : "/redacted"
                  },
                  "recorded" : {
                    "at" : "2023-11-14T22:13:20Z",
                    "expires" : "90d",
                    "from" : "Live"
                  },
                  "then" : {
                    "page" : "<secret key>"
                  }
                }

                """)
        #expect(
            studio.lines().filter { $0.hasPrefix("redacted") } == [
                "redacted Mocks/login.mock.json at /headers/ETag",
                "redacted Mocks/login.mock.json at /headers/Location", "redacted Mocks/login.mock.json at /then/page",
            ])
    }

    /// Each with the reason why it is not written.
    @Test(
        arguments: [
            ([:], #"{"a": {"987654": 1}}"#, "a key of the body at /a contains a secret"),
            ([:], #"{"password": "x"}"#, "a key of the body contains a secret"),
            (
                ["Mocks/page.mock.json": #"{"then": {"s3cret/value": "x"}}"#], "{}",
                "a key of the settings of \"page\" at /then contains a secret"
            ),
        ] as [([String: String], String, String)])
    func `JSON with a secret in a key is not written`(
        _ files: [String: String], _ body: String, _ reason: String
    ) async throws {
        let studio = try RecorderFixture(files, answer: body)
        _ = try await studio.client.data(for: Route.post("page").json(["pass": "password"]).mock("page"))
        let found = try (studio.lines(), studio.files().count)
        #expect(found == (["not written: the answer to POST /page: \(reason)"], files.count))
    }

    @Test func `Credentials that are common words do not garble the recording`() async throws {
        let body =
            #"{"passwordResetRequired":true,"theme":"dark","latest":1,"role":"user","items":[1],"id":512345,"7987654":"x"}"#
        let studio = try RecorderFixture(answer: body)
        let route = Route.post("page").json(["password": "test", "pin": 1234] as Parameters).header(
            "Cookie", "theme=dark; role=user; tab=items")
        _ = try await studio.client.data(for: route.mock("page"))
        let found = try (studio.lines(), studio.bodies())
        #expect(found == (["wrote Mocks/page.json", "wrote Mocks/page.mock.json"], ["page.json": body]))
    }

    private static let unsearchable: [(String, Data)] = [
        ("text/plain; charset=utf-16", Data([0x61, 0])),
        ("text/plain", Data([0xFF, 0xFE, 0x61, 0])),
        ("application/json", Data([0xFF, 0xFE]) + Data(#"{"a": 1}"#.utf8.flatMap { [$0, 0] })),
        ("application/json", Data(#"{"a": 1}"#.utf8.flatMap { [0, $0] })),
        ("application/json", Data(#"{"a": 1}"#.utf8.flatMap { [$0, 0, 0, 0] })),
        ("image/png", Data("s3cret/value".utf8.flatMap { [$0, 0] })),
    ]

    @Test(arguments: unsearchable) func `A body that cannot be searched is not written`(
        type: String, body: Data
    ) async throws {
        let studio = try RecorderFixture(handler: { _, connection in
            connection.respond(200, headers: ["Content-Type": type], body: body)
        })
        let received = try await studio.client.data(for: API.page)
        let found = try (received, studio.lines().map { $0.hasPrefix("not written") }, studio.files())
        #expect(found == (body, [true], [:]), "\(studio.lines())")
    }
}
