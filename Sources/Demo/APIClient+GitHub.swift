import Fingerpost
import Foundation

/// The client has one method per endpoint, so that the rest of the demo needs neither the routes nor their response
/// types.
extension APIClient {
    func user(_ login: String) async throws(APIError) -> User {
        try await send(GitHub.user(login: login))
    }

    func repos(of owner: String, page: Int = 1) async throws(APIError) -> [Repository] {
        try await send(GitHub.repos(owner: owner, page: page))
    }

    func createRepo(_ name: String, isPrivate: Bool = false) async throws(APIError) -> Repository {
        try await send(GitHub.createRepo(name: name, isPrivate: isPrivate))
    }

    func downloadArchive(
        of repository: String, by owner: String, to file: URL, progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws(APIError) {
        try await download(GitHub.archive(owner: owner, repository: repository), to: file, progress: progress)
    }
}
