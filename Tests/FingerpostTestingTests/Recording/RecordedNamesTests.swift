@testable import FingerpostMockFiles
@testable import FingerpostTesting

/// The names that a route can give its mock, and the files that a recording writes for them.
@Suite(.inTurn) struct RecordedNamesTests {
    private static let invalid = [
        "_scenarios", "_scenarios.json", "_Scenarios", "_scenarios.401", ".hidden", "users/.hidden", ".users/show",
        ".json", "users/.json", "..", "../x", "a/../b", ".", "./a", "/a", "a//b", "a/", "", "a\\b", "a\0b", "a.mock",
        "a.mock.json",
    ]

    @Test(arguments: invalid) func `A name that the folder does not serve is not recorded`(name: String) async throws {
        let scenarios = ["Mocks/_scenarios.json": "{}"]
        let studio = try RecorderFixture(scenarios, answer: #"{"id":1}"#)
        let route = Route.get("x").mock(MockName(rawValue: name))
        _ = try await studio.client.data(for: route)
        let objection = try #require(MockFileName.objection(to: name))
        let failures = studio.recorder.finish()
        let message = try await failure { try await studio.replay().data(for: route) }.message
        let found = try (
            failures.map { $0.contains("is invalid: \(objection)") }, message.contains(objection), studio.files()
        )
        #expect(found == ([true], true, ["_scenarios.json": "{}"]), "\(failures) \(message)")
    }

    private static let valid = [
        "a", "a.json", "users/_scenarios", "_scenario", "a.b", "a.b.c", "a..b", "a.", "a.401", "a.401.json", "a.mock.b",
        "a.events", "a.png", "a.json.b", "a.json.json", "a b", "ä", "e\u{301}", "-a", "~a", "*", "%2e%2e", "a:b",
        "mock", "users/mock", "401", "204", "日本/東京", "🦉.👩‍👩‍👧", "a\nb",
    ]

    @Test(arguments: valid) func `A recorded mock is served under its name`(name: String) async throws {
        let studio = try RecorderFixture(
            answer: #"{"id":1}"#, ["Content-Type": "application/json"])
        let route = Route.get("x").mock(MockName(rawValue: name))
        _ = try await studio.client.data(for: route)
        let replayed = try await studio.replay().send(route, as: [String: Int].self)
        #expect((replayed, studio.lines().filter { !$0.hasPrefix("wrote ") }) == (["id": 1], []))
    }
}
