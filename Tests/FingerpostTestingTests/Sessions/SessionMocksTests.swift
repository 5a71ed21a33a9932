import FingerpostTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What mocks can do elsewhere, they do for sessions.
@Suite(.inTurn) struct SessionMocksTests {
    private static let files = [
        "login.json": "in", "login.mock.json": #"{ "for": "POST /login", "then": { "user": "member" } }"#,
        "login.locked.423.json": "locked", "user.json": "guest", "user.mock.json": #"{ "for": "GET /user" }"#,
        "user.member.json": "member", "user.410.json": "gone", "jobs.json": "done",
        "jobs.mock.json": #"{ "for": "GET /jobs", "sequence": [{ "status": 202 }, {}] }"#,
        "_scenarios.json": #"{ "offline": { "*": { "failure": "notConnectedToInternet" } } }"#,
        "list.json": "[1]", "list.mock.json": #"{ "for": "GET /list" }"#, "list.2.json": "[2]",
        "list.2.mock.json": #"{ "for": "GET /list?page=2" }"#,
    ]

    private func run(
        _ body: @Sendable (_ ask: @Sendable (String) async -> String) async throws -> [String]
    ) async throws -> (result: [String], lines: [String], problems: [String]) {
        try await SessionScope(Self.files).run {
            try await body { await SessionWay.completion.answer(.to($0)) }
        }
    }

    @Test func `Code, variants, then, pages, scenarios and sequences choose the answer`() async throws {
        let run = try await run { ask in
            var found = [await ask("GET /user"), await ask("POST /login"), await ask("GET /user")]
            Mocks.set("user", .status(410))
            found.append(await ask("GET /user"))
            Mocks.set("user", .variant("member"))
            found.append(await ask("GET /user"))
            Mocks.set("user", .respond { .data(Data("\($0.httpMethod ?? "") \($0.url?.path ?? "")".utf8)) })
            found.append(await ask("GET /user"))
            Mocks.set("user", .sequence([.failure(.timedOut), .file]))
            found += [await ask("GET /user"), await ask("GET /user")]
            found += [await ask("GET /jobs"), await ask("GET /jobs")]
            found += [await ask("GET /list"), await ask("GET /list?page=2")]
            try Mocks.use("offline")
            return found + [await ask("GET /list")]
        }
        let expected = [
            "200 guest", "200 in", "200 member", "410 gone", "200 member", "200 GET /user", "-1001", "200 member",
            "202 done", "200 done", "200 [1]", "200 [2]", "-1009",
        ]
        #expect((run.result, run.problems) == (expected, []))
    }

    @Test func `What no request reads, and what comes after the end, fails the test`() async throws {
        let unread = try await run { ask in
            Mocks.set("user", .sequence([.status(503), .file]))
            return [await ask("GET /user")]
        }
        let ended = try await run { ask in [await ask("GET /jobs"), await ask("GET /jobs"), await ask("GET /jobs")] }
        let found = (unread.problems.map { $0.contains("calls used only 1") }, ended.result[2], ended.problems.count)
        #expect(found == ([true], "-1008", 1), "\(unread) \(ended)")
    }

    @Test func `The calls of a session are found by their mocks, and a problem that is taken does not fail the test`()
        async throws
    {
        let run = try await run { ask in
            async let answer = ask("GET /user")
            let call = try await Mocks.next("user")
            let found = [call.line, "\(Mocks.calls(of: "user").count)", await answer]
            return found + [await ask("GET /unknown"), "\(Mocks.takeProblems().count)"]
        }
        let outcome = (run.result, run.problems)
        #expect(outcome == (["GET https://api.example.com/user 200", "1", "200 guest", "-1008", "1"], []))
    }

    @Test(arguments: [false, true])
    func `An audit knows the mocks of sessions if it is told`(_ isTold: Bool) throws {
        let folder = try TemporaryFolder([
            "user.mock.json": #"{ "for": "GET /user" }"#, "user.410.json": "{}", "other.json": "{}",
        ])
        let audit = try MockAudit(options: .init(folder: folder.url, answersSessions: isTold))
        let orphans = audit.findings.filter { $0.kind == .orphan }.map(\.mock)
        #expect(Set(orphans) == (isTold ? ["other"] : ["other", "user", "user.410"]), "\(orphans)")
    }
}
