import FingerpostTesting
import TestSupport

/// Compiles and runs the first screen of the README, which is also that of the documentation. `FingerpostTesting`
/// includes `Fingerpost`.
@Suite(.inTurn) struct FirstScreenTests {
    enum GitHub: Routable {
        case user(login: String)
        var path: RoutePath {
            switch self {
            case .user(let login): "users/\(login)"  // a value is escaped
            }
        }
    }
    nonisolated struct User: Decodable, Sendable { var name: String }

    func name(of login: String) async throws -> String {
        try await APIClient().send(GitHub.user(login: login), as: User.self).name
    }

    @Test(.mocks) func octocatHasName() async throws {
        #expect(try await name(of: "octocat") == "The Octocat")
        #expect(Mocks.calls.map(\.line) == ["GET users/octocat 200"])
    }
}
