import FingerpostTesting
import Foundation
import TestSupport

@testable import Fingerpost

/// A scope like that of a test, and a router for it.
enum UserScope {
    enum API: Routable {
        case user(login: String)
        case other

        var path: RoutePath { "users" }
        var mock: MockName? {
            switch self {
            case .user: "user"
            case .other: "other"
            }
        }
    }

    static let octocat = #"{"login": "octocat"}"#

    /// Runs work in a scope like that of a test, and closes it at the end.
    static func problems(
        _ files: [String: String] = ["user.json": octocat], _ work: (APIClient) async throws -> Void
    ) async throws -> [String] {
        let folder = try TemporaryFolder(files)
        let scope = APIScope(
            environment: try Environment("Testing", values: ["baseURL": "https://t.invalid"]), network: .sealed,
            mocks: folder.url, clock: VirtualClock())
        try await scope.run { try await work(APIClient()) }
        return scope.close()
    }
}
