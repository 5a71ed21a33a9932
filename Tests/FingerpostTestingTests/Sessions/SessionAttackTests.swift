import FingerpostTesting
import LoopbackServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests that try to reach a server, to get a wrong answer, or to end the process.
@Suite(.inTurn) struct SessionAttackTests {
    private static let usual = ["x.json": #"{"a":1}"#, "x.mock.json": #"{ "for": "GET /x" }"#]

    /// What a delegate gets from a task that a test drives.
    private func drive(
        _ session: URLSession, _ listener: SessionListener, _ body: (URLSessionDataTask) async -> Void
    ) async -> String {
        let result = Locked<String?>(nil)
        listener.listen { text in result.withLock { $0 = ($0.map { "\($0), " } ?? "") + text } }
        let task = session.dataTask(with: .to("GET /x"))
        await body(task)
        await poll { result.withLock { $0 != nil } }
        return result.withLock { $0 } ?? "nothing"
    }

    private func session(_ listener: SessionListener) -> URLSession {
        URLSession(configuration: Mocks.sessionConfiguration(), delegate: listener, delegateQueue: nil)
    }

    // Foundation on Linux starts the loading again with each `resume()`, and stops it with `suspend()`.
    @Test(arguments: [
        ["resume", "resume"], ["resume", "suspend", "resume"], ["resume", "asked", "suspend", "resume"],
    ])
    func `A task that is resumed again gets its answer once`(_ steps: [String]) async throws {
        let run = try await SessionScope(Self.usual).run {
            let (asked, released) = (Locked(false), Locked(false))
            Mocks.set(
                "x",
                .respond { _ in
                    asked.withLock { $0 = true }
                    await poll { released.withLock { $0 } }
                    return .file
                })
            let listener = SessionListener()
            let session = session(listener)
            defer { session.finishTasksAndInvalidate() }
            let result = await drive(session, listener) { task in
                for step in steps {
                    switch step {
                    case "resume": task.resume()
                    case "suspend": task.suspend()
                    default: await poll { asked.withLock { $0 } }
                    }
                }
                released.withLock { $0 = true }
            }
            return "\(result) in \(listener.pieces) of \(Mocks.calls.count)"
        }
        #expect(run.result == #"200 {"a":1} in 1 of 1"# && run.problems == [], "\(run)")
    }

    /// Foundation on Linux does not lock what it knows of a session's tasks.
    @Test func `Thousands of requests of one session are answered, whichever are cancelled`() async throws {
        let run = try await SessionScope(Self.usual).run {
            let session = URLSession(configuration: Mocks.sessionConfiguration())
            defer { session.finishTasksAndInvalidate() }
            return await withTaskGroup(of: String.self) { group in
                for number in 0..<3_000 {
                    group.addTask {
                        await withCheckedContinuation { continuation in
                            let task = session.dataTask(with: .to("GET /x")) {
                                continuation.resume(returning: SessionWay.text($0, $1, $2))
                            }
                            task.resume()
                            if number % 3 == 0 {
                                for _ in 0..<number % 7 { Thread.sleep(forTimeInterval: 0) }
                                task.cancel()
                            }
                        }
                    }
                }
                return await group.reduce(into: [:] as [String: Int]) { $0[$1, default: 0] += 1 }
            }
        }
        let (answered, cancelled) = (run.result[#"200 {"a":1}"#] ?? 0, run.result["-999"] ?? 0)
        #expect(answered >= 2_000 && answered + cancelled == 3_000 && run.problems == [], "\(run.result)")
    }

    @Test func `A session that is invalidated while it loads ends its tasks`() async throws {
        let run = try await SessionScope(Self.usual).run {
            var ends = 0
            for number in 0..<200 {
                let session = URLSession(configuration: Mocks.sessionConfiguration())
                await withTaskGroup(of: String.self) { group in
                    for _ in 0..<5 {
                        let task = Locked<URLSessionDataTask?>(nil)
                        let stream = AsyncStream<String> { continuation in
                            let made = session.dataTask(with: .to("GET /x")) {
                                continuation.yield(SessionWay.text($0, $1, $2))
                                continuation.finish()
                            }
                            task.withLock { $0 = made }
                            made.resume()
                        }
                        group.addTask { await stream.first { _ in true } ?? "" }
                    }
                    if number % 2 == 0 { await Task.yield() }
                    session.invalidateAndCancel()
                    for await text in group where text == "-999" || text == #"200 {"a":1}"# { ends += 1 }
                }
            }
            return ends
        }
        #expect(run.result == 1_000 && run.problems == [], "\(run.result)")
    }

    @Test func `A callback may ask again`() async throws {
        let run = try await SessionScope(Self.usual).run {
            let listener = SessionListener()
            let session = session(listener)
            defer { session.finishTasksAndInvalidate() }
            let left = Locked(100)
            return await withCheckedContinuation { (continuation: CheckedContinuation<String, Never>) in
                @Sendable func ask() {
                    listener.listen { text in
                        let isLast = left.withLock { left in
                            left -= 1
                            return left == 0
                        }
                        if isLast { continuation.resume(returning: text) } else { ask() }
                    }
                    session.dataTask(with: .to("GET /x")).resume()
                }
                ask()
            }
        }
        #expect(run.result == #"200 {"a":1}"# && run.lines.count == 100 && run.problems == [])
    }

    @Test(arguments: [0, -5, .infinity, .greatestFiniteMagnitude, 0.5, 1e-300] as [TimeInterval])
    func `No timeout of a request ends the process`(_ timeout: TimeInterval) async throws {
        let run = try await SessionScope(Self.usual).run {
            await SessionWay.completion.answer(.to("GET /x", timeout: timeout))
        }
        #expect(run.result == #"200 {"a":1}"# && run.problems == [], "\(run)")
    }

    private static let statuses = [
        99: "-1008", -1: "-1008", 1000: "-1008", 100: "100", 101: "101", 103: "103", 199: "199", 205: "205",
        299: "299", 300: "300", 304: "304", 399: "399", 407: "407", 499: "499", 999: "-1008",
    ]

    @Test func `No status of a mock ends the process, and header names in two spellings are one`() async throws {
        let run = try await SessionScope(Self.usual).run {
            var found: [Int: String] = [:]
            for status in Self.statuses.keys {
                Mocks.set("x", .respond { _ in .status(status) })
                found[status] = await SessionWay.completion.answer(.to("GET /x"))
            }
            Mocks.set("x", .respond { _ in .status(200).header("X-A", "1").header("x-a", "2").header("X-B", "é") })
            return (found, await SessionWay.completion.answer(.to("GET /x")))
        }
        #expect(run.result == (Self.statuses, "200 x-a: 1, 2, x-b: é"))
    }

    @Test(arguments: SessionWay.allCases) func `A body of many megabytes arrives`(_ way: SessionWay) async throws {
        let run = try await SessionScope(Self.usual).run {
            Mocks.set("x", .respond { _ in .data(Data(repeating: 65, count: 40 << 20)) })
            return await way.answer(.to("GET /x")).utf8.count
        }
        #expect(run.result == (40 << 20) + 4)
    }

    @Test func `A body that cannot be read fails its request`() async throws {
        let run = try await SessionScope(["x.mock.json": #"{ "for": "POST /x", "status": 200 }"#]).run {
            var request = URLRequest.to("POST /x")
            request.httpBodyStream = FailingStream(data: Data())
            return await SessionWay.completion.answer(request)
        }
        #expect(run.result == "-1021" && run.lines.count == 1, "\(run)")
    }

    private final class FailingStream: InputStream {
        override func open() {}
        override func close() {}
        override var hasBytesAvailable: Bool { true }
        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int { -1 }
    }

    @Test(
        arguments: [
            ("GET /x#part", [:], nil, #"200 {"a":1}"#), ("GET /x?", [:], nil, #"200 {"a":1}"#),
            ("get /x", [:], nil, #"200 {"a":1}"#), ("GET /./x", [:], nil, "-1008"),
            ("GET HTTPS://API.example.com:443/x", [:], nil, #"200 {"a":1}"#),
            ("GET https://a_b.example/x", [:], nil, #"200 {"a":1}"#),
            ("GET /x?a=b&&c=%C3%A9;d", ["X-A": "é", "X-B": ""], nil, #"200 {"a":1}"#),
            (
                "GET /x", ["Connection": "close", "Expect": "", "Accept-Encoding": "gzip", "Host": "b.example"], nil,
                #"200 {"a":1}"#
            ),

            ("POST /y", ["Content-Type": "multipart/form-data"], "sent", "200 y"),
            ("POST /y", ["Content-Type": "application/json", "Content-Encoding": "gzip"], "sent", "200 y"),
            ("DELETE /y", [:], "sent", "200 y"), ("PATCH /y", [:], "sent", "200 y"),
            ("POST /y", ["X A": "b"], "sent", "-1000"), ("GE(T /x", [:], nil, "-1008"),
            ("TRACE /x", [:], nil, "-1008"), ("HEAD /x", [:], nil, "-1008"), ("patch /y", [:], nil, "-1008"),
            ("GET http:///x", [:], nil, "-1008"), ("GET x", [:], nil, "-1008"), ("GET data:,x", [:], nil, "-1008"),
            ("GET ws://api.example.com/x", [:], nil, "-1008"), ("GET httpx://api.example.com/x", [:], nil, "-1008"),

            ("GET https://api.example.com", [:], nil, "-1008"),
            ("GET /\(String(repeating: "y", count: 100_000))", [:], nil, "-1008"),
        ] as [(String, [String: String], String?, String)])
    func `The app's own client says what may be sent`(
        _ line: String, _ headers: [String: String], _ body: String?, _ expected: String
    ) async throws {
        var files = Self.usual
        for method in ["POST", "DELETE", "PATCH"] {
            files["\(method).json"] = "y"
            files["\(method).mock.json"] = #"{ "for": "\#(method) /y" }"#
        }
        let run = try await SessionScope(files).run {
            var request = URLRequest.to(line, body: body)
            request.allHTTPHeaderFields = headers
            return await SessionWay.completion.answer(request)
        }
        let found = (run.result, run.lines.count, run.problems.isEmpty)
        #expect(found == (expected, 1, expected != "-1008"), "\(run)")
    }

    @Test func `A nested scope neither gets nor gives the answers of another`() async throws {
        let outer = try SessionScope(Self.usual)
        let inner = try SessionScope(["x.json": "inner", "x.mock.json": #"{ "for": "GET /x" }"#])
        let live = APIScope(environment: nil, network: .live)
        let own = Locked(0)
        let run = await outer.run {
            let session = URLSession(configuration: Mocks.sessionConfiguration())
            var found: [String] = []
            await inner.scope.run {
                found.append(await SessionWay.completion.answer(.to("GET /x"), by: session))
                found.append(await SessionWay.completion.answer(.to("GET /x")))
            }
            found.append(await live.run { await SessionWay.completion.answer(.to("GET /x"), by: session) })
            // Code that answers is in the scope of its test.
            Mocks.set(
                "x",
                .respond { _ in
                    own.withLock { $0 = Mocks.calls.count }
                    return .status(201)
                })
            found.append(await SessionWay.completion.answer(.to("GET /x"), by: session))
            return found
        }
        let (mine, inners) = (#"200 {"a":1}"#, "200 inner")
        let outcome = (run.result, run.problems, run.lines.count, inner.scope.calls.count, own.withLock { $0 })
        #expect(outcome == ([mine, inners, mine, "201"], [], 4, 1, 4))
    }

    @Test func `A request that is under way at the end of its test fails it, and gets its own answer`() async throws {
        let (asked, released, answer) = (Locked(false), Locked(false), Locked<String?>(nil))
        let old = try SessionScope(Self.usual)
        let ended = await old.run {
            Mocks.set(
                "x",
                .respond { _ in
                    asked.withLock { $0 = true }
                    await poll { released.withLock { $0 } }
                    return .status(201)
                })
            let session = URLSession(configuration: Mocks.sessionConfiguration())
            session.dataTask(with: .to("GET /x")) { data, response, error in
                let text = SessionWay.text(data, response, error)
                answer.withLock { $0 = text }
            }.resume()
            session.finishTasksAndInvalidate()
            await poll { asked.withLock { $0 } }
        }
        released.withLock { $0 = true }
        await poll { answer.withLock { $0 != nil } }
        #expect((ended.problems.count, answer.withLock { $0 }) == (1, "201"), "\(ended.problems)")
    }

    #if canImport(FoundationNetworking)
        @Test(arguments: ["http", "ftp", "file", "ws"])
        func `No kind of task reaches a server`(_ scheme: String) async throws {
            let server = try LoopbackServer { _, connection in connection.respond(body: "live") }
            let folder = try TemporaryFolder(["body": "sent"])
            let run = try await SessionScope(Self.usual).run {
                let configuration = Mocks.sessionConfiguration()
                configuration.connectionProxyDictionary = [
                    "HTTPEnable": true, "HTTPProxy": "127.0.0.1", "HTTPPort": Int(server.port),
                ]
                let copy = configuration.copy() as! URLSessionConfiguration
                let session = URLSession(configuration: copy)
                defer { session.finishTasksAndInvalidate() }
                let request = URLRequest(url: URL(string: "\(scheme)://127.0.0.1:\(server.port)/y")!)
                let body = folder.url.appendingPathComponent("body")
                var found: [String] = []
                for kind in 0..<6 {
                    found.append(
                        await withCheckedContinuation { continuation in
                            let end = { @Sendable (data: Data?, response: URLResponse?, error: (any Error)?) in
                                continuation.resume(returning: SessionWay.text(data, response, error))
                            }
                            let file = { @Sendable (url: URL?, response: URLResponse?, error: (any Error)?) in
                                end(url.map { _ in Data() }, response, error)
                            }
                            switch kind {
                            case 0: session.dataTask(with: request, completionHandler: end).resume()
                            case 1: session.dataTask(with: request.url!, completionHandler: end).resume()
                            case 2:
                                session.uploadTask(with: request, from: Data("b".utf8), completionHandler: end).resume()
                            case 3: session.uploadTask(with: request, fromFile: body, completionHandler: end).resume()
                            case 4: session.downloadTask(with: request, completionHandler: file).resume()
                            default: session.downloadTask(with: request.url!, completionHandler: file).resume()
                            }
                        })
                }
                do { _ = try await session.download(for: request) } catch {
                    found.append(SessionWay.text(nil, nil, error))
                }
                return found
            }
            let outcome = (run.result, run.problems.count, server.connectionCount)
            #expect(
                outcome == (["-1008", "-1008", "-1008", "-1008", "-1002", "-1002", "-1002"], 7, 0), "\(run.problems)")
        }
    #endif
}
