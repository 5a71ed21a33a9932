import Fingerpost
import FingerpostTesting
import Foundation
import TestSupport

/// The code of the article TestingYourApp.
struct Session {
    let client: APIClient

    nonisolated struct Account: Decodable, Sendable {
        var name: String
    }

    func logIn(_ name: String, password: String) async throws(APIError) -> String {
        let account = try await client.send(SessionAPI.login(name: name, password: password), as: Account.self)
        return "Hello, \(account.name)"
    }
}

enum SessionAPI: Routable {
    case login(name: String, password: String)

    var method: HTTPMethod { .post }
    var path: RoutePath { "login" }
    var parameters: Parameters? {
        switch self {
        case .login(let name, let password): ["name": name, "password": password]
        }
    }
    var mock: MockName? { "login" }
    var responseType: (any (Decodable & Sendable).Type)? {
        Session.Account.self
    }
}

nonisolated extension SessionAPI: SampledRoutes {
    public static var samples: [SessionAPI] {
        [.login(name: "octocat", password: "cat")]
    }
}

@Suite(.mocks) struct SessionTests {
    let session = Session(client: APIClient.shared)

    @Test func loggedIn() async throws {
        let greeting = try await session.logIn("octocat", password: "cat")
        #expect(greeting == "Hello, octocat")
        #expect(Mocks.calls.map(\.name) == ["login"])
    }

    @Test(.mocks(["login": "locked"])) func locked() async throws {
        await #expect(throws: APIError.self) {
            try await session.logIn("octocat", password: "cat")
        }
    }

    @Test(arguments: [401, 500]) func refused(status: Int) async throws {
        Mocks.set("login", .status(status))
        let error = await #expect(throws: APIError.self) {
            try await session.logIn("octocat", password: "cat")
        }
        #expect(error?.kind == .status(status))
    }

    @Test func secondTry() async throws {
        Mocks.set(
            "login",
            .sequence([
                .failure(.networkConnectionLost),
                .json(["name": "octocat"]),
            ]))
        _ = try? await session.logIn("octocat", password: "cat")
        let greeting = try await session.logIn("octocat", password: "cat")
        #expect(greeting == "Hello, octocat")
    }
}

@Suite(.mocks) struct SessionScopeTests {
    let session = Session(client: APIClient.shared)

    @Test func brokenAnswer() async throws {
        Mocks.set("login", .json(["nickname": "octocat"]))
        let error = await #expect(throws: APIError.self) {
            try await session.logIn("octocat", password: "cat")
        }
        #expect(error?.kind == .decoding)
        #expect(Mocks.takeProblems().count == 1)
    }

    @Test func sendsTheName() async throws {
        _ = try await session.logIn("octocat", password: "cat")
        let sent = try #require(Mocks.calls.first?.request.httpBody)
        let body = try JSONDecoder().decode(JSONValue.self, from: sent)
        #expect(body["name"]?.string == "octocat")
    }

    @Test func detached() async throws {
        let session = session
        let scope = APIScope.current
        let name = try await Task.detached {
            try await scope?.run {
                try await session.logIn("octocat", password: "cat")
            }
        }.value
        #expect(name == "Hello, octocat")
    }

    @Test func mocksMatchRoutes() throws {
        try MockAudit.run(SessionAPI.self)
    }

    @Test func mocksMatchServer() async throws {
        try await MockDrift.run(SessionAPI.self)
    }

}

private func showDemo() throws -> APIClient {
    var client = APIClient.shared
    client = client.with(environment: try APIEnvironment.load("Demo"))
    return client
}

#if canImport(SwiftUI)
    import SwiftUI

    private struct ProfileView: View {
        let client: APIClient
        var body: some View { Text("") }
    }

    extension EnvironmentValues {
        @Entry var client: APIClient = .shared
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    struct MockedClient: PreviewModifier {
        static func makeSharedContext() async throws -> APIClient { .mocked() }

        func body(content: Content, context: APIClient) -> some View {
            content.environment(\.client, context)
        }
    }

    #Preview("Not found") {
        ProfileView(client: .mocked(variants: ["user": "404"]))
    }

    #Preview("Offline") {
        ProfileView(client: .mocked(scenario: "offline"))
    }
#endif
