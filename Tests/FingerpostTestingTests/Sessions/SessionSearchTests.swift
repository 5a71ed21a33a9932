import FingerpostTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Which mock answers a request that no route has made.
@Suite(.inTurn) struct SessionSearchTests {
    /// Mocks that answer with their own names.
    private static func files(_ mocks: KeyValuePairs<String, String>) -> [String: String] {
        mocks.reduce(into: [:]) { files, mock in
            files["\(mock.key).mock.json"] = #"{ "for": "\#(mock.value)" }"#
            files["\(mock.key).json"] = mock.key
        }
    }

    private func answer(
        _ line: String, _ files: [String: String], _ baseURL: String = "https://testing.invalid",
        below baseURLs: [String] = []
    ) async throws -> (result: String, lines: [String], problems: [String]) {
        try await SessionScope(files, baseURL: baseURL).run {
            await SessionWay.async.answer(.to(line), below: baseURLs.map { URL(string: $0)! })
        }
    }

    /// Requests, each with the mock that answers; nil if none does.
    @Test(
        arguments: [
            ("GET /users/octocat", "user"), ("GET /users/me", "me"), ("POST /users/me", "create"),
            ("GET /users/me/", "me"), ("GET /users//me", "me"), ("GET /users/caf%C3%A9", "cafe"),
            ("GET /users/caf%c3%a9", "cafe"), ("GET /list", "list"), ("GET /list?page=2", "second"),
            ("GET /list?b=1&page=2&a=%31", "exact"), ("GET /list?page=3", "list"), ("GET /", "root"),
            ("GET /a/b", nil), ("GET /a/c", "left"), ("GET /c/b", "right"), ("GET /a%2Fb", "one"),
            ("GET /q?a=1&b=2", "both"), ("GET /q?b=2&a=1&c", "both"), ("GET /q?a=1%26b=2", "one"),
            ("GET /q?a=1&a=2", "first"), ("GET /v/me", "variant"), ("GET /e/%7Bid%7D", "brace"),
            ("GET /e/%7bid%7d", "brace"), ("GET /w", nil),
        ] as [(String, String?)])
    func `The most exact mock answers`(_ line: String, _ mock: String?) async throws {
        let run = try await answer(
            line,
            Self.files([
                "user": "GET /users/{name}", "me": "GET /users/me", "create": "POST /users/{name}",
                "cafe": "GET /users/caf%C3%A9", "list": "GET /list", "second": "GET /list?page=2",
                "exact": "GET /list?page=2&a=1", "root": "GET /", "left": "GET /a/{id}", "right": "GET /{id}/b",
                "one": "GET /{id}", "both": "GET /q?a=1&b=2", "first": "GET /q?a=1", "variant": "GET /v/{id}",
                "variant.b": "GET /v/me", "brace": "GET /e/%7Bid%7D", "other": "GET /e/{id}", "w": "GET /u",
                "w.b": "GET /w",
            ]))
        let found = (run.result, run.problems.isEmpty)
        #expect(found == (mock.map { "200 \($0)" } ?? "-1008", mock != nil), "\(run)")
    }

    /// The base URL of the environment, those of the session, a request, and the one that it is below; `none` for
    /// another port, scheme, host or path.
    private static let bases = """
        https://api.example.com/v3 |  | GET /v3/x | https://api.example.com/v3
        https://api.example.com/v3/ |  | GET /v3/x | https://api.example.com/v3
        https://a.example |  | GET https://a.example:8080/x | none
        https://a.example |  | GET http://a.example/x | none
        https://a.example |  | GET https://a.example.org/x | none
        https://a.example/v3 |  | GET https://a.example/v30/x | none
        https://a.example/v3 |  | GET https://a.example/V3/x | none
        https://a.example/v3 |  | GET https://a.example/v3%2Fx | none
        https://api.example.com | https://api.example.com/v3 | GET /v3/x | https://api.example.com/v3
        https://testing.invalid | https://a.example/b | GET https://A.example:443/b/x | https://a.example/b
        https://testing.invalid | https://a.example/b https://api.example.com/v3 | GET /v3/x | https://api.example.com/v3
        https://testing.invalid | https://a.example https://a.example/v3 | GET https://a.example/v3/x | https://a.example/v3
        https://testing.invalid | https://a.example/v3 https://a.example | GET https://a.example/x | https://a.example
        https://testing.invalid | https://a.example https://a.example/v3 | GET https://a.example/v30/x | none
        https://testing.invalid | https://a.example/caf%C3%A9 | GET https://a.example/caf%c3%a9/x | https://a.example/caf%C3%A9
        https://testing.invalid | https://a.example/v3/ | GET https://a.example//v3//x/ | https://a.example/v3
        https://testing.invalid | http://[::1]:8080 | GET http://[::1]:8080/x | http://[::1]:8080
        https://testing.invalid | http://a.example https://a.example | GET http://a.example:80/x | http://a.example
        https://testing.invalid | https://a.example https://a.example:8443 | GET https://a.example:8443/x | https://a.example:8443
        """

