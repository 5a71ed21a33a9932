import Fingerpost
import Foundation

extension Command {
    /// - Returns: false if the tour had a failure, which it has printed.
    func run(_ client: APIClient, in environment: Environment) async throws(APIError) -> Bool {
        switch self {
        case .tour: return await Tour(client: client, environment: environment).run()
        case .user(let login):
            print(Table(try await client.send(GitHub.user(login: login), as: User.self)))
        case .repos(let owner, let page):
            let list = try await client.send(GitHub.repos(owner: owner, page: page), as: [Repository].self)
            print(list.isEmpty ? "No repositories on page \(page)." : "\(Table(list))")
        case .createRepo(let name, let isPrivate):
            let route = GitHub.createRepo(name: name, isPrivate: isPrivate)
            print(Table(try await client.send(route, as: Repository.self)))
        case .download: try await Self.download(client)
        case .help: print(Self.usage)
        }
        return true
    }

    static func download(_ client: APIClient) async throws(APIError) {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("swift-argument-parser.tar.gz")
        let progress = ProgressBar.isUseful ? ProgressBar.show : nil
        do {
            let archive = GitHub.archive(owner: "apple", repository: "swift-argument-parser")
            try await client.download(archive, to: file, progress: progress)
        } catch {
            // The error is not part of the bar's line.
            if progress != nil { print() }
            throw error
        }
        print("Downloaded \(file.path)")
    }
}
