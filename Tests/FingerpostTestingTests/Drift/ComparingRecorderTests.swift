import FingerpostStreams

@testable import FingerpostTesting

@Suite(.inTurn) struct ComparingRecorderTests {
    private struct Issue: Decodable, Sendable {
        var id: Int
        var title: String?
    }

    private enum API: Routable {
        case issue(id: Int)
        case list(page: Int)
        case gone, feed, report, byHand, unknown, createIssue, token

        var method: HTTPMethod {
            switch self {
            case .createIssue, .token: .post
            default: .get
            }
        }
        var path: RoutePath {
            switch self {
            case .issue(let id): "issues/\(id)"
            case .createIssue: "issues"
            case .list: "list"
            default: "\(String(describing: self))"
            }
        }
        var query: Parameters { if case .list(let page) = self { ["page": page] } else { [:] } }
        var responseType: (any (Decodable & Sendable).Type)? {
            switch self {
            case .issue, .createIssue: Issue.self
            default: nil
            }
        }
    }

    /// The server, the mocks and the run of tests.
    private final class Setup: Sendable {
        static let mocks = [
            "issue.json": #"{"id": 1, "title": "a"}"#, "issue.401.json": #"{"error": {"code": 1}}"#,
            "createIssue.json": #"{"id": 1}"#, "gone.json": "{}", "report.json": "{}", "token.json": #""made-up""#,
            "feed.events": "data: {\"id\": 1, \"title\": \"a\"}\n\n",
            "list.json": "[1]", "list.page2.json": #"["a"]"#, "list.page2.mock.json": #"{"for": "GET /list?page=2"}"#,
            "byHand.json": "{}", "byHand.mock.json": #"{"sequence": [{"status": 503}, {}]}"#,
        ]

        let server: LoopbackServer
        let folder: TemporaryFolder
        let live: Environment
        let run = RecordingRun("Live")
        /// What the tests have found.
        private let notes = Locked<[String]>([])

