import FingerpostTesting
import Testing

private func logIn() async throws -> (token: String, name: String) { ("token", "octocat") }

@Suite(.mocks, .drift { _ in .bearer(try await logIn().token) })
struct MemberTests {
    @Test func `The trait changes nothing in a run without drift`() async throws {
        #expect(try await APIClient().data(for: Route.get("user").mock("user")).isEmpty == false)
    }
}
