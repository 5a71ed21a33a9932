import CallSupport
import FingerpostStreams
import FingerpostTesting
import FingerpostTransfers

@testable import Fingerpost
@testable import FingerpostMockFiles
@testable import FingerpostMocks

/// Answers from the files of a folder of mocks.
@Suite(.inTurn) struct MockServingTests {
    struct Job: Codable, Equatable, Sendable {
        var id: Int
        var state: String
        var owner: String?
    }

    enum API: RouteConvertible {
        case job(id: Int, owner: String = "nobody")
        case jobs
        case login(name: String)
        case image

        var route: Route {
            switch self {
            case .job(let id, let owner): .get("jobs/\(id)").query("owner", owner).header("X-Trace", "t-1").mock("job")
            case .jobs: .get("jobs").mock("jobs/list")
            case .login(let name): .post("login").parameters(["user": ["name": name]]).mock("login")
            case .image: .get("image").mock("avatar.png")
            }
        }
    }

    /// A scope with a folder of mocks, and a client in it.
    struct Fixture {
        let folder: TemporaryFolder
        let scope: APIScope
        let client: APIClient

        init(
            _ files: [String: String], values: Parameters = [:], variants: [MockName: String] = [:],
            timeout: Duration = .seconds(60), clock: any Clock<Duration> = VirtualClock()
        ) throws {
            folder = try TemporaryFolder(files)
            var all: Parameters = ["baseURL": "https://api.test.invalid/v1"]
            all.append(contentsOf: values)
            scope = APIScope(
                environment: try Environment("Testing", values: all), network: .sealed, mocks: folder.url,
                variants: variants, clock: clock, seed: 7)
            client = APIClient(baseURL: URL(string: "https://api.test.invalid/v1")!) { $0.timeout = timeout }
        }

        func job(_ id: Int = 9, owner: String = "nobody") async throws -> Job {
            try await scope.run { try await client.send(API.job(id: id, owner: owner), as: Job.self) }
        }

        func response(_ route: API) async throws -> Response<Data> {
            try await scope.run { try await client.response(for: route, as: Data.self) }
        }

        func error(_ route: API) async -> APIError? {
            await #expect(throws: APIError.self) { try await scope.run { try await client.data(for: route) } }
        }
    }

    private static let done = #"{"id": 1, "state": "done"}"#

