import Fingerpost
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
