import Fingerpost
import FingerpostMocks
import FingerpostStreams
import Foundation

/// Shows the main features of the library, one scene after the other. Each scene is a few lines of code.
struct Tour {
    let client: APIClient

    /// Three scenes need the mocks: GitHub sends no events, and a demo cannot make GitHub fail or let a token expire.
    func run(isSealed: Bool) async throws {
        show("A route is a case of an enum")
        let user = try await client.send(GitHub.user(login: "octocat"), as: User.self)
        print("\(user.name ?? user.login) has \(user.followers) followers.")

        show("A list, page by page")
        let list = GitHub.repos(owner: "apple", page: 1)
        for try await page in client.pages(list, as: [Repository].self).prefix(2) {
            print(page.value.prefix(4).map(\.name).joined(separator: ", "))
        }

        show("An error says what happened, where, and what to do")
        await fail()
        if isSealed {
            try await runWithMocks()
        } else {
            print("\nThe retry, the new token and the events need the mocks of Testing.")
        }

        show("A download goes to a file")
        try await Demo.download(.archive(owner: "apple", repository: "swift-argument-parser"), client)
        show("Try next")
        print(Self.next)
    }

    private func fail() async {
        // In a sealed environment, the variant Mocks/user.404.json answers. GitHub has no such user either.
        await APIScope(variants: ["user": "404"]).run {
            do throws(APIError) {
                let user = try await client.send(GitHub.user(login: "no-one-"), as: User.self)
                print("\(user.login) exists.")
            } catch {
                print(Terminal.red("\(error)"))
            }
        }
    }

    private func runWithMocks() async throws {
        show("A busy server is asked again")
        // Mocks/limits.mock.json says that every other response is 503.
        let patient = client.with { $0.retry = RetryPolicy() }
        let response = try await patient.response(for: GitHub.limits, as: Data.self)
        print("Attempts: \(response.history.map { "\($0.status ?? 0)" }.joined(separator: ", then "))")

        show("A token that has expired is refreshed")
        let store = InMemoryCredentialStore("expired")
        let signedIn = client.with { [client] configuration in
            configuration.authorization = .refreshing(store) { _ in
                try await client.send(GitHub.token(installation: 1), as: Token.self).token
            }
        }
        let notices = try await signedIn.send(GitHub.notifications, as: [Notice].self)
        print("\(notices.count) notifications, with the new token: \(notices.map(\.subject.title).first ?? "none")")

        show("Events are read as they arrive")
        for try await event in try await client.stream(GitHub.activity).events {
            let notice = try JSONDecoder().decode(Notice.self, from: Data(event.data.utf8))
            print("\(Terminal.green(event.event)) \(notice.subject.title)")
            fflush(nil)
        }
    }

    private func show(_ title: String) { print("\n\(Terminal.bold(title))") }

    private static let next = """
          swift run Demo user octocat                        a single call
          swift run Demo --environment Production            calls GitHub
          swift run Demo user octocat --mock usr             a missing mock
          MOCKS_SCENARIO=offline swift run Demo repos apple  no connection
          swift run Demo --help                              lists all commands
        """
}

/// Something that happened on GitHub: a notification, or an event of ``GitHub/activity``.
private struct Notice: Decodable, Sendable {
    struct Subject: Decodable, Sendable { let title: String }
    let subject: Subject
}

/// The response of ``GitHub/token(installation:)``.
private struct Token: Decodable, Sendable { let token: String }
