import FingerpostUITesting

@testable import FingerpostMocks

/// A UI test and an app in two processes. The app is an exit test, which makes a call for each file that appears in a
/// folder.
@Suite(.inTurn, .heavy) struct MockControlTests {
    private static let files = [
        "login.json": #"{"token": "t"}"#, "login.locked.423.json": #"{"message": "locked"}"#,
        "user.json": #"{"login": "octocat"}"#,
        "_scenarios.json": #"{ "offline": { "*": { "failure": "notConnectedToInternet" } } }"#,
    ]

    /// The test's side of an app that runs.
    private struct App {
        let folder: URL
        private var count = 0

        init(_ folder: URL) {
            self.folder = folder
        }

        /// Lets the app call a route, and waits for the end of the call.
        mutating func call(_ route: String) async throws {
            count += 1
            try Data(route.utf8).write(to: folder.appendingPathComponent("do-\(count)"), options: .atomic)
            try await MockControlTests.wait(for: folder.appendingPathComponent("did-\(count)"))
        }

        mutating func end() async throws { try await call("") }
    }

    private static func wait(for file: URL) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while !FileManager.default.fileExists(atPath: file.path) {
            try #require(ContinuousClock.now < end, "\(file.lastPathComponent) did not appear")
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// The app: calls the route that each file names, until one is empty. A name with `-` at its start has no mock, and
    /// the answer to one with `+` is decoded.
    private static func run(in folder: String, network: String) async throws {
        setenv("MOCKS_CONTROL", "\(folder)/control", 1)
        setenv("MOCKS_DIR", "\(folder)/Mocks", 1)
        let environment = try Environment("App", values: ["baseURL": "https://t.invalid", "$network": .some(network)])
        let client = try APIClient { $0.environment = environment }
        for number in 1... {
            let file = URL(fileURLWithPath: "\(folder)/do-\(number)")
            try await wait(for: file)
            let name = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            if !name.isEmpty {
                let path = String(name.drop { "+-".contains($0) })
                let route = Route.get("\(raw: path)").query("api_key", "sekret-query")
                    .mock(name.hasPrefix("-") ? nil : MockName(rawValue: path))
                // The test sees the error.
                if name.hasPrefix("+") {
                    _ = try? await client.send(route, as: [String: String].self)
                } else {
                    _ = try? await client.data(for: route)
                }
            }
            try Data().write(to: URL(fileURLWithPath: "\(folder)/did-\(number)"))
            if name.isEmpty { return }
        }
    }

    /// Runs an app in another process while the test controls it.
    private func withApp(
        _ files: [String: String] = files, network: String = "sealed",
        _ work: (MockControl, inout App) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: files.map { ("Mocks/\($0.key)", $0.value) }))
        let mocks = try MockControl(folder: folder["control"])
        let path = folder.url.path
        async let exit: Void = Self.launch(path, network)
        var app = App(folder.url)
        let result: Result<Void, any Error>
        do {
            try await work(mocks, &app)
            result = .success(())
        } catch { result = .failure(error) }
        try await app.end()
        await exit
        try result.get()
    }

    private static func launch(_ path: String, _ network: String) async {
        await #expect(processExitsWith: .success) { [path = path as String, network = network as String] in
            try await MockControlTests.run(in: path, network: network)
        }
    }

    /// What fails the check of a control: the first line of each problem, with paths below the test's folder.
    private static func problems(_ mocks: MockControl) throws -> [String] {
        do { try mocks.check() } catch let error as MockControlError {
            let path = mocks.folder.deletingLastPathComponent().path
            return error.problems.map { problem in
                problem.replacingOccurrences(of: path + "/", with: "").components(separatedBy: "\n")[0]
            }
        }
        return []
    }

    @Test func `An answer that breaks on purpose is no problem, and one that does not decode is`() async throws {
        try await withApp { mocks, app in
            var problems: [[String]] = []
            for answer in [MockControl.Answer.failure("malformed"), .status(200, body: "[1]")] {
                try mocks.set("user", answer)
                try await app.call("+user")
                problems.append(try Self.problems(mocks))
            }
            #expect(problems.map(\.count) == [0, 1], "\(problems)")
        }
    }

    @Test func `A variant for every mock must answer a call`() async throws {
        try await withApp { mocks, app in
            try mocks.use("*", "locked")
            var problems: [[String]] = []
            for route in ["user", "login"] {
                try await app.call(route)
                problems.append(try Self.problems(mocks))
            }
            #expect(
                problems == [
                    [
                        #"mock "*": no call used its answer (the variant "locked"); add the missing call, or remove the answer"#
                    ], [],
                ])
        }
    }

    @Test func `Changes at once are written in their order`() async throws {
        let folder = try TemporaryFolder([:])
        let mocks = try MockControl(folder: folder.url)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 { group.addTask { try mocks.set("m\(number)", .status(200)) } }
            try await group.waitForAll()
        }
        let data = try Data(contentsOf: folder["control.json"])
        let file = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect((file["change"] as? Int, (file["mocks"] as? [String: Any])?.count) == (100, 100))
    }

    @Test func `A change takes effect on the next call, and the test sees the calls`() async throws {
        try await withApp { mocks, app in
            try await app.call("login")
            try mocks.use("login", "locked")
            try await app.call("login")
            try mocks.set("login", .status(500, body: #"{"message": "busy"}"#))
            try await app.call("login")
            try mocks.set("login", .failure("timedOut").delayed(by: .milliseconds(10)))
            try await app.call("login")
            try mocks.use("login", nil)
            mocks.scenario = "offline"
            try await app.call("user")
            mocks.scenario = nil
            try await app.call("user")
            try mocks.check()
            let query = "?api_key=<redacted>"
            let lines = [
                "GET login\(query) 200", "GET login\(query) 423", "GET login\(query) 500",
                "GET login\(query) timed out",
                "GET user\(query) offline", "GET user\(query) 200",
            ]
            let calls = try mocks.calls(of: "login")
            let text = try String(contentsOf: mocks.folder.appendingPathComponent("calls.jsonl"), encoding: .utf8)
            let found = (
                try mocks.calls().map(\.line), calls.map(\.variant), calls.map(\.mock), calls.first?.url,
                text.contains("sekret")
            )
            #expect(
                found == (
                    lines, [nil, "locked", nil, nil], Array(repeating: "login", count: 4),
                    "https://t.invalid/login?api_key=%3Credacted%3E", false
                ))
        }
    }

    @Test func `A call without a mock, a misspelled name and an unused answer fail the check`() async throws {
        try await withApp { mocks, app in
            try await app.call("-orders")
            var problems = [try Self.problems(mocks)]
            try mocks.use("user", nil)
            try mocks.set("login", .status(500))
            try await app.call("usr")
            problems.append(try Self.problems(mocks))
            try mocks.use("logn", "locked")
            try await app.call("login")
            problems.append(try Self.problems(mocks))
            let sealed = "The environment is sealed, so nothing was sent"
            let first = "GET orders?api_key=<redacted> mock: mock: the route has no mock. \(sealed)"
            let second =
                #"GET usr?api_key=<redacted> mock: mock: there is no mock "usr" in Mocks; similar: "user". \#(sealed)"#
            let third =
                #"GET login?api_key=<redacted> mock: mock: control/control.json:7:5: error: there is no mock "logn" (did you mean "login"?)"#
            func unused(_ mock: String, _ answer: String) -> String {
                "mock \"\(mock)\": no call used its answer (\(answer)); add the missing call, or remove the answer"
            }
            #expect(
                problems == [
                    [first], [first, second, unused("login", "the status 500")],
                    [
                        first, second, third, unused("login", "the status 500"),
                        unused("logn", #"the variant "locked""#),
                    ],
                ])
        }
    }

    @Test func `A misspelled scenario and a file of another version fail the next call`() async throws {
        try await withApp { mocks, app in
            mocks.scenario = "ofline"
            try await app.call("user")
            let file = mocks.folder.appendingPathComponent("control.json")
            for text in [#"{"version": 2}"#, "{\"version\": 1,\n\"mocks\": {", "[]", #"{"version": 1, "mock": {}}"#] {
                try Data(text.utf8).write(to: file, options: .atomic)
                try await app.call("user")
            }
            let problems = try mocks.calls().map { $0.problem ?? "" }
            let parts = [
                #""ofline" is not a valid value of "scenario" (did you mean "offline"?)"#,
                "control.json:1:13: error: this app reads version 1 of this file", "control.json:2:11: error: ",
                "control.json:1:1: error: this app reads version 1",
                #"unknown key "mock" in control.json (did you mean "mocks"?)"#,
            ]
            // Without the file, the mocks answer as usual.
            try FileManager.default.removeItem(at: file)
            try await app.call("user")
            let status = try mocks.calls().last?.status
            let found = (problems.count, zip(problems, parts).map { $0.contains($1) }, status)
            #expect(found == (5, Array(repeating: true, count: 5), 200), "\(problems)")
        }
    }

    @Test func `An app goes on when the folder vanishes`() async throws {
        try await withApp { mocks, app in
            try mocks.use("login", "locked")
            try await app.call("login")
            try FileManager.default.removeItem(at: mocks.folder)
            try await app.call("login")
            try await app.call("user")
            #expect(try mocks.calls().isEmpty)
        }
    }

    @Test func `A pipe in place of the list of calls stops neither the app nor the test`() async throws {
        try await withApp { mocks, app in
            try #require(mkfifo(mocks.folder.appendingPathComponent("calls.jsonl").path, 0o600) == 0)
            try mocks.use("login", "locked")
            try await app.call("login")
            let error = #expect(throws: MockControlError.self) { try mocks.calls() }
            #expect(error?.description.contains("calls.jsonl is not a regular file") == true)
        }
    }

    @Test func `An environment that is not sealed ignores the folder`() async throws {
        try await withApp(network: "mocksThenLive") { mocks, app in
            try mocks.use("login", "locked")
            try await app.call("login")
            let found = (try mocks.calls().map(\.line), try Self.problems(mocks).last ?? "")
            #expect(
                found.0 == [] && found.1.hasPrefix("the app made no call that a mock answers; launch it"), "\(found)")
        }
    }

    @Test func `Another app on the same folder is an error`() async throws {
        let folder = try TemporaryFolder(
            Dictionary(uniqueKeysWithValues: Self.files.map { ("Mocks/\($0.key)", $0.value) }))
        let mocks = try MockControl(folder: folder["control"])
        var app = App(folder.url)
        async let exit: Void = Self.launch(folder.url.path, "sealed")
        try await app.call("user")
        await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
            setenv("MOCKS_CONTROL", "\(path)/control", 1)
            setenv("MOCKS_DIR", "\(path)/Mocks", 1)
            let environment = try Environment("App", values: ["baseURL": "https://t.invalid", "$network": "sealed"])
            let client = try APIClient { $0.environment = environment }
            let error = await #expect(throws: APIError.self) { try await client.send(Route.get("user").mock("user")) }
            #expect(error?.message.hasPrefix("another app uses the folder ") == true)
        }
        try await app.end()
        await exit
        // Only the first app's call is there.
        #expect(try mocks.calls().count == 1)
    }
}
