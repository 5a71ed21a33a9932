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
        /// What failed the last test, with the fix.
        let texts = Locked<[String]>([])

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

        var requests: [String] { server.requests.map { "\($0.method) \($0.target)" } }

        /// Runs a test, and returns what fails it.
        func test(
            _ settings: RecordingSettings = RecordingSettings(), limit: Duration = .seconds(30),
            _ change: (inout APIClient.Configuration) -> Void = { _ in }, _ body: (APIClient) async throws -> Void
        ) async throws -> [String] {
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
            let findings = recorder.finish()
            texts.withLock { $0 = findings.map(\.description) }
            let messages = findings.map(\.message)
            #expect(recorder.isSkipped || scope.close() == [])
            return messages
        }

        func counted(_ count: RecordingRun.Count) -> [String] { run.report.counted[count.rawValue] ?? [] }
    }

    @Test func `An answer to a poll is left out, and not recorded again`() async throws {
        let setup = try Setup(["/gone": ""], status: 202)
        let issues = try await setup.test { client in _ = try await client.data(for: API.gone) }
        #expect(issues == ["GET /gone: the status is 202, not 200"])
        let fix = #"Fix: leave a mock that the test polls out, with .recording(ignoring: ["gone"])"#
        #expect(setup.texts.withLock { $0.first?.hasSuffix(fix) } == true, "\(setup.texts.withLock { $0 })")
    }

    @Test func `The answer as it came is compared with the mock, and nothing is written`() async throws {
        let setup = try Setup(["/issues/7": #"{"id": 2, "name": "a"}"#, "/list": "[2]"])
        let issues = try await setup.test { client in
            let issue: Issue = try await client.send(API.issue(id: 7))
            #expect(issue.id == 2)
            _ = try await client.send(API.list(page: 1), as: [Int].self)
            // The test swallows the error.
            _ = try? await client.data(for: API.gone)
        }
        #expect(issues == [#"GET /issues/{id}: "title" is gone"#, "GET /gone: the status is 404, not 200"])
        #expect(setup.requests == ["GET /issues/7", "GET /list?page=1", "GET /gone"])
        let report = setup.run.report
        #expect((report.compared, report.isFailure) == (3, true) && setup.counted(.different) == issues)
        #expect(setup.counted(.unmet).sorted() == ["byHand", "createIssue", "feed", "report", "token"])
        let files = try FileManager.default.contentsOfDirectory(atPath: setup.folder["Mocks"].path)
        #expect(Set(files) == Set(Setup.mocks.keys))
    }

    @Test func `A page is compared with its variant, and mocks that are missing or kept by hand are not`() async throws
    {
        let setup = try Setup(["/list": "[2]", "/byHand": "{}", "/unknown": "{}"])
        let issues = try await setup.test { client in
            for page in 1...2 { _ = try await client.data(for: API.list(page: page)) }
            for route: API in [.byHand, .unknown] { _ = try await client.data(for: route) }
        }
        #expect((issues, setup.counted(.kept)) == (["GET /list: \"[*]\" is number, not string"], ["byHand: sequence"]))
        #expect(setup.counted(.missing) == ["GET /unknown: unknown"])
    }

    private static let writes: [Route] = [
        API.createIssue.route, Route.delete("issues/1").mock("gone"),
        Route.get("issues").mock("issue").header("X-HTTP-Method-Override", "delete"),
        Route.get("issues?_method=PUT").mock("issue"),
    ]

    @Test(arguments: writes.indices) func `A write ends the test before it is sent`(index: Int) async throws {
        let setup = try Setup(["/issues/1": #"{"id": 1, "title": "x"}"#])
        let issues = try await setup.test { client in
            _ = try await client.data(for: API.issue(id: 1))
            let error = await #expect(throws: APIError.self) { try await client.data(for: Self.writes[index]) }
            #expect(error?.fix == "add .recording(writes: true) to the test")
            _ = try? await client.data(for: API.gone)
        }
        #expect(issues == [] && setup.requests == ["GET /issues/1"])
        #expect((setup.counted(.writes).count, setup.run.report.isFailure) == (1, false))
    }

    @Test func `A test that cannot be skipped is answered by the mocks from its write on`() async throws {
        let setup = try Setup(["/issues/1": #"{"id": 2}"#])
        let issues = try await setup.test(RecordingSettings(canSkip: false)) { client in
            let created: Issue = try await client.send(API.createIssue)
            let issue: Issue = try await client.send(API.issue(id: 1))
            #expect([created.title, issue.title] == [nil, "a"])
        }
        #expect((issues, setup.requests) == ([], []))
    }

    @Test func `With writes, a write is sent and compared`() async throws {
        let setup = try Setup(["/issues": #"{"id": "1"}"#])
        let issues = try await setup.test(RecordingSettings(writes: true)) { client in
            _ = try? await client.data(for: API.createIssue)
        }
        #expect((issues, setup.requests) == (["POST /issues: \"id\" is string, not number"], ["POST /issues"]))
    }

    @Test(arguments: ["clientCredentials", "dynamic", "perEnvironment"])
    func `Calls of the authorization are sent, and neither compared nor recorded`(kind: String) async throws {
        let setup = try Setup { request, connection in
            let isSigned = request["Authorization"] == "Bearer of-live"
            connection.respond(
                request.method == "POST" || isSigned ? 200 : 401, headers: ["Content-Type": "application/json"],
                body: request.method == "POST" ? #""of-live""# : #"{"id": 1, "title": "x"}"#)
        }
        let issues = try await setup.test {
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
        #expect(issues == [] && setup.requests == ["POST /token", "GET /issues/1"])
        #expect(
            (setup.run.report.compared, setup.counted(.writes), setup.counted(.unmet).contains("token")) == (
                1, [], true
            ))
    }

    @Test(arguments: [false, true]) func `A rejected token fails the test`(isRenewable: Bool) async throws {
        let setup = try Setup { _, connection in connection.respond(401, body: "{}") }
        let issues = try await setup.test {
            $0.authorization =
                isRenewable
                ? .refreshing(InMemoryCredentialStore("old-token")) { _ in
                    try await APIClient().send(API.token, as: String.self)
                } : .bearer("old-token")
        } _: {
            _ = try? await $0.data(for: API.issue(id: 1))
        }
        #expect(issues.count == 1 && setup.counted(.rejected) == issues, "\(issues)")
        #expect(setup.run.report.isFailure && setup.counted(.different) == [])
    }

    @Test(arguments: [401, 200]) func `A test that expects a status is compared with its variant`(status: Int)
        async throws
    {
        let setup = try Setup(["/issues/1": #"{"error": {"code": 2}}"#], status: status)
        let issues = try await setup.test(RecordingSettings(status: 401)) {
            _ = try? await $0.data(for: API.issue(id: 1))
        }
        #expect(issues == (status == 401 ? [] : ["GET /issues/{id}: the status is 200, not 401"]))
        #expect(setup.run.report.compared == 1)
    }

    @Test func `What the recorder refuses fails the test, which names no secret`() async throws {
        let setup = try Setup(["/report": "<a>s3cret-of-live-1</a>"], type: "application/xml")
        let issues = try await setup.test { _ = try await $0.data(for: API.report) }
        #expect(issues.count == 1 && issues[0].hasPrefix("GET /report: the body is neither JSON"), "\(issues)")
        #expect(setup.counted(.refused) == issues && setup.run.report.isFailure)
        #expect(!"\(issues) \(setup.run.report.text)".contains("s3cret"))
        let ignored = try await setup.test(RecordingSettings(ignoring: ["report"])) {
            _ = try await $0.data(for: API.report)
        }
        #expect(ignored == [])
    }

    @Test func `A stream is compared when it was read`() async throws {
        let setup = try Setup(["/feed": "data: {\"id\": 2}\n\n"], type: "text/event-stream")
        let issues = try await setup.test { client in
            for try await event in client.events(API.feed) {
                #expect(event.data == "{\"id\": 2}")
                break
            }
        }
        #expect(issues == ["GET /feed: \"[*].title\" is gone"])
    }

    @Test func `After four calls without an answer nothing is sent, and the run fails`() async throws {
        let setup = try Setup { _, connection in connection.close() }
        let issues = try await setup.test { client in
            for id in 1...6 { _ = try? await client.data(for: API.issue(id: id)) }
        }
        #expect((issues, setup.requests.count) == ([], 4))
        #expect((setup.counted(.silent).count, setup.counted(.unsent)) == (4, ["GET /issues/5", "GET /issues/6"]))
    }

    @Test func `A server has a limited time to answer`() async throws {
        let setup = try Setup { _, _ in }
        _ = try await setup.test(limit: .milliseconds(20)) { client in
            let error = await #expect(throws: APIError.self) { try await client.data(for: API.gone) }
            #expect(error?.kind == .timedOut)
        }
        #expect(setup.counted(.silent) == ["GET /gone"])
    }

    @Test func `An inner trait adds to an outer one`() {
        let outer = RecordingSettings(writes: true, ignoring: ["a"], status: 401)
        let inner = RecordingSettings(writes: false, ignoring: ["b"]).inheriting(outer)
        #expect((inner.writes, inner.ignoring, inner.status) == (false, ["a", "b"], 401))
        #expect(RecordingSettings().inheriting(outer).writes == true)
    }

    @Test func `An optional response type hides no failure of an empty answer`() async throws {
        let setup = try Setup { request, connection in
            connection.respond(request.path == "/a" ? 404 : request.path == "/b" ? 401 : 204, body: "")
        }
        let issues = try await setup.test { client in
            for path in ["a", "b", "c"] {
                var route = Route.get("\(path)").mock("issue")
                route.responseType = Issue?.self
                let _: Issue? = try? await client.send(route, as: Issue?.self)
            }
        }
        #expect(issues == ["GET /a: the status is 404, not 200", "GET /b: the status is 401, not 200"])
        #expect(setup.counted(.rejected) == [issues.last ?? ""])
    }

    @Test func `Another status than the expected one is a difference without a variant of it too`() async throws {
        let setup = try Setup(["/issues/1": #"{"id": 1, "title": "a"}"#, "/unknown": "{}"])
        let issues = try await setup.test(RecordingSettings(status: 403)) {
            _ = try? await $0.data(for: API.issue(id: 1))
        }
        #expect(issues == ["GET /issues/{id}: the status is 200, not 403"])
    }

    @Test func `What no recorder can name fails the test`() async throws {
        let setup = try Setup(["/a": "{}"])
        let issues = try await setup.test {
            _ = try await $0.data(for: Route.get("a").mock("../a"))
        }
        #expect(issues.count == 1 && setup.counted(.refused) == issues, "\(issues) \(setup.run.report.text)")
    }

    @Test(arguments: ["thrown", "decoding", "dynamic"])
    func `A token that cannot be had fails the test, even if it swallows the error`(kind: String) async throws {
        let setup = try Setup { request, connection in
            connection.respond(kind == "dynamic" && request.method == "POST" ? 404 : 200, body: "{}")
        }
        let issues = try await setup.test {
            @Sendable func token() async throws -> String {
                if kind == "thrown" { throw CocoaError(.featureUnsupported) }
                return "\(try await APIClient().send(API.token, as: Int.self))"
            }
            $0.authorization =
                kind == "dynamic"
                ? .dynamic { .bearer(try await token()) }
                : .clientCredentials { ExpiringToken(try await token(), expiresIn: .seconds(60)) }
        } _: {
            _ = try? await $0.data(for: API.issue(id: 1))
        }
        #expect(issues.count == 1 && setup.counted(.rejected) == issues, "\(issues) \(setup.run.report.text)")
    }

    @Test func `A scope inside the test sends no write, and its other environment is not compared`() async throws {
        let setup = try Setup(["/issues/1": "{}"])
        let other = try Environment("Other", values: ["baseURL": "\(setup.server.baseURL)"])
        let scope = { APIScope(environment: $0, network: .live) }
        let issues = try await setup.test { client in
            try await scope(other).run { _ = try await client.data(for: API.issue(id: 1)) }
            for environment in [other, setup.live, nil] {
                await scope(environment).run { _ = try? await client.data(for: API.createIssue) }
            }
        }
        #expect((issues, setup.requests) == ([], ["GET /issues/1"]))
        #expect((setup.run.report.compared, setup.counted(.writes)) == (0, ["POST /issues"]))
    }

    @Test func `A download and a stream send no write`() async throws {
        let setup = try Setup(["/issues": #"{"id": 1}"#])
        _ = try await setup.test { client in
            let file = setup.folder["x.bin"]
            _ = try? await client.download(API.createIssue, to: file)
            do { for try await _ in try await client.stream(API.createIssue) {} } catch {}
            do { for try await _ in client.events(API.createIssue) {} } catch {}
        }
        #expect(setup.requests == [])
    }
}
