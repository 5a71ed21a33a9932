import FingerpostTesting
import TestSupport

@testable import Fingerpost
@testable import FingerpostMocks

/// What would answer, without using anything up.
@Suite(.inTurn) struct MockPeekTests {
    private static let files = [
        "poll.json": "done", "poll.mock.json": #"{"sequence": [{"failure": "timedOut"}, {"status": 503}, {}]}"#,
        "list.json": "first", "list.second.json": "second", "list.second.mock.json": #"{"for": "GET /x?page=2"}"#,
        "link.json": "1", "link.mock.json": #"{"headers": {"Link": "<{env.baseURL}/x?page=2>; rel=\"next\""}}"#,
        "_scenarios.json": #"{"twice": {"list": {"status": 404, "times": 2}}}"#,
    ]

    /// Peeks in a scope, and returns its problems at the end.
    private func peek(
        _ mock: MockName, query: String = "", scenario: MockScenario? = nil, variants: [MockName: String] = [:],
        _ set: () -> Void = {}
    ) throws -> (peek: MockCall.Peek?, problems: [String]) {
        let folder = try TemporaryFolder(Self.files)
        let environment = try Environment("Testing", values: ["baseURL": "https://t.invalid"])
        let scope = APIScope(environment: environment, network: .sealed, mocks: folder.url, scenario: scenario)
            .with(variants: variants, isStrict: true)
        let route = Route.get("x").mock(mock)
        let record = CallRecord(route, environment, in: nil)
        let deadline = Deadline(after: .seconds(9), since: .now, on: nil, by: DeadlineWatch())
        let call = CallContext(record: record, scope: scope, deadline: deadline)
        let mocks = try MockFolderEngine(ClientConfiguration()).mocks(for: call, sealedBy: environment)
        let request = URLRequest(url: try #require(URL(string: "https://t.invalid/x\(query)")))
        scope.run(set)
        let found = try (0..<3).map { _ in try (mocks as? MockCall)?.peek(request, for: route) }
        return (found[2], scope.close())
    }

    @Test(arguments: [("poll", "", "done"), ("list", "", "first"), ("list", "?page=2", "second"), ("link", "", "1")])
    func `The answer of the folder is found with its body`(mock: String, query: String, body: String) throws {
        let (peek, problems) = try peek(MockName(rawValue: mock), query: query)
        #expect(peek?.name.rawValue == mock && peek?.isChosen == false)
        #expect(peek?.response?.data?.data == Data(body.utf8))
        #expect(problems.isEmpty)
        if mock == "link" { #expect(peek?.response?.headers.first?.value.hasPrefix("<https://t.invalid/x?") == true) }
    }

    @Test func `Nothing is used up`() throws {
        let chosen = try peek("list", query: "?page=2", variants: ["list": "second"])
        #expect(chosen.peek?.isChosen == true && chosen.peek?.response?.data?.data == Data("second".utf8))
        #expect(chosen.problems.count == 1 && chosen.problems[0].contains("no call used its variant"))
        let scenario = try peek("list", scenario: "twice")
        #expect(scenario.peek?.isChosen == true && scenario.peek?.response?.status == 404)
        #expect(scenario.problems.count == 1 && scenario.problems[0].contains("calls used it 0 times"))
    }

    @Test func `Code is not run, and its sequence is not read`() throws {
        let (found, problems) = try peek("list") {
            Mocks.set(
                "list",
                .respond { _ in
                    Issue.record("code ran")
                    return .file
                })
        }
        #expect(found?.isChosen == true && found?.response == nil && problems.isEmpty)
        let sequence = try peek("poll") { Mocks.set("poll", .sequence([.file])) }
        #expect(sequence.peek?.response == nil)
        #expect(sequence.problems.count == 1 && sequence.problems[0].contains("no call used it"))
    }

    @Test func `A route without a mock has no answer, and a missing mock is an error`() throws {
        #expect(try peek(.unmocked).peek == nil)
        #expect(throws: APIError.self) { try peek("lst") }
    }
}
