import FingerpostFiles

@testable import FingerpostTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Whose mocks answer a session.
@Suite(.inTurn, .concurrent) struct SessionScopesTests {
    private static let files = [
        "user.json": #"{"name":"{}"}"#, "user.mock.json": #"{ "for": "GET /users/{name}" }"#,
    ]

    /// What is reported of sessions without a running scope, and what their requests get.
    private func reported(
        _ body: @Sendable () async throws -> String
    ) async rethrows -> (answer: String, reports: [String]) {
        let reports = Locked<[String]>([])
        let answer = try await SessionOrigin.$report.withValue(
            { text, _ in reports.withLock { $0.append(text) } }, operation: body)
        return (answer, reports.withLock { $0 })
    }

    @Test func `Each of 1,000 parallel tests has its own mocks and problems`() async throws {
        let folder = try TemporaryFolder(Self.files)
        let wrong = await withTaskGroup(of: String?.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    let scope = APIScope(network: .sealed, mocks: folder.url, clock: VirtualClock())
                    let answers = await scope.run {
                        let session = URLSession(configuration: Mocks.sessionConfiguration())
                        defer { session.finishTasksAndInvalidate() }
                        Mocks.set("user", .json(["number": number]))
                        let known = await SessionWay.completion.answer(.to("GET /users/\(number)"), by: session)
                        // Only every tenth test swallows the error of a request without a mock.
                        let unknown =
                            number % 10 == 0
                            ? await SessionWay.completion.answer(.to("GET /unknown"), by: session) : "-1008"
                        return [known, unknown]
                    }
                    let problems = scope.close().count
                    let isRight =
                        answers == [#"200 {"number":\#(number)}"#, "-1008"] && problems == (number % 10 == 0 ? 1 : 0)
                    return isRight ? nil : "\(number): \(answers), \(problems) problems"
                }
            }
            return await group.reduce(into: []) { wrong, text in wrong += [text].compactMap(\.self) }
        }
        #expect(wrong == [])
    }

    @Test func `No class is used twice, and classes of large numbers nest little`() {
        let types = (1...4096).map { ObjectIdentifier(SessionProtocol.type(number: $0)) }
        let name = "\(SessionProtocol.type(number: 1_048_577))"
        #expect((Set(types).count, name.count { $0 == "<" }) == (4096, 22), "\(name)")
    }

    @Test(arguments: SessionWay.allCases)
    func `A request after the end of its test gets no mock and names its test`(_ way: SessionWay) async throws {
        let (answer, reports) = try await reported {
            let old = try SessionScope(Self.files)
            let listener = SessionListener()
            let session = await old.run {
                URLSession(
                    configuration: Mocks.sessionConfiguration(), delegate: way == .delegate ? listener : nil,
                    delegateQueue: nil)
            }.result
            defer { session.finishTasksAndInvalidate() }
            // Another test runs meanwhile, with the same mocks.
            let next = try await SessionScope(Self.files).run {
                await way.answer(.to("GET /users/a"), by: session, listener)
            }
            return "\(next.result) \(next.lines) \(next.problems) \(old.scope.calls)"
        }
        let text = reports.first ?? ""
        let start = "GET https://api.example.com/users/a: the session was made in a test that has ended"
        let parts =
            [text.hasPrefix(start)] + [Test.current?.name ?? "?", "SessionScopesTests.swift:"].map(text.contains)
        #expect((answer, reports.count, parts) == ("-1008 [] [] []", 1, [true, true, true]), "\(reports)")
    }

    @Test func `A scope that is freed keeps nothing of its sessions`() async throws {
        let (answer, reports) = try await reported {
            weak var freed: APIScope?
            weak var configuration: URLSessionConfiguration?
            let (session, first) = try await {
                let folder = try TemporaryFolder(Self.files)
                let scope = APIScope(network: .sealed, mocks: folder.url, clock: VirtualClock())
                freed = scope
                return await scope.run {
                    let made = Mocks.sessionConfiguration()
                    configuration = made
                    let session = URLSession(configuration: made)
                    let answer = await SessionWay.completion.answer(.to("GET /users/a"), by: session)
                    return (session, answer.prefix(3))
                }
            }()
            defer { session.finishTasksAndInvalidate() }
            await poll { freed == nil && configuration == nil }
            return await "\(first), \(SessionWay.completion.answer(.to("GET /users/a"), by: session))"
        }
        #expect((answer, reports.map { $0.contains("has ended") }) == ("200, -1008", [true]), "\(reports)")
    }

    @Test func `A session that is made outside any scope is refused with the fix`() async throws {
        let (answer, reports) = await reported {
            let session = URLSession(configuration: Mocks.sessionConfiguration())
            defer { session.finishTasksAndInvalidate() }
            return await SessionWay.async.answer(.to("GET /users/a"), by: session)
        }
        let fixes = reports.map { $0.contains("in XCTest, make the session in setUp()") }
        #expect((answer, fixes) == ("-1008", [true]), "\(reports)")
    }

    @Test(arguments: [.live, .mocksThenLive] as [Environment.Network])
    func `A session is refused where servers may answer`(_ network: Environment.Network) async throws {
        let (answer, reports) = try await reported {
            let folder = try TemporaryFolder(["x.mock.json": #"{ "for": "GET /x" }"#])
            let scope = APIScope(
                environment: try Environment("Staging", values: ["baseURL": "https://api.example.com"]),
                network: network, mocks: folder.url)
            return await scope.run { await SessionWay.async.answer(.to("GET /x")) }
        }
        let refusals = reports.map { $0.contains("servers may answer in its scope; nothing was sent") }
        #expect((answer, refusals) == ("-1008", [true]), "\(reports)")
    }
}
