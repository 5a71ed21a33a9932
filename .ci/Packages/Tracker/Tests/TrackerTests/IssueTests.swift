import FingerpostTesting
import Foundation
import Testing
import Tracker
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.mocks) struct IssueTests {
    let api = GitHubAPI(
        session: URLSession(configuration: Mocks.sessionConfiguration()))

    @Test func gone() async throws {
        Mocks.set("createIssue", .status(410))
        await #expect(throws: Failure(status: 410)) {
            try await api.open("A bug", in: "octocat/hello")
        }
        let line = "POST https://api.github.com/repos/octocat/hello/issues 410"
        #expect(Mocks.calls.map(\.line) == [line])
    }
}

@Suite(.mocks) struct ProfileTests {
    let api = GitHubAPI(session: URLSession(configuration: Mocks.sessionConfiguration()))

    @Test(arguments: 0..<100) func alone(number: Int) async throws {
        Mocks.set("user", .json(["name": "user \(number)"]))
        #expect(try await api.name(of: "octocat") == "user \(number)")
        #expect(Mocks.calls.count == 1)
    }

    @Test func swallowed() async { _ = await api.emojis() }

    @Test func audited() throws {
        let options = MockAudit.Options(answersSessions: true)
        try MockAudit.run(options: options)
    }
}

final class ProfileXCTests: XCTestCase {
    private var api: GitHubAPI!

    override func invokeTest() {
        APIScope.test(self) { super.invokeTest() }
    }

    override func setUp() {
        api = GitHubAPI(session: URLSession(configuration: Mocks.sessionConfiguration()))
    }

    func testName() async throws {
        let name = try await api.name(of: "octocat")
        XCTAssertEqual(name, "The Octocat")
    }
}
