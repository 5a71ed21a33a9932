import Depot
import FingerpostTesting
import XCTest

final class DepotXCTests: XCTestCase {
    override class func setUp() { MockDrift.authorize { _ in .bearer("of-staging") } }

    override func invokeTest() { APIScope.test(self) { super.invokeTest() } }

    func testSecondPage() async throws {
        let items = try await APIClient().send(Depot.items(page: 2), as: [Item].self)
        XCTAssertEqual(items.count, 1)
    }
}
