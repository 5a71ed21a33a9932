import CallSupport
import FingerpostTesting
import Foundation

#if canImport(SwiftUI)
    import SwiftUI
#endif

/// The code of the article UsingItInXcode.
enum UsingItInXcode {
    #if canImport(SwiftUI)
        struct ProfileView: View {
            @State private var name = ""

            var body: some View {
                Text(name).task { await load() }
            }

            private func load() async {
                do {
                    let user = try await APIClient.shared.send(
                        GitHub.user(login: "octocat"), as: User.self)
                    name = user.name ?? user.login
                } catch {
                    name = error.message
                }
            }
        }
    #endif

    // Not in the article: what its table says of bodies that are isolated to the main actor.
    struct AddUser: Endpoint {
        typealias Response = User
        let body: NewUser
        var method: HTTPMethod { .post }
        var path: RoutePath { "users" }
    }

    static func route(adding user: NewUser) -> Route {
        Route.post("users").json(user)
    }
}

nonisolated struct NewUser: Encodable, Sendable {
    var login: String
}

@Suite(.mocks, .environment("Testing")) struct ProfileTests {
    @Test func octocatHasName() async throws {
        let user = try await APIClient.shared.send(
            GitHub.user(login: "octocat"), as: User.self)
        #expect(user.name == "The Octocat")
    }
}

@Suite(.inTurn) struct BodyIsolationTests {
    // In a module of the main actor, neither compiles with a body that is isolated to it.
    @Test func `A body is sent by an endpoint and by a route`() async throws {
        let transport = StubTransport(200, [:], #"{"login": "octocat"}"#)
        let (client, user) = (transport.client(), NewUser(login: "octocat"))
        #expect(try await client.send(UsingItInXcode.AddUser(body: user)).login == "octocat")
        try await client.send(UsingItInXcode.route(adding: user))
        #expect(transport.requests.map(\.httpBody) == Array(repeating: Data(#"{"login":"octocat"}"#.utf8), count: 2))
    }
}
