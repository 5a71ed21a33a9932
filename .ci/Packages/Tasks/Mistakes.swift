import Fingerpost
import FingerpostTesting
import Tasks
import Testing

@Suite(.mocks) struct TasksTests {
    @Test func undecodable() async {
        _ = await Model().title(1)
    }

    @Test func unread() async {
        Mocks.set("tasks", .sequence([.json([Item(title: "a")]), .status(204)]))
        _ = await Model().titles()
    }

    @Test func unawaited() async {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        Mocks.set(
            "tasks",
            .respond { _ in
                begin.finish()
                try await Task.sleep(for: .seconds(600))
                return .status(204)
            })
        Task { await Model().titles() }
        for await _ in begun {}
    }

    @Test func escaped() async {
        let error = await Task.detached { () -> APIError? in
            do {
                try await APIClient.shared.send(Tasks.all)
                return nil
            } catch { return error as? APIError }
        }.value
        #expect(error?.message == "")
    }
}
