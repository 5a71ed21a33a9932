import Fingerpost
import FingerpostSwitching
import FingerpostTesting
import Foundation
import Observation
import TestSupport
import Testing

#if canImport(SwiftUI)
    import SwiftUI
#endif

/// The code of the articles SwitchingInTheApp and EnvironmentFiles.
@Suite(.inTurn) @MainActor struct SwitchingInTheAppTests {
    @MainActor @Observable final class ServerMenu {
        let names: [String]
        private(set) var current: String
        private(set) var problem: String?

        init() throws {
            names = try APIEnvironment.available.filter { $0 != "Testing" }
            current = try APIEnvironment.current.name
        }

        func choose(_ name: String) {
            do {
                try APIEnvironment.choose(name)
                (current, problem) = (name, nil)
            } catch { problem = "\(error)" }
        }
    }

    #if canImport(SwiftUI)
        struct ServerPicker: View {
            let menu: ServerMenu

            var body: some View {
                VStack {
                    Picker(
                        "Server",
                        selection: Binding(
                            get: { menu.current }, set: { menu.choose($0) })
                    ) {
                        ForEach(menu.names, id: \.self) { Text($0) }
                    }
                    if let problem = menu.problem { Text(problem) }
                }
            }
        }
    #endif

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

    @Test func `In a test, the menu says why it cannot switch`() throws {
        let menu = try ServerMenu()
        #expect(menu.names == ["Production", "Staging"])
        let before = menu.current
        menu.choose("Staging")
        #expect(menu.problem?.contains("a test cannot choose the environment of the process") == true)
        #expect(menu.current == before)
        #expect(throws: EnvironmentError.self) { try choose() }
    }

    @Test func `Routes name keys`() async throws {
        let environment = try APIEnvironment(
            "Testing",
            values: [
                "baseURL": "https://t.invalid", "tenant": "acme", "$secrets": ["oauth.key"],
                "oauth": ["clientID": "id", "key": "s3cret-value"] as Parameters,
            ])
        try await APIScope(environment: environment).run {
            Mocks.set("users", .json([1]))
            Mocks.set("logIn", .status(204))
            let client = try APIClient()
            #expect(try await client.send(Tenants.users, as: [Int].self) == [1])
            try await client.send(Tenants.logIn(name: "o"))
            let requests = Mocks.calls.compactMap(\.request)
            #expect(requests.first?.url?.path == "/tenants/acme/users")
            #expect(requests.allSatisfy { $0.value(forHTTPHeaderField: "X-Api-Key") == "s3cret-value" })
            let body = String(decoding: requests.last?.httpBody ?? Data(), as: UTF8.self)
            #expect(body == #"{"client_id":"id","name":"o"}"#)
        }
    }
}
