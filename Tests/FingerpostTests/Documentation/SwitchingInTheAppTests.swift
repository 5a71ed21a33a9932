import Fingerpost
import FingerpostSwitching
import FingerpostTesting
import Foundation
import TestSupport

/// The code of the articles SwitchingInTheApp and EnvironmentFiles.
@Suite(.inTurn) @MainActor struct SwitchingInTheAppTests {
    #if canImport(Security)
        private enum Session: Routable {
            case refresh(String)
            var path: RoutePath { "session" }
        }

        func configure(_ configuration: inout APIClient.Configuration, _ client: APIClient) {
            configuration.authorization = .perEnvironment { environment in
                .refreshing(
                    KeychainStore(service: "org.example.\(environment.name)")
                ) { expired in
                    try await client.with(environment: environment)
                        .send(Session.refresh(expired), as: String.self)
                }
            }
        }
    #endif

    @MainActor final class Feed {
        private(set) var posts: [Int] = []

        private func reload() async {}

        func follow() async {
            for await _ in APIEnvironment.changes {
                posts = []
                await reload()
            }
        }
    }

    func choose() throws {
        try APIEnvironment.choose("Staging")
    }

    @Test func `A test cannot choose the environment of the process`() throws {
        #expect(try APIEnvironment.available == ["Production", "Staging", "Testing"])
        #expect(throws: EnvironmentError.self) { try choose() }
    }

    private nonisolated func token(of environment: APIEnvironment) throws -> Authorization? {
        .bearer("t-\(environment.name)")
    }

    @Test func `An extension follows the choice of its app`() throws {
        for chosen in [nil, "Staging"] {
            let client = try APIClient {
                $0.environment = try chosen.map { try .load($0) }
                $0.authorization = .perEnvironment { try token(of: $0) }
            }
            #expect(client.configuration.environment?.name == chosen)
        }
    }
}
