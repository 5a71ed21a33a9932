import CallSupport
import FingerpostStreams

@testable import Fingerpost
@testable import FingerpostTesting

/// Answers that code sets in a scope.
extension ScopeTests {
    @Test func `The mock's own file answers in a sequence`() async throws {
        let (values, problems) = try await outcome { client in
            Mocks.set("user", .sequence([.status(503), .file.header("X-Seen", "yes")], thenRepeating: .file))
            _ = try? await login(client)
            let second = try await client.response(for: API.user(login: "x"), as: User.self)
            let third = try await login(client)
            Mocks.set("other", .file)
            _ = try? await client.data(for: API.other)
            return [second.value.login, second.headers["X-Seen"], third] + Mocks.calls.map(\.line)
        }
        #expect(
            values == [
                "octocat", "yes", "octocat", "GET users 503", "GET users 200", "GET users 200", "GET users mock",
            ])
        #expect(problems.count == 1 && problems[0].contains("there is no mock \"other\""), "\(problems)")
    }

    @Test func `An answer set in code that does not decode fails its test`() async throws {
        let problems = try await outcome { client in
            for answer in [.json(["name": "x"]), .data(Data("{".utf8)), .status(204)] as [MockResponse] {
                Mocks.set("user", answer)
                _ = try? await client.send(API.user(login: "x"), as: User.self)
            }
        }.problems
        let areNamed = problems.map {
            $0.contains("does not decode as User")
                && $0.hasSuffix("a test that expects this error calls Mocks.takeProblems()")
        }
        #expect(areNamed == [true, true, true], "\(problems)")
    }

    @Test func `A status has the body of the variant with that name`() async throws {
        let files = ["user.json": Self.octocat, "user.401.json": #"{"message": "log in"}"#]
        let outcome = try await outcome(files) { client in
            var errors: [APIError] = []
            for status in [401, 500] {
                Mocks.set("user", .status(status))
                errors.append(try await failure(.status(status)) { try await login(client) })
            }
            return errors.map(\.serverMessage)
        }
        #expect(outcome == (["log in", nil], []))
    }

    @Test func `An answer may depend on the request, have a delay and set headers`() async throws {
        let ((response, call), problems) = try await outcome([:]) { client in
            Mocks.set(
                "user",
                .respond { request in
                    .data(Data((request.url?.absoluteString ?? "").utf8), contentType: "text/plain", status: 203)
                        .header("X-Seen", "1").header("X-Seen", "2").delayed(by: .seconds(9))
                })
            let response = try await client.response(for: API.user(login: "x"), as: String.self)
            return (response, Mocks.calls.first)
        }
        #expect(
            (response.value, response.status, response.source, response.headers[.contentType], call?.duration, problems)
                == ("https://t.invalid/users", 203, .mock(nil), "text/plain", .seconds(9), []))
        #expect(response.headers.values(for: "X-Seen") == ["1", "2"])
    }

    @Test(arguments: [("user", "user.json"), ("user.json", "user")])
    func `A mock's name is the same with and without .json`(set: String, asked: String) async throws {
        let outcome = try await outcome { client in
            Mocks.set(MockName(rawValue: set), .status(204))
            try await client.send(Route.get("users").mock(MockName(rawValue: asked)))
            return Mocks.calls(of: MockName(rawValue: set)).map(\.line)
        }
        #expect(outcome == (["GET users 204"], []))
    }

    @Test func `Names are compared byte by byte`() async throws {
        let (composed, decomposed): (MockName, MockName) = ("caf\u{E9}", "cafe\u{301}")
        let outcome = try await outcome(["caf\u{E9}.json": #""folder""#]) { client in
            Mocks.set(decomposed, .json("code"))
            let folder = try await client.send(Route.get("").mock(composed), as: String.self)
            return [folder, try await client.send(Route.get("").mock(decomposed), as: String.self)]
        }
        #expect(composed != decomposed && outcome == (["folder", "code"], []), "\(outcome)")
    }

    private struct Leaking: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(
                "s3cret-value", .init(codingPath: encoder.codingPath, debugDescription: "no s3cret-value"))
        }
    }

    @Test func `An error of an encoder does not contain the value`() async throws {
        let (errors, problems) = try await outcome { client in
            Mocks.set(
                "user",
                .sequence([.json(["a": Leaking()]), .respond { _ in try .data(JSONEncoder().encode(Leaking())) }]))
            return [
                try await failure(.mock) { try await login(client) },
                try await failure(.transport) { try await login(client) },
            ]
        }
        #expect(
            zip(errors, ["cannot be encoded as JSON: String at a", "cannot be encoded: String"]).map {
                $0.message.hasSuffix($1)
            } == [true, true], "\(errors)")
        #expect((errors.map(\.description) + problems).filter { $0.contains("s3cret") } == [])
    }

    @Test func `Code that ignores cancellation is abandoned at the deadline and on cancellation`() async throws {
        let gate = Gate()
        let problems = try await outcome { client in
            Mocks.set(
                "user",
                .respond { _ in
                    await gate.wait()
                    return .status(204)
                })
            // On a busy machine, a short timeout may end the call before its code runs.
            for timeout in [0.05, 1, 20] where await gate.count == 0 {
                try await failure(.timedOut) {
                    try await client.send(Route.get("users").mock("user").timeout(.seconds(timeout)))
                }
            }
            let task = Task { try await client.send(Route.get("users").mock("user")) }
            while await gate.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
            task.cancel()
            try await failure(.cancelled) { try await task.value }
        }.problems
        await gate.open()
        #expect(problems == [])
    }

    /// Suspends tasks until it is opened, even if they are cancelled.
    private actor Gate {
        private var waiting: [CheckedContinuation<Void, Never>] = []
        var count: Int { waiting.count }

        func wait() async { await withCheckedContinuation { waiting.append($0) } }

        func open() { for continuation in waiting { continuation.resume() } }
    }

    /// The statuses that calls get, with the message of the first error at the end, and the problems of the scope.
    private func outcome(of answer: MockResponse, calls: Int) async throws -> (calls: [String], problems: [String]) {
        let (log, problems) = try await outcome { client in
            Mocks.set("user", answer)
            for _ in 0..<calls { _ = try? await client.data(for: API.user(login: "x")) }
            return Mocks.calls
        }
        return (log.compactMap { $0.status.map { "\($0)" } } + log.compactMap { $0.error?.message }.prefix(1), problems)
    }

    private static let repeating = MockResponse.sequence(
        [.status(201).header("X-Seen", "own")], thenRepeating: .status(202))
    private static let two = MockResponse.sequence([.status(201), .status(202)])

    /// Each with the statuses of its calls.
    private static let endless: [(MockResponse, String)] = [
        (.sequence([.status(202), .status(202)], thenRepeating: .status(200)), "202 202 200 200 200"),
        (.sequence([], thenRepeating: .status(204)), "204 204 204 204"),
        (.sequence([.status(200)], thenRepeating: two), "200 201 202 201 202 201 202"),
        (.sequence([.status(200)], thenRepeating: repeating), "200 201 202 202 202 202 202"),
        (.sequence([.status(200), repeating]), "200 201 202 202 202 202 202"),
        (.sequence([.status(200), .sequence([.status(203), repeating])]), "200 203 201 202 202 202 202"),
        (.sequence([.status(200), .sequence([], thenRepeating: two)]), "200 201 202 201 202 201 202"),
        (.sequence([.status(200)], thenRepeating: .sequence([.status(203), two])), "200 203 201 202 203 201 202"),
    ]

    @Test func `A sequence that repeats, and one at the end of a sequence, go on as they say`() async throws {
        for (answer, expected) in Self.endless {
            let statuses = expected.split(separator: " ").map(String.init)
            let calls = try await outcome(of: answer, calls: statuses.count)
            #expect(calls == (statuses, []), "\(expected)")
            let seen = try await outcome { client in
                Mocks.set("user", answer.header("X-Seen", "outer"))
                var seen: [String?] = []
                for _ in 0..<4 {
                    seen.append(try await client.response(for: API.user(login: "x"), as: Data.self).headers["X-Seen"])
                }
                return seen
            }
            #expect(seen == (["outer", "outer", "outer", "outer"], []), "\(expected)")
        }
    }

    @Test(
        arguments: [
            .sequence([repeating, .status(203)]), .sequence([repeating], thenRepeating: .status(203)),
            .sequence([.status(200), .sequence([repeating]), .status(203)]),
            .sequence([.status(200)], thenRepeating: .sequence([repeating, .status(203)])),
            .respond { _ in .sequence([repeating, .status(203)]) },
        ] as [MockResponse])
    func `An answer after a sequence without an end is an error`(answer: MockResponse) async throws {
        let (calls, problems) = try await outcome(of: answer, calls: 1)
        let words = "has an answer after a sequence that repeats its last answer, which no call can get"
        // A call that is refused uses none of the answers.
        let isUsed = problems.contains { $0.contains("used only") }
        #expect(calls == ["the answer set for the mock \"user\" \(words)"])
        #expect(!isUsed && problems.contains { $0.contains("after a sequence that repeats") }, "\(problems)")
    }

    private static let tooMany: [(MockResponse, statuses: [String], words: String)] = [
        (.sequence([]), [], "has no answers"),
        (.sequence([.status(201)]), ["201"], "has 1 answer, but this is call 2 of it"),
        (two, ["201", "202"], "has 2 answers, but this is call 3 of it"),
        (
            .sequence([.status(201), .sequence([.status(202)])]), ["201", "202"],
            "has 2 answers, but this is call 3 of it"
        ),
        (.sequence([.status(201), .sequence([])]), ["201"], "has 1 answer, but this is call 2 of it"),
        (
            .sequence([.status(201)], thenRepeating: .respond { _ in .sequence([.status(202)]) }), ["201", "202"],
            "has 1 answer, but this is call 2 of it"
        ),
        (.sequence([.status(201)], thenRepeating: .sequence([])), ["201"], "has no answers"),
    ]

    @Test func `A call too many is counted in its sequence, which has no times of its own in another one`() async throws
    {
        for (answer, statuses, words) in Self.tooMany {
            let calls = try await outcome(of: answer, calls: statuses.count + 1).calls
            #expect(calls == statuses + ["the sequence of the mock \"user\", set in the test, \(words)"])
        }
        let times = try await outcome(of: .sequence([.sequence([.status(201)]).times(1), .status(202)]), calls: 1)
        #expect(times.calls.first?.contains("an answer with its own times(_:)") == true, "\(times)")
    }

    @Test func `Unused answers are counted, but not those of a sequence that begins after its answer was replaced`()
        async throws
    {
        let polled = MockResponse.sequence([.status(202), .status(202)], thenRepeating: .status(200))
        let answers = (0...3).map { MockResponse.sequence(Array(repeating: .status(204), count: $0)) }
        for (answer, calls, words) in [
            (answers[1], 0, "has 1 answer, but no call used it"),
            (answers[2], 0, "has 2 answers, but no call used them"),
            (answers[2], 1, "has 2 answers, but calls used only 1"),
            (answers[3], 2, "has 3 answers, but calls used only 2"),
            (polled, 2, "has 3 answers, but calls used only 2"),
        ] {
            let problems = try await outcome(of: answer, calls: calls).problems
            #expect(problems.count == 1 && problems[0].contains("the sequence \(words); "), "\(problems)")
        }
        #expect("\(answers[1]), \(answers[2])" == "a sequence of 1 answer, a sequence of 2 answers")
        // A sequence that code makes after its answer was replaced needs no further calls.
        let replaced = try await outcome(
            of: .respond { _ in
                Mocks.set("user", .status(204))
                return Self.two
            }, calls: 2)
        #expect(replaced == (["201", "204"], []))
    }

    /// Each with what is wrong with it, as in a file.
    private static let invalid: [(MockResponse, String)] = [
        (.status(-1), status(-1)), (.status(999), status(999)), (.status(.max), status(.max)),
        (.json([1], status: 99), status(99)), (.data(Data(), status: 600), status(600)),
        (.sequence([.status(0)]), status(0)), (.respond { _ in .status(-1) }, status(-1)),
        (.status(200).header("X-A", "1\r\nX-B: 2"), #"the header "X-A" contains a line break or a NUL character"#),
        (.file.header("X-A", "\0"), #"the header "X-A" contains a line break or a NUL character"#),
        (.json([1]).header("X A", "1"), #""X A" is not a valid header name"#),
        (.failure(.timedOut).header("", "1"), #""" is not a valid header name"#),
        (.events(["a"]).header("X-A:", "1"), #""X-A:" is not a valid header name"#),
        (.status(200).header("X-A", "{env.}"), #"the header "X-A" names no key of the environment"#),
        (.data(Data(), contentType: "a/b\n"), #"the header "Content-Type" contains a line break or a NUL character"#),
    ]

    private static func status(_ status: Int) -> String {
        #""status" is \#(status) where a whole number from 100 to 599 is expected"#
    }

    @Test(arguments: invalid)
    func `What a file cannot say is an error in code too`(answer: MockResponse, words: String) async throws {
        let (calls, problems) = try await outcome(of: answer, calls: 1)
        #expect((calls, problems.count) == (["the answer set for the mock \"user\": \(words)"], 1))
    }

    @Test(arguments: [-1, .min, 1_000_001, .max])
    func `An impossible number of times is a problem of the test`(times: Int) async throws {
        for answer in [MockResponse.status(204), .sequence([.status(204)])] {
            let problems = try await outcome(of: answer.times(times), calls: 1).problems
            let expected =
                #"mock "user": the answer set for it: "times" is \#(times) where a whole number from 0 to 1000000 is "#
                + "expected"
            #expect(problems == [expected])
        }
    }

    @Test func `A misspelled mock name is reported with the similar one`() async throws {
        // A sequence or an answer that must be used is unused only because of the name.
        for answer in [MockResponse.status(204), .sequence([.status(503), .file]), .status(204).times(1)] {
            for name in ["usr", "User"] as [MockName] {
                let problems = try await outcome { _ in Mocks.set(name, answer) }.problems
                #expect(problems.count == 1 && problems[0].contains(#"did you mean "user"?"#), "\(problems)")
            }
        }
        // A name without a similar mock is not.
        #expect(try await outcome { _ in Mocks.set("session", .status(204)) }.problems == [])
    }

    @Test func `A hundred misspelled names at most are explained`() async throws {
        let problems = try await outcome { client in
            for number in 0..<150 {
                Mocks.set(MockName(rawValue: "usr\(number)"), .status(204))
                _ = try? await client.data(for: Route.get("x").mock(MockName(rawValue: "user\(number)")))
            }
            _ = Mocks.takeProblems()
        }.problems
        #expect(problems.count { $0.contains("did you mean") } == 100)
    }

    @Test func `An answer for the file of a stream is reported if a call names its mock`() async throws {
        let files = ["ticks.events": "data: 1\n\n", "other.json": "1"]
        // A route may name the file, also one that this test does not call.
        for (route, text, problem) in [
            (
                Route.get("ticks").mock("ticks"), "data: 1\n\n",
                #"but no call has that name (did you mean "ticks"?)"#
            ),
            (.get("ticks").mock("ticks.events"), "data: 2\n\n", nil), (.get("other").mock("other"), "1", nil),
        ] {
            let (data, problems) = try await outcome(files) { client in
                Mocks.set("ticks.events", .events(["2"]))
                return try await client.data(for: route)
            }
            let areNamed = problems.map { $0.hasSuffix(problem ?? "no problem") }
            #expect((data.text, areNamed) == (text, problem == nil ? [] : [true]), "\(problems)")
        }
    }

    @Test func `A scope whose environment failed to load fails calls until it gets one`() async throws {
        let folder = try TemporaryFolder(["user.json": Self.octocat])
        let missing = #expect(throws: EnvironmentError.self) { try Environment.load("None", from: folder.url) }
        let scope = APIScope(network: .sealed, mocks: folder.url).with { $0.failure = missing }
        try await scope.run {
            let client = APIClient.shared
            try await failure(.environment) { try await login(client) }
            let environment = try APIEnvironment.testing()
            _ = try await scope.with { $0.environment = environment }.run { try await login(client) }
        }
    }

    @Test func `An unused sequence is reported, and taking the problems does not restart it`() async throws {
        let outcome = try await outcome { client in
            Mocks.set("other", .sequence([.status(204)]))
            Mocks.set("user", .sequence([.status(204), .json(User(login: "second")), .json(User(login: "third"))]))
            try await client.send(API.user(login: "x"))
            _ = try? await client.data(for: Route.get("nothing"))
            let count = Mocks.takeProblems().count
            let second = try await login(client)
            return ["\(count)", second, try await APIScope().run { try await login(client) }]
        }
        #expect(outcome == (["3", "second", "third"], []))
    }

    @Test func `What only follows from a missing mock is not reported beside it`() async throws {
        let problems = try await outcome { client in
            Mocks.set("user", .sequence([.status(204), .status(204)]))
            _ = try? await client.data(for: API.other)
        }.problems
        #expect(problems.count == 1 && problems[0].contains("there is no mock \"other\""), "\(problems)")
    }
}
