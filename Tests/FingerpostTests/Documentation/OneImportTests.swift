import FingerpostTesting
import Testing

/// The imports of a test file, as the README has them.
@Suite(.mocks) struct OneImportTests {
    @Test func `FingerpostTesting includes Fingerpost`() async throws {
        Mocks.set("user", .status(503))
        let error = await #expect(throws: APIError.self) {
            try await APIClient().send(Route.get("user").mock("user"))
        }
        #expect(error?.kind == .status(503))
    }
}