        init(_ handler: @escaping LoopbackServer.Handler) throws {
            server = try LoopbackServer(handler: handler)
            folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: Self.mocks.map { ("Mocks/\($0)", $1) }))
            live = try Environment(
                "Live", values: ["baseURL": "\(server.baseURL)", "$secrets": ["key"], "key": "s3cret-of-live-1"])
        }

        /// A server with one answer to each path.
        convenience init(_ answers: [String: String], type: String = "application/json", status: Int = 200) throws {
            try self.init { request, connection in
                let body = answers[request.path]
                connection.respond(body == nil ? 404 : status, headers: ["Content-Type": type], body: body ?? "{}")
            }
        }

        func note(_ text: String) { notes.withLock { $0.append(text) } }

        /// Runs a test, and returns its notes, what fails it, all that was sent, and the report of the run.
        func test(
            _ settings: RecordingSettings = RecordingSettings(), limit: Duration = .seconds(30),
            _ change: (inout APIClient.Configuration) -> Void = { _ in }, _ body: (APIClient) async throws -> Void
        ) async throws -> String {
            let recorder = ComparingRecorder(settings, live, folder: folder["Mocks"], in: run, limit: limit)
            let scope = APIScope(
                environment: live, network: .live, mocks: folder["Mocks"], clock: ContinuousClock(), seedOfTest: 1,
                observers: [recorder]
            ).with { $0.recorder = recorder }
            let client = try APIClient {
                $0.retry = .off
                change(&$0)
            }
            try await scope.run { try await body(client) }
            let issues = recorder.finish().map { "fails: \($0.message)\($0.problem.fix.map { ". Fix: \($0)" } ?? "")" }
            let problems = recorder.isSkipped ? [] : scope.close()
            let requests = server.requests.map { "\($0.method) \($0.target)" }
            let sent = requests.isEmpty ? [] : ["sent: \(requests.joined(separator: ", "))"]
            let lines = notes.withLock { $0 } + issues + problems + sent + [report]
            return folder.relative(lines.joined(separator: "\n"))
        }

        /// The report of the run, but for the mocks that no call met.
        var report: String {
            var report = run.report
            report.counted[RecordingRun.Count.unmet.rawValue] = nil
            return "\(report.isFailure ? "failed" : "passed"): \(report.text)"
        }

        var unmet: [String] { (run.report.counted[RecordingRun.Count.unmet.rawValue] ?? []).sorted() }
    }

    @Test func `An answer to a poll is left out, and not recorded again`() async throws {
        let setup = try Setup(["/gone": ""], status: 202)
        let outcome = try await setup.test { client in _ = try await client.data(for: API.gone) }
        #expect(
            outcome == """
                fails: GET /gone: the status is 202, not 200. Fix: leave a mock that the test polls out, with \
                .recording(ignoring: ["gone"])
                sent: GET /gone
                failed: Drift from Live: 1 compared, 1 different (GET /gone: the status is 202, not 200)
                """)
    }

    @Test func `The answer as it came is compared with the mock, and nothing is written`() async throws {
        let setup = try Setup(["/issues/7": #"{"id": 2, "name": "a"}"#, "/list": "[2]"])
        let outcome = try await setup.test { client in
            let issue: Issue = try await client.send(API.issue(id: 7))
            setup.note("issue \(issue.id)")
            _ = try await client.send(API.list(page: 1), as: [Int].self)
            // The test swallows the error.
            _ = try? await client.data(for: API.gone)
        }
        #expect(
            outcome == """
                issue 2
                fails: GET /issues/{id}: "title" is gone. Fix: record it again with MOCKS=record:Live, and correct the model
                fails: GET /gone: the status is 404, not 200. Fix: record it again with MOCKS=record:Live, and correct the model
                sent: GET /issues/7, GET /list?page=1, GET /gone
                failed: Drift from Live: 3 compared, 2 different (GET /issues/{id}: "title" is gone; GET /gone: the \
                status is 404, not 200)
                """)
        let files = try FileManager.default.contentsOfDirectory(atPath: setup.folder["Mocks"].path)
        let found = (setup.unmet, Set(files))
        #expect(found == (["byHand", "createIssue", "feed", "report", "token"], Set(Setup.mocks.keys)))
    }

    @Test func `A page is compared with its variant, and mocks that are missing or kept by hand are not`() async throws
    {
        let setup = try Setup(["/list": "[2]", "/byHand": "{}", "/unknown": "{}"])
        let outcome = try await setup.test { client in
            for page in 1...2 { _ = try await client.data(for: API.list(page: page)) }
            for route: API in [.byHand, .unknown] { _ = try await client.data(for: route) }
        }
        #expect(
            outcome == """
                fails: GET /list: "[*]" is number, not string. Fix: record it again with MOCKS=record:Live, and correct the model
                sent: GET /list?page=1, GET /list?page=2, GET /byHand, GET /unknown
                failed: Drift from Live: 2 compared, 1 different (GET /list: "[*]" is number, not string), 1 kept by hand \
                (byHand: sequence), 1 without a mock (GET /unknown: unknown)
                """)
    }

    private static let writes: [Route] = [
        API.createIssue.route, Route.delete("issues/1").mock("gone"),
        Route.get("issues").mock("issue").header("X-HTTP-Method-Override", "delete"),
        Route.get("issues?_method=PUT").mock("issue"),
    ]

    @Test(arguments: zip(writes, ["POST /issues", "DELETE /issues/1", "GET /issues", "GET /issues"]))
    func `A write ends the test before it is sent`(write: Route, name: String) async throws {
        let setup = try Setup(["/issues/1": #"{"id": 1, "title": "x"}"#])
        let outcome = try await setup.test { client in
            _ = try await client.data(for: API.issue(id: 1))
            setup.note(try await failure { try await client.data(for: write) }.fix ?? "")
            _ = try? await client.data(for: API.gone)
        }
        #expect(
            outcome == """
                add .recording(writes: true) to the test
                sent: GET /issues/1
                passed: Drift from Live: 1 compared, 1 writes (\(name))
                """)
    }

    @Test func `A test that cannot be skipped is answered by the mocks from its write on`() async throws {
        let setup = try Setup(["/issues/1": #"{"id": 2}"#])
        let outcome = try await setup.test(RecordingSettings(canSkip: false)) { client in
            let created: Issue = try await client.send(API.createIssue)
            let issue: Issue = try await client.send(API.issue(id: 1))
            setup.note("\(created.title ?? "no title"), \(issue.title ?? "no title")")
        }
        #expect(outcome == "no title, a\nfailed: Drift from Live: 0 compared, 1 writes (POST /issues)")
    }

    @Test func `With writes, a write is sent and compared`() async throws {
        let setup = try Setup(["/issues": #"{"id": "1"}"#])
        let outcome = try await setup.test(RecordingSettings(writes: true)) { client in
            _ = try? await client.data(for: API.createIssue)
        }
        #expect(
            outcome == """
                fails: POST /issues: "id" is string, not number. Fix: record it again with MOCKS=record:Live, and correct the model
                sent: POST /issues
                failed: Drift from Live: 1 compared, 1 different (POST /issues: "id" is string, not number)
                """)
    }

    @Test(arguments: ["clientCredentials", "dynamic", "perEnvironment"])
    func `Calls of the authorization are sent, and neither compared nor recorded`(kind: String) async throws {
        let setup = try Setup { request, connection in
            let isSigned = request["Authorization"] == "Bearer of-live"
            connection.respond(
                request.method == "POST" || isSigned ? 200 : 401, headers: ["Content-Type": "application/json"],
                body: request.method == "POST" ? #""of-live""# : #"{"id": 1, "title": "x"}"#)
        }
        let outcome = try await setup.test {
            @Sendable func token() async throws -> String {
                try await APIClient().send(API.token, as: String.self)
            }
            let expiring = Authorization.clientCredentials {
                ExpiringToken(try await token(), expiresIn: .seconds(60))
            }
            $0.authorization =
                switch kind {
                case "clientCredentials": expiring
                case "dynamic": .dynamic { .bearer(try await token()) }
                default: .perEnvironment { _ in expiring }
                }
        } _: {
            _ = try await $0.data(for: API.issue(id: 1))
        }
        #expect(
            outcome == "sent: POST /token, GET /issues/1\npassed: Drift from Live: 1 compared"
                && setup.unmet.contains("token"), "\(outcome)")
    }

    /// The expected status, the answer, and the difference.
    @Test(arguments: [
        (401, 401, #"{"error": {"code": 2}}"#, nil),
        (401, 200, #"{"error": {"code": 2}}"#, "GET /issues/{id}: the status is 200, not 401"),
        // Without a variant of the status.
        (403, 200, #"{"id": 1, "title": "a"}"#, "GET /issues/{id}: the status is 200, not 403"),
    ])
    func `A test that expects a status is compared with its variant, and another status differs`(
        expected: Int, status: Int, body: String, difference: String?
    ) async throws {
        let setup = try Setup(["/issues/1": body], status: status)
        let outcome = try await setup.test(RecordingSettings(status: expected)) {
            _ = try? await $0.data(for: API.issue(id: 1))
        }
        let fails = difference.map { "fails: \($0). Fix: correct the test or its .recording(status:)\n" } ?? ""
        let report = difference.map { "failed: Drift from Live: 1 compared, 1 different (\($0))" }
        #expect(outcome == "\(fails)sent: GET /issues/1\n\(report ?? "passed: Drift from Live: 1 compared")")
    }

    @Test func `What the recorder refuses fails the test, which names no secret`() async throws {
        let setup = try Setup(["/report": "<a>s3cret-of-live-1</a>"], type: "application/xml")
        let outcome = try await setup.test { _ = try await $0.data(for: API.report) }
        let refusal =
            "GET /report: the body is neither JSON nor a form nor a stream and contains a secret, which cannot be removed "
            + "from line 1; write report.xml by hand, with a made-up value"
        #expect(
            outcome == """
                fails: \(refusal). Fix: leave it out with .recording(ignoring:)
                sent: GET /report
                failed: Drift from Live: 0 compared, 1 refused by the recorder (\(refusal))
                """)
        let ignored = try await setup.test(RecordingSettings(ignoring: ["report"])) {
            _ = try await $0.data(for: API.report)
        }
        #expect(
            ignored == """
                sent: GET /report, GET /report
                failed: Drift from Live: 0 compared, 1 refused by the recorder (\(refusal))
                """)
    }

    @Test func `A stream is compared when it was read`() async throws {
        let setup = try Setup(["/feed": "data: {\"id\": 2}\n\n"], type: "text/event-stream")
        let outcome = try await setup.test { client in
            for try await event in client.events(API.feed) {
                setup.note(event.data)
                break
            }
        }
        #expect(
            outcome == """
                {"id": 2}
                fails: GET /feed: "[*].title" is gone. Fix: record it again with MOCKS=record:Live, and correct the model
                sent: GET /feed
                failed: Drift from Live: 1 compared, 1 different (GET /feed: "[*].title" is gone)
                """)
    }

    @Test func `After four calls without an answer nothing is sent, and the run fails`() async throws {
        let setup = try Setup { _, connection in connection.close() }
        let outcome = try await setup.test { client in
            for id in 1...6 { _ = try? await client.data(for: API.issue(id: id)) }
        }
        #expect(
            outcome == """
                sent: GET /issues/1, GET /issues/2, GET /issues/3, GET /issues/4
                failed: Drift from Live: 0 compared, 4 without an answer (GET /issues/1; GET /issues/2; GET /issues/3; GET \
                /issues/4), 2 not sent after four without an answer (GET /issues/5; GET /issues/6)
                """)
    }

    @Test func `A server has a limited time to answer`() async throws {
        let setup = try Setup { _, _ in }
        let outcome = try await setup.test(limit: .milliseconds(20)) { client in
            setup.note("\(try await failure { try await client.data(for: API.gone) }.kind)")
        }
        // Whether the request has reached the server by then depends on the machine.
        let lines = outcome.components(separatedBy: "\n").filter { !$0.hasPrefix("sent: ") }
        #expect(lines == ["timed out", "failed: Drift from Live: 0 compared, 1 without an answer (GET /gone)"])
    }

    @Test func `An inner trait adds to an outer one`() {
        let outer = RecordingSettings(writes: true, ignoring: ["a"], status: 401)
        let inner = RecordingSettings(writes: false, ignoring: ["b"]).inheriting(outer)
        let found = (inner.writes, inner.ignoring, inner.status, RecordingSettings().inheriting(outer).writes)
        #expect(found == (false, ["a", "b"], 401, true))
    }

    @Test func `An optional response type hides no failure of an empty answer`() async throws {
        let setup = try Setup { request, connection in
            connection.respond(request.path == "/a" ? 404 : request.path == "/b" ? 401 : 204, body: "")
        }
        let outcome = try await setup.test { client in
            for path in ["a", "b", "c"] {
                var route = Route.get("\(path)").mock("issue")
                route.responseType = Issue?.self
                let _: Issue? = try? await client.send(route, as: Issue?.self)
            }
        }
        #expect(
            outcome == """
                fails: GET /a: the status is 404, not 200. Fix: record it again with MOCKS=record:Live, and correct the model
                fails: GET /b: the status is 401, not 200. Fix: sign in with credentials that the server accepts
                sent: GET /a, GET /b, GET /c
                failed: Drift from Live: 3 compared, 1 different (GET /a: the status is 404, not 200), 1 with a rejected \
                token (GET /b: the status is 401, not 200)
                """)
    }

    @Test func `What no recorder can name fails the test`() async throws {
        let setup = try Setup(["/a": "{}"])
        let outcome = try await setup.test { _ = try await $0.data(for: Route.get("a").mock("../a")) }
        let refusal = """
            GET a: Mocks: error: the mock name "../a" of GET a is invalid: it contains .., which could lead outside the \
            folder. Fix: name a file inside the folder
            """
        #expect(
            outcome == """
                fails: \(refusal). Fix: leave it out with .recording(ignoring:)
                sent: GET /a
                failed: Drift from Live: 0 compared, 1 refused by the recorder (\(refusal))
                """)
    }

    @Test(arguments: [
        ("thrown", "", "GET /issues/1: the server rejected the token"),
        ("decoding", "sent: POST /token\n", "GET /issues/1: the server rejected the token"),
        ("refreshing", "sent: GET /issues/1, POST /token\n", "GET /issues/1: the server rejected the token"),
        (
            "dynamic", "sent: POST /token\n",
            "GET /issues/1: the call failed before it was sent, such as for want of a token"
        ),
    ])
    func `A token that cannot be had fails the test, even if it swallows the error`(
        kind: String, sent: String, issue: String
    ) async throws {
        let setup = try Setup { _, connection in
            connection.respond(["dynamic": 404, "refreshing": 401][kind] ?? 200, body: "{}")
        }
        let outcome = try await setup.test {
            @Sendable func token() async throws -> String {
                if kind == "thrown" { throw CocoaError(.featureUnsupported) }
                return "\(try await APIClient().send(API.token, as: Int.self))"
            }
            $0.authorization =
                switch kind {
                case "dynamic": .dynamic { .bearer(try await token()) }
                case "refreshing": .refreshing(InMemoryCredentialStore("old-token")) { _ in try await token() }
                default: .clientCredentials { ExpiringToken(try await token(), expiresIn: .seconds(60)) }
                }
        } _: {
            _ = try? await $0.data(for: API.issue(id: 1))
        }
        #expect(
            outcome == """
                fails: \(issue). Fix: sign in with credentials that the server accepts
                \(sent)failed: Drift from Live: 0 compared, 1 with a rejected token (\(issue))
                """)
    }

    @Test func `A scope inside the test sends no write, and its other environment is not compared`() async throws {
        let setup = try Setup(["/issues/1": "{}"])
        let other = try Environment("Other", values: ["baseURL": "\(setup.server.baseURL)"])
        let scope = { APIScope(environment: $0, network: .live) }
        let outcome = try await setup.test { client in
            try await scope(other).run { _ = try await client.data(for: API.issue(id: 1)) }
            for environment in [other, setup.live, nil] {
                await scope(environment).run { _ = try? await client.data(for: API.createIssue) }
            }
        }
        #expect(outcome == "sent: GET /issues/1\nfailed: Drift from Live: 0 compared, 1 writes (POST /issues)")
    }

    @Test func `A download and a stream send no write`() async throws {
        let setup = try Setup(["/issues": #"{"id": 1}"#])
        let outcome = try await setup.test { client in
            let file = setup.folder["x.bin"]
            _ = try? await client.download(API.createIssue, to: file)
            do { for try await _ in try await client.stream(API.createIssue) {} } catch {}
            do { for try await _ in client.events(API.createIssue) {} } catch {}
        }
        #expect(outcome == "failed: Drift from Live: 0 compared, 1 writes (POST /issues)")
    }
}