    @Test(arguments: bases.components(separatedBy: "\n"))
    func `The path is that below a base URL, of several the longest`(_ row: String) async throws {
        let parts = row.components(separatedBy: " | ")
        let baseURLs = parts[1].split(separator: " ").map(String.init)
        let files = ["x.mock.json": #"{ "for": "GET /x", "status": 200, "headers": { "X-Base": "{env.baseURL}" } }"#]
        let run = try await answer(parts[2], files, parts[0], below: baseURLs)
        let words =
            baseURLs.isEmpty
            ? ["is below none of the base URLs \(parts[0])", "Mocks.sessionConfiguration(URL(string: \"http"]
            : ["is for GET /v30/x", "pass the base URL with the rest of the path to Mocks.sessionConfiguration"]
        let problems = run.problems.map { problem in words.map(problem.contains) }
        let isNone = parts[3] == "none"
        let expected = (isNone ? "-1008" : "200 x-base: \(parts[3])", isNone ? [[true, true]] : [])
        #expect((run.result, problems) == expected, "\(run)")
    }

    @Test(
        arguments: [
            ("GET /emojis", #"add emojis.json, and emojis.mock.json with { "for": "GET /emojis" }"#),
            (
                "PUT /repos/42/stars",
                #"add stars.json, and stars.mock.json with { "for": "PUT /repos/{id}/stars" }"#
            ),
            ("DELETE /users/7", #"the mock "user" is for GET /users/{name}: the method differs"#),
            ("GET /page?n=2", #"the mock "page" is for GET /page?n=1: the query lacks an item of it"#),
            ("GET /api/v3/page?n=1", "pass the base URL with the rest of the path to Mocks.sessionConfiguration"),
            ("GET /pege?n=1", #"the mock "page" is for GET /page?n=1: the path differs"#),
            ("PUT /users", #"put-users.json, and put-users.mock.json with { "for": "PUT /users" }"#),
            ("GET file:///etc/passwd", "mocks answer http and https requests alone"),
        ])
    func `A request without a mock fails its test with the fix`(_ line: String, _ text: String) async throws {
        var files = Self.files(["user": "GET /users/{name}", "page": "GET /page?n=1"])
        files["users.json"] = "{}"
        let run = try await answer(line, files)
        let found = (run.result, run.problems.map { $0.contains(text) }, run.lines.map { $0.hasSuffix(" mock") })
        #expect(found == ("-1008", [true], [true]), "\(run)")
    }

    @Test func `Two mocks alike are an error that names both, and variants of one are not two`() async throws {
        let two = try await answer(
            "GET /users/me?a=1", Self.files(["user": "GET /users/{name}", "other": "GET /users/{login}"]))
        let text = #"two mocks are for GET /users/me: "other" (GET /users/{login}) and "user" (GET /users/{name})"#
        var files = Self.files(["user": "GET /users/{name}", "user.410": "GET /users/{name}"])
        let one = try await answer("GET /users/me", files)
        // What only says which requests it answers is no default response.
        for name in ["user.json", "user.410.mock.json"] { files[name] = nil }
        let none = try await answer("GET /users/me", files)
        let gone = try await SessionScope(files, ["user": "410"]).run {
            await SessionWay.completion.answer(.to("GET /users/me"))
        }
        let runs = [two, one, none, gone]
        let problems = zip(runs, [text, "", #"has no default answer; it has "410""#, ""]).map { run, text in
            run.problems.map { $0.contains(text) }
        }
        let found = (runs.map(\.result), problems)
        #expect(found == (["-1008", "200 user", "-1008", "410 user.410"], [[true], [], [true], []]), "\(runs)")
    }

    @Test func `A second server asks for base URLs`() async throws {
        let files = Self.files(["x": "GET /x"])
        let run = try await SessionScope(files).run {
            [
                await SessionWay.async.answer(.to("GET /x")),
                await SessionWay.async.answer(.to("GET https://b.example/x")),
            ]
        }
        let fix =
            #"Mocks.sessionConfiguration(URL(string: "https://api.example.com")!, URL(string: "https://b.example")!)"#
        let found = (run.result, run.problems.map { $0.contains(fix) })
        #expect(found == (["200 x", "-1008"], [true]), "\(run.problems)")
    }

    @Test func `A mock that cannot be read is named by the error of a request that may mean it`() async throws {
        let run = try await answer("GET /x", ["x.json": "{}", "x.mock.json": #"{ "for": "GET/x" }"#])
        #expect(run.problems.first?.contains("x.mock.json:1:10: error") == true, "\(run.problems)")
    }

    @Test func `The base URL of a mock's header is that of the request`() async throws {
        let files = [
            "x.mock.json":
                #"{ "for": "GET /x", "status": 200, "headers": { "X-Base": "{env.baseURL}/y", "X-Key": "{env.key}" } }"#
        ]
        let run = try await SessionScope(files, baseURL: "https://a.example").run {
            var found: [String] = []
            for line in ["GET https://a.example/x", "GET https://b.example/v1/x"] {
                found.append(await SessionWay.async.answer(.to(line), below: [URL(string: "https://b.example/v1/")!]))
            }
            Mocks.set("x", .respond { _ in .status(200).header("X-Base", "{env.baseURL}") })
            found.append(
                await SessionWay.async.answer(
                    .to("GET https://b.example/v1/x"), below: [URL(string: "https://b.example/v1/")!]))
            return found
        }
        #expect(
            run.result == [
                "200 x-base: https://a.example/y, x-key: k-1", "200 x-base: https://b.example/v1/y, x-key: k-1",
                "200 x-base: https://b.example/v1",
            ], "\(run)")
    }
}
