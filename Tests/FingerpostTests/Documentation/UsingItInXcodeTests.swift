import Fingerpost
import FingerpostTesting
import Testing

private typealias GitHub = ReadmeTests.GitHub

// The code of the article UsingItInXcode.
@Suite(.mocks, .environment("Testing")) struct ProfileTests {
    @Test func octocatHasName() async throws {
        let user = try await APIClient.shared.send(GitHub.user(login: "octocat"), as: User.self)
        #expect(user.name == "The Octocat")
    }
}
