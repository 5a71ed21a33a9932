import Fingerpost
import FingerpostTesting
import XCTest

nonisolated final class SessionXCTests: XCTestCase {
    override func invokeTest() {
        APIScope.test(self) { super.invokeTest() }
    }

    func testLogsIn() async throws {
        let greeting = try await Session(client: .shared)
            .logIn("octocat", password: "cat")
        XCTAssertEqual(greeting, "Hello, octocat")
    }
}
