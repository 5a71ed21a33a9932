import Fingerpost
import FingerpostStreams
import FingerpostTesting
import Tasks
import Testing
import XCTest

extension Tasks: SampledRoutes {
    public static var samples: [Tasks] { [.all, .one(id: 1)] }
}

@Suite(.mocks) struct TasksTests {
    @Test func listed() async {
        #expect(await Model().titles() == ["water the plants"])
    }

    @Test(.mocks(["tasks": "none"])) func empty() async {
        #expect(await Model().titles().isEmpty)
    }

    @Test(arguments: 0..<100) func alone(number: Int) async {
        Mocks.set("task", .json(Item(title: "task \(number)")))
        #expect(await Model().title(number) == "task \(number)")
        #expect(Mocks.calls.count == 1)
    }

    @Test func swallowed() async {
        _ = await Model().title(1)
    }

    @Test func paged() async throws {
        let first = MockResponse.json([Item(title: "a")]).header("X-Next-Cursor", "b")
        Mocks.set("tasks", .sequence([first, .json([Item(title: "b")])]))
        let pages = APIClient.shared.pages(
            Tasks.all.withoutHeader(.accept), as: [Item].self,
            by: .response("cursor") { $0.headers["X-Next-Cursor"] })
        var titles: [String] = []
        for try await page in pages { titles += page.value.map(\.title) }
        let request = Mocks.calls.last?.request
        #expect(titles == ["a", "b"] && request?.url?.query == "cursor=b")
        #expect(request?.value(forHTTPHeaderField: "Accept") == nil)
    }

    @Test func audited() throws {
        try MockAudit.run(Tasks.self)
    }
}

final class TasksXCTests: XCTestCase {
    override func invokeTest() {
        APIScope.test(self) { super.invokeTest() }
    }

    func testSwallowed() async {
        _ = await Model().title(1)
    }
}
