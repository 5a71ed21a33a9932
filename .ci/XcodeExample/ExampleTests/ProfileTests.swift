import Fingerpost
import FingerpostTesting
import Foundation
import Testing

@testable import Example

@Suite(.mocks, .environment("Testing")) struct ProfileTests {
    @Test func octocatHasName() async throws {
        let user = try await APIClient.shared.send(GitHub.user(login: "octocat"), as: User.self)
        #expect(user.name == "The Octocat")
    }

    @Test(.mocks(["user": "404"])) func nobody() async {
        let error = await #expect(throws: APIError.self) {
            try await APIClient.shared.send(GitHub.user(login: "nobody"), as: User.self)
        }
        #expect(error?.kind == .status(404))
    }

    @Test func environmentsAreInTheApp() throws {
        let production = try APIEnvironment.load("Production")
        #expect(production.baseURL.host == "api.github.com")
    }
}