    @Test(arguments: [
        (
            ["login.json", "login.locked.423.json"], "lokced", #"has no variant "lokced"; it has "locked""#,
            "login.lokced.json"
        ),
        (["login.401.json"], nil, #"has no default answer; it has "401""#, "use one of these, or add "),
    ])
    func `The error for a missing answer lists the existing ones`(
        files: [String], variant: String?, message: String, fix: String
    ) async throws {
        let files = Dictionary(uniqueKeysWithValues: files.map { ($0, "{}") })
        let fixture = try Fixture(files, variants: variant.map { ["login": $0] } ?? [:])
        let error = await fixture.error(.login(name: "a"))
        let isNamed = error?.message.contains(message) == true && error?.fix?.contains(fix) == true
        #expect(error?.kind == .mock && isNamed, "\(error as Any)")
    }

    @Test func `Settings set the status and headers`() async throws {
        let fixture = try Fixture([
            "job.json": Self.done,
            "job.mock.json":
                #"{"for": "GET /jobs/{id}", "status": 203, "headers": {"ETag": "\"v2\"", "Retry-After": "1"}}"#,
        ])
        let response = try await fixture.response(.job(id: 9))
        let seen = (response.status, response.headers["etag"], response.headers[.contentType], response.source)
        #expect(seen == (203, "\"v2\"", "application/json", .mock(fixture.folder["job.json"])))
    }

    @Test(arguments: ["POST /jobs/{id}", "GET /jobs", "GET /jobs/{id}/log", "GET /tasks/{id}"])
    func `A mock for another request fails the call`(route: String) async throws {
        let fixture = try Fixture(["job.json": Self.done, "job.mock.json": #"{"for": "\#(route)"}"#])
        let error = await fixture.error(.job(id: 9))
        let isNamed = error?.message.contains("job.mock.json is for \(route), but the route is GET jobs/9")
        #expect((error?.kind, isNamed) == (.mock, true))
    }

    @Test(arguments: [
        (#""timedOut""#, APIError.Kind.timedOut), (#""notConnectedToInternet""#, .offline),
        (#""networkConnectionLost""#, .transport), (#""truncated""#, .transport), (#""malformed""#, .decoding),
        (#""empty""#, .decoding),
    ])
    func `A failure is the error of a real network failure`(failure: String, kind: APIError.Kind) async throws {
        let fixture = try Fixture(["job.json": Self.done, "job.mock.json": #"{"failure": \#(failure)}"#])
        let error = await #expect(throws: APIError.self) { try await fixture.job() }
        #expect(error?.kind == kind && fixture.scope.takeProblems() == [], "\(error as Any)")
    }

    @Test(arguments: [
        #"{"a": 1}"#, "[1, 2]", "12", "true", "\"text\"", "", "{}", "1", #"{"text": "a\"b", "n": [1, 2, {"x": null}]}"#,
    ])
    func `A malformed body is never valid JSON`(body: String) async throws {
        let fixture = try Fixture(["job.json": body, "job.mock.json": #"{"failure": "malformed"}"#])
        let data = try await fixture.response(.job(id: 1)).data
        #expect(throws: (any Error).self) { try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) }
    }

    @Test func `A random delay is a number of at most a day`() async throws {
        let settings = #"{"delay": {"median": 1e-320, "p99": 86400}}"#
        let fixture = try Fixture(["job.json": Self.done, "job.mock.json": settings], timeout: .seconds(1_000_000))
        for _ in 0..<50 { _ = try await fixture.job() }
        let times = fixture.scope.calls.compactMap(\.duration)
        #expect(times.count == 50 && times.allSatisfy { (.zero ... .seconds(86_400)).contains($0) })
    }

    @Test func `Random delays are the same for the same seed`() async throws {
        let files = ["job.json": Self.done, "job.mock.json": #"{"delay": [0.1, 0.6]}"#]
        var times: [[Duration]] = []
        for _ in 0..<2 {
            let fixture = try Fixture(files)
            for _ in 0..<5 { _ = try await fixture.job() }
            times.append(fixture.scope.calls.compactMap(\.duration))
        }
        let areInRange = times[0].allSatisfy { (.milliseconds(100) ... .milliseconds(600)).contains($0) }
        #expect((times[0], Set(times[0]).count, areInRange) == (times[1], 5, true))
    }

    private static let sequence = """
        {"sequence": [{"status": 202, "body": "job.pending.json"}, {"failure": "timedOut"}, {"body": "job.json"}]}
        """

    @Test(
        arguments: [
            (nil, ["pending", "timed out", "done", "mock", "mock"]),
            ("repeatLast", ["pending", "timed out", "done", "done", "done"]),
            ("loop", ["pending", "timed out", "done", "pending", "timed out"]),
        ] as [(String?, [String])])
    func `A sequence gives one answer per call, and later calls fail or go on as it says`(
        after: String?, states: [String]
    ) async throws {
        let settings = after.map { Self.sequence.replacing("]}", with: "], \"after\": \"\($0)\"}") }
        let fixture = try Fixture([
            "job.json": Self.done, "job.pending.json": #"{"id": 1, "state": "pending"}"#,
            "job.mock.json": settings ?? Self.sequence,
        ])
        var seen: [String] = []
        for _ in 0..<5 {
            do { seen.append(try await fixture.job().state) } catch let error as APIError {
                seen.append("\(error.kind)")
            }
        }
        #expect(seen == states)
        guard after == nil, let error = fixture.scope.calls.last?.error else { return }
        let isNamed = error.message.contains("has 3 answers, but this is call 5")
        #expect((isNamed, error.fix?.contains("repeatLast")) == (true, true), "\(error)")
    }

    @Test func `A hundred concurrent calls get each answer of a sequence once`() async throws {
        var files: [String: String] = [:]
        var frames: [String] = []
        for id in 0..<100 {
            files["job.\(id)th.json"] = #"{"id": \#(id), "state": "x"}"#
            frames.append(#"{"body": "job.\#(id)th.json"}"#)
        }
        files["job.mock.json"] = #"{"sequence": [\#(frames.joined(separator: ", "))]}"#
        let fixture = try Fixture(files)
        let ids = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try await fixture.job().id } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect((ids.sorted(), fixture.scope.takeProblems().isEmpty) == (Array(0..<100), true))
    }

    @Test func `An answer switches the variant of another mock`() async throws {
        let fixture = try Fixture([
            "login.json": "{}", "login.mock.json": #"{"then": {"jobs/list": "withNew"}}"#,
            "jobs/list.json": "[]", "jobs/list.withNew.json": "[1]",
        ])
        let first = try await fixture.response(.jobs).data
        _ = try await fixture.response(.login(name: "a"))
        let second = try await fixture.response(.jobs).data
        // Another scope is not affected.
        let other = APIScope(environment: fixture.scope.environment, mocks: fixture.folder.url)
        let list = try await other.run { try await fixture.client.data(for: API.jobs) }
        #expect([first, second, list].map(\.text) == ["[]", "[1]", "[]"])
    }

    @Test func `A file at the top level of a bundle answers, and other files there are not called mocks`() throws {
        let folder = try TemporaryFolder([
            "App.app/user.json": "{}", "App.app/user.locked.json": "{}", "App.app/animation.json": "{}",
            "App.app/_scenarios.json": #"{"out": {"*": "locked"}}"#,
        ])
        let bundle = try MockIndexes.index(at: folder["App.app"], isTopLevel: true)
        let body = try bundle.whole(bundle.mock(named: "user")).data?.data.text
        let names = try bundle.scenarioNames()
        #expect((names, body, bundle.mockNames.isEmpty) == (["out"], "{}", true))
        let failure = #expect(throws: MockIndex.Failure.self) { try bundle.mock(named: "animations") }
        let error = APIError(mock: try #require(failure), named: "animations", variant: nil, in: bundle, "Sealed")
        #expect(
            (folder.relative(error.message), error.fix) == (
                "there is no mock \"animations\" at the top level of App.app, and no folder Mocks. Sealed",
                "add Mocks/animations.json, or correct the route's mock"
            ))
    }

    #if os(Linux) || os(macOS)
        @Test(.heavy) func `A large mock that becomes shorter ends nothing, and its body stays`() async {
            // In a process without other tests, which access to a cut file would end.
            await #expect(processExitsWith: .success) {
                let (fixture, size) = (try Fixture(["avatar.png": ""]), RegularFile.mappedSize)
                let file = fixture.folder["avatar.png"].path
                try #require(truncate(file, off_t(size)) == 0)
                let body = try await fixture.response(.image).data
                try #require(truncate(file, 0) == 0)
                let found = try await (body, fixture.response(.image).data)
                #expect(found == (Data(count: size), body))
                let stream = try await fixture.scope.run { try await fixture.client.stream(API.image) }
                #expect(try await stream.all() == [body])
                let target = fixture.folder["downloaded"]
                try await fixture.scope.run { _ = try await fixture.client.download(API.image, to: target) }
            }
        }
    #endif
}
