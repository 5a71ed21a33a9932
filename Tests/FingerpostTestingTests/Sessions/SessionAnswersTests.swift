import FingerpostTesting
import LoopbackServer

@testable import FingerpostMockFiles

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a session gets from mocks, asked in each way.
@Suite(.inTurn) struct SessionAnswersTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var line = "GET /x"
        /// The settings without `for`.
        var settings = ""
        var body: String? = #"{"a":1}"#
        var timeout = 60.0
        var sent: String?
        var ofSession: (@Sendable (URLSessionConfiguration) -> Void) = { _ in }
        let answer: String
        var testDescription: String { "\(line) \(settings) \(answer)" }
    }

    private static let rows = [
        Row(answer: #"200 {"a":1}"#),
        Row(settings: #""status": 201, "headers": { "X-A": "b" }"#, answer: #"201 x-a: b {"a":1}"#),
        Row(settings: #""status": 500"#, answer: #"500 {"a":1}"#),
        Row(
            settings: #""headers": { "X-Base": "{env.baseURL}/y" }"#,
            answer: #"200 x-base: https://api.example.com/y {"a":1}"#),
        Row(line: "HEAD /x", settings: #""status": 200, "headers": { "X-A": "b" }"#, body: nil, answer: "200 x-a: b"),
        Row(line: "DELETE /x", settings: #""status": 204"#, body: nil, answer: "204"),
        Row(line: "POST /x", sent: "sent", answer: #"200 {"a":1}"#),
        // As a server's: URLSession sends no GET with a body.
        Row(sent: "sent", answer: "-1103"),
        // Delays take no time on the clock of the test, but count.
        Row(settings: #""delay": 59"#, answer: #"200 {"a":1}"#),
        Row(settings: #""delay": 61"#, answer: "-1001"),
        Row(settings: #""delay": 3"#, timeout: 2, answer: "-1001"),
        Row(settings: #""delay": 70"#, timeout: 80, answer: #"200 {"a":1}"#),
        Row(settings: #""delay": 3"#, ofSession: { $0.timeoutIntervalForRequest = 2 }, answer: "-1001"),
        Row(
            settings: #""delay": 3"#, timeout: 5, ofSession: { $0.timeoutIntervalForRequest = 2 },
            answer: #"200 {"a":1}"#),
        Row(settings: #""delay": 3"#, timeout: 5, ofSession: { $0.timeoutIntervalForResource = 2 }, answer: "-1001"),
        Row(settings: #""failure": "truncated""#, answer: "-1005"),
        Row(settings: #""failure": "malformed""#, answer: #"200 {"a""#),
        Row(settings: #""failure": "empty""#, answer: "200"),
    ]

    private static let rowsOnLinux = [
        Row(
            settings: #""status": 302, "headers": { "Location": "https://other.example/y" }"#,
            answer: #"302 location: https://other.example/y {"a":1}"#),
        Row(
            settings: #""status": 401, "headers": { "WWW-Authenticate": "Basic realm=\"a\"" }"#, answer: #"401 {"a":1}"#
        ),
        Row(
            settings: #""status": 401, "headers": { "www-authenticate": "Digest realm=\"a\"" }"#,
            answer: #"401 {"a":1}"#),
    ]

    #if canImport(FoundationNetworking)
        private static let all = rows + rowsOnLinux
    #else
        private static let all = rows
    #endif

    @Test(arguments: SessionWay.allCases, all)
    func `A session gets what the mock says`(_ way: SessionWay, _ row: Row) async throws {
        let rest = row.settings.isEmpty ? "" : ", \(row.settings)"
        var files = ["x.mock.json": "{ \"for\": \"\(row.line)\"\(rest) }"]
        files["x.json"] = row.body
        let run = try await SessionScope(files).run {
            await way.answer(.to(row.line, timeout: row.timeout, body: row.sent), row.ofSession)
        }
        #expect(run.result == row.answer && run.problems == [], "\(run)")
    }

    private static let failures = MockFailure.named.compactMap { name, failure -> (String, Int)? in
        if case .urlError(let code) = failure { (name, code) } else { nil }
    }

    @Test(arguments: SessionWay.allCases)
    func `The codes of failures arrive as they are`(_ way: SessionWay) async throws {
        let files = Self.failures.map { name, _ in
            ("\(name).mock.json", #"{ "for": "GET /\#(name)", "failure": "\#(name)" }"#)
        }
        let run = try await SessionScope(Dictionary(uniqueKeysWithValues: files)).run {
            var found: [String] = []
            for (name, _) in Self.failures { found.append(await way.answer(.to("GET /\(name)"))) }
            return found
        }
        // On Linux, Foundation has no constants for some codes.
        let expected = Self.failures.map { "\((URLError.Code(rawValue: $0.1) as URLError.Code? ?? .unknown).rawValue)" }
        #expect(run.result == expected && run.problems == [])
    }

    @Test func `A delegate gets the response and the part of a body whose connection is lost`() async throws {
        let listener = SessionListener()
        let files = ["x.json": "0123456789", "x.mock.json": #"{ "for": "GET /x", "failure": "truncated" }"#]
        let run = try await SessionScope(files).run {
            let session = URLSession(
                configuration: Mocks.sessionConfiguration(), delegate: listener, delegateQueue: nil)
            defer { session.finishTasksAndInvalidate() }
            return await SessionWay.delegate.answer(.to("GET /x"), by: session, listener)
        }
        #expect(run.result == "-1005" && listener.pieces == 1)
    }

    @Test(arguments: SessionWay.allCases)
    func `Events arrive as a body, and a stream that stays open times out`(_ way: SessionWay) async throws {
        let files = [
            "x.events": "data: 1\n\ndata: 2\n\n", "x.mock.json": #"{ "for": "GET /x", "pace": { "delay": 1 } }"#,
            "y.events": "data: 1\n\n", "y.mock.json": #"{ "for": "GET /y", "open": true }"#,
        ]
        let run = try await SessionScope(files).run {
            [await way.answer(.to("GET /x")), await way.answer(.to("GET /y"))]
        }
        #expect(run.result == ["200 data: 1\n\ndata: 2\n\n", "-1001"] && run.problems == [], "\(run)")
    }

    @Test func `The call has the request as the session sends it`() async throws {
        let run = try await SessionScope(["x.mock.json": #"{ "for": "POST /x", "status": 200 }"#]).run {
            var request = URLRequest.to("POST https://user:pass@api.example.com/x?a=1", body: "sent")
            request.setValue("4", forHTTPHeaderField: "Content-Length")
            request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
            _ = await SessionWay.async.answer(request) { $0.httpAdditionalHeaders = ["X-Of-Session": "s"] }
            let sent = Mocks.calls.first?.request
            return [
                sent?.url?.absoluteString, sent?.httpBody.map { String(decoding: $0, as: UTF8.self) },
                sent?.allHTTPHeaderFields.map { "\($0.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })" },
            ]
        }
        #expect(
            run.result == [
                "https://api.example.com/x?a=1", "sent", #"["Content-Type: text/plain", "X-Of-Session: s"]"#,
            ] && run.lines == ["POST https://api.example.com/x?a=1 200"], "\(run)")
    }

    /// Foundation's own cancellation of `data(for:)` can hang the process on Linux.
    @Test(arguments: [SessionWay.completion, .delegate])
    func `A task that is cancelled ends its call, and the client hears nothing more`(_ way: SessionWay) async throws {
        let files = ["x.mock.json": #"{ "for": "GET /x", "status": 200 }"#]
        let run = try await SessionScope(files).run {
            let asked = Locked(false)
            Mocks.set(
                "x",
                .respond { _ in
                    asked.withLock { $0 = true }
                    try await Task.sleep(for: .seconds(3600))
                    return .status(200)
                })
            let listener = SessionListener()
            let session = URLSession(
                configuration: Mocks.sessionConfiguration(), delegate: way == .delegate ? listener : nil,
                delegateQueue: nil)
            defer { session.finishTasksAndInvalidate() }
            async let answer = way.answer(.to("GET /x"), by: session, listener)
            await poll { asked.withLock { $0 } }
            session.getAllTasks { for task in $0 { task.cancel() } }
            let result = await answer
            await poll { Mocks.calls.allSatisfy { $0.ended != nil } }
            return result
        }
        #expect(run == ("-999", ["GET https://api.example.com/x cancelled"], []))
    }

    #if canImport(FoundationNetworking)
        @Test func `On Linux a download is refused before it starts`() async throws {
            let run = try await SessionScope(["x.json": "{}", "x.mock.json": #"{ "for": "GET /x" }"#]).run {
                let session = URLSession(configuration: Mocks.sessionConfiguration())
                defer { session.finishTasksAndInvalidate() }
                return await withCheckedContinuation { continuation in
                    session.downloadTask(with: .to("GET /x")) {
                        continuation.resume(returning: SessionWay.text($0.map { _ in Data() }, $1, $2))
                    }.resume()
                }
            }
            let problems = run.problems.map { $0.contains("download tasks on Linux") }
            #expect((run.result, problems) == ("-1002", [true]), "\(run.problems)")
        }

        @Test func `On Linux the call of an upload says that its body is not seen`() async throws {
            let run = try await SessionScope(["x.mock.json": #"{ "for": "POST /x", "status": 200 }"#]).run {
                let session = URLSession(configuration: Mocks.sessionConfiguration())
                defer { session.finishTasksAndInvalidate() }
                let status: String = await withCheckedContinuation { continuation in
                    session.uploadTask(with: .to("POST /x"), from: Data("sent".utf8)) {
                        continuation.resume(returning: SessionWay.text($0, $1, $2))
                    }.resume()
                }
                return [status, Mocks.calls.first?.route]
            }
            let route =
                "POST https://api.example.com/x (an upload task, whose body Foundation does not show on Linux)"
            #expect(run.result == ["200", route] && run.problems == [], "\(run)")
        }
    #endif

    /// No class of a session can reach a server: each of these answers would make URLSession ask one.
    @Test(arguments: SessionWay.allCases)
    func `Nothing reaches a server that listens`(_ way: SessionWay) async throws {
        let server = try LoopbackServer { _, connection in connection.respond(body: "live") }
        let base = server.baseURL.absoluteString
        let url = URL(string: base.replacingOccurrences(of: "http://", with: "http://user:pass@"))!
        let files = [
            "a.mock.json": #"""
            { "for": "GET /a", "status": 401, "headers": { "WWW-Authenticate": "Basic realm=\"r\"" } }
            """#,
            "b.mock.json": #"{ "for": "GET /b", "status": 302, "headers": { "Location": "\#(base)/a" } }"#,
            "c.mock.json": #"""
            { "for": "GET /c", "status": 407, "headers": { "Proxy-Authenticate": "Basic realm=\"r\"" } }
            """#,
        ]
        let run = try await SessionScope(files).run {
            var found: [String] = []
            for path in ["a", "b", "c", "unknown"] {
                let request = URLRequest(url: url.appendingPathComponent(path))
                let answer = await way.answer(request) { configuration in
                    let space = URLProtectionSpace(
                        host: "127.0.0.1", port: Int(server.port), protocol: "http", realm: "r",
                        authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
                    configuration.urlCredentialStorage?.setDefaultCredential(
                        URLCredential(user: "user", password: "pass", persistence: .forSession), for: space)
                }
                found.append(String(answer.prefix { $0 != " " }))
            }
            return found
        }
        let outcome = (run.result.first, run.result.last, run.problems.count, server.connectionCount)
        #expect(outcome == ("401", "-1008", 1, 0), "\(run)")
        #if canImport(FoundationNetworking)
            #expect(run.result[1...2] == ["302", "407"])
        #endif
    }
}
