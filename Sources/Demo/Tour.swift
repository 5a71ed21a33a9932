import Fingerpost
import Foundation

/// Shows what the library is about, one scene after the other. Each scene is a few lines of code.
struct Tour {
    let client: APIClient
    let environment: Environment

    /// Runs all scenes. GitHub itself cannot play some of them: nobody's token expires when a demo needs it.
    ///
    /// - Returns: true if no scene failed.
    func run() async -> Bool {
        var isWhole = await scene("A route is a case of an enum", user)
        isWhole = await scene("A list, page by page", pages) && isWhole
        isWhole = await scene("An error says what happened, where, and what to do", failure) && isWhole
        if !environment.isSealed {
            print("\nThe retry, the new token and the events need the mocks of Testing.")
        } else {
            isWhole = await scene("A busy server is asked again", retry) && isWhole
            isWhole = await scene("A token that has expired is refreshed", refresh) && isWhole
            isWhole = await scene("Events are read as they arrive", events) && isWhole
        }
        isWhole = await scene("A download goes to a file", download) && isWhole
        print("\n\(Style.bold("Try next"))\n\(Self.next)")
        return isWhole
    }

    private func scene(_ title: String, _ play: () async throws -> Void) async -> Bool {
        print("\n\(Style.bold(title))")
        do {
            try await play()
            return true
        } catch {
            print(Style.red("\(error)"))
            return false
        }
    }

    private func user() async throws {
        let user = try await client.send(GitHub.user(login: "octocat"), as: User.self)
        print("\(user.name ?? user.login) has \(user.followers) followers.")
    }

    private func pages() async throws {
        let list = GitHub.repos(owner: "apple", page: 1)
        for try await page in client.pages(list, as: [Repository].self).prefix(2) {
            print(page.value.prefix(4).map(\.name).joined(separator: ", "))
        }
    }

    private func failure() async throws {
        // In a sealed environment, the variant Mocks/user.404.json answers. GitHub has no such user either.
        await APIScope(variants: ["user": "404"]).run {
            do throws(APIError) {
                let user = try await client.send(GitHub.user(login: "no-one-"), as: User.self)
                print("\(user.login) exists.")
            } catch {
                print(Style.red("\(error)"))
            }
        }
    }

    private func retry() async throws {
        // Mocks/limits.mock.json says that every other answer is 503.
        let patient = client.with { $0.retry = RetryPolicy() }
        let response = try await patient.response(for: GitHub.limits, as: Data.self)
        print("Attempts: \(response.history.map { "\($0.status ?? 0)" }.joined(separator: ", then "))")
    }

    private func refresh() async throws {
        let store = InMemoryCredentialStore("expired")
        let signedIn = client.with { [client] configuration in
            configuration.authorization = .refreshing(store) { _ in
                try await client.send(GitHub.token(installation: 1), as: Token.self).token
            }
        }
        let notices = try await signedIn.send(GitHub.notifications, as: [Notice].self)
        print("\(notices.count) notifications, with the new token: \(notices.map(\.subject.title).first ?? "none")")
    }

    private func events() async throws {
        for try await event in try await client.stream(GitHub.activity).events {
            let notice = try JSONDecoder().decode(Notice.self, from: Data(event.data.utf8))
            print("\(Style.green(event.event)) \(notice.subject.title)")
            fflush(nil)
        }
    }

    private func download() async throws {
        try await Command.download(client)
    }

    private static let next = """
          swift run Demo user octocat                        a single call
          swift run Demo --environment Production            calls GitHub
          MOCKS_SCENARIO=offline swift run Demo repos apple  an error
          swift run Demo --help                              lists all commands
        """
}
