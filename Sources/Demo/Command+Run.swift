import Fingerpost
import Foundation

extension Command {
    func run(_ client: APIClient, in environment: Environment) async throws(APIError) {
        switch self {
        case .tour: try await Self.tour(client, in: environment)
        case .user(let login): print(Table(try await client.user(login)))
        case .repos(let owner, let page): try await Self.list(owner, page: page, client)
        case .createRepo(let name, let isPrivate):
            print(Table(try await client.createRepo(name, isPrivate: isPrivate)))
        case .download: try await Self.download(client)
        case .help: print(Self.usage)
        }
    }

    private static func list(_ owner: String, page: Int, _ client: APIClient) async throws(APIError) {
        let repositories = try await client.repos(of: owner, page: page)
        print(repositories.isEmpty ? "No repositories on page \(page)." : "\(Table(repositories))")
    }

    private static func download(_ client: APIClient) async throws(APIError) {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("swift-argument-parser.tar.gz")
        let progress = ProgressBar.isUseful ? ProgressBar.show : nil
        do {
            try await client.downloadArchive(of: "swift-argument-parser", by: "apple", to: file, progress: progress)
        } catch {
            // The error is not part of the bar's line.
            if progress != nil { print() }
            throw error
        }
        print("Downloaded \(file.path)")
    }

    private static func tour(_ client: APIClient, in environment: Environment) async throws(APIError) {
        let routes: [GitHub] = [
            .user(login: "octocat"), .repos(owner: "apple", page: 1), .createRepo(name: "hello", isPrivate: false),
        ]
        print("\n\(Table(routes))")

        print(Table(try await client.user("octocat")))
        try await list("apple", page: 1, client)
        guard environment.isSealed else {
            print(
                "\nThe tour does not create a repository in a real account. "
                    + "To create one, run: swift run Demo create-repo hello")
            return
        }
        print(Table(try await client.createRepo("hello")))
    }
}
