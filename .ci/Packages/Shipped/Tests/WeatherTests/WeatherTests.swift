import FingerpostTesting
import Testing

@Test(.mocks) func today() async throws {
    let weather = try await APIClient().send(Route.get("today").mock("today"), as: [String].self)
    #expect(weather == ["sunny"])
}
