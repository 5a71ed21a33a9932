import CallSupport
import FingerpostTesting

/// Traits as tests use them: in parallel and without other setup.
@Suite(.inTurn, .mocks(folder: "Fixtures")) struct ScopeTraitTests {
    private struct Greeting: Decodable, Sendable { var text: String }

    private struct Greet: Endpoint {
        typealias Response = Greeting
        var path: RoutePath { "greeting" }
        var mock: MockName? { "greeting" }
    }

    /// One client for the whole process, as in an app.
    private static let client = Result { try APIClient() }

    private func greeting() async throws -> String { try await Self.client.get().send(Greet()).text }

    @Test(.environment("Staging"), .network(.live), .mocks(["greeting": "polite"]))
    func `Several traits combine, and a later mocks trait seals the test again`() async throws {
        let found = try await (Environment.current.name, greeting())
        #expect(found == ("Staging", "good evening"))
    }

    @Suite(.inTurn, .mocks(["greeting": "polite"])) struct Inside {
        @Test func `A nested suite adds to the outer one`() async throws {
            let found = try await (ScopeTraitTests().greeting(), Mocks.calls.count)
            #expect(found == ("good evening", 1))
        }
    }

    @Test(arguments: 0..<100) func `Every test case has its own answers and calls`(number: Int) async throws {
        if number % 2 == 1 { Mocks.set("greeting", .json(["text": "number \(number)"])) }
        let text = number % 2 == 1 ? "number \(number)" : "hello"
        let seen = (try await greeting(), Mocks.calls.map(\.name))
        #expect(seen == (text, ["greeting"]))
    }

    @Test(.environment("Staging")) func `An environment trait sets the values, and mocks still answer`() async throws {
        let environment = try Environment.current
        let host = try environment.value("baseURL", as: URL.self).host
        let seen = try await (environment.name, greeting(), Mocks.calls.map(\.request.url?.host))
        #expect(seen == ("Staging", "hello", [host]))
    }

    @Test func `The shared client belongs to no test's scope`() async throws {
        _ = APIClient.shared
        let issues = try await recordedIssues {
            let error = await APIScope.$current.withValue(nil) {
                await #expect(throws: APIError.self) { try await APIClient.shared.send(Greet()) }
            }
            #expect(error?.fix?.contains("Task.detached") == true)
        }
        #expect(issues.count == 1 && issues[0].text.contains("has no scope"), "\(issues)")
    }
}
