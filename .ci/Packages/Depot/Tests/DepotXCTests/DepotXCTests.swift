import Depot
import FingerpostTesting
import XCTest

final class DepotXCTests: XCTestCase {
    override func invokeTest() { APIScope.test(self) { super.invokeTest() } }

    func testProfile() async throws {
        let user: User = try await Depot.client().send(Depot.me)
        XCTAssertNotNil(user.plan)
    }
}

final class RecordingXCTests: XCTestCase {
    override func invokeTest() { APIScope.test(self, recording: true) { super.invokeTest() } }

    func testItems() async throws {
        let client = try Depot.client()
        let items: [Item] = try await client.send(Depot.items(page: 2))
        XCTAssertEqual(items.count, 1)
        let _: Item = try await client.send(Depot.create(name: "y"))
    }
}
