import Fingerpost

/// One method for each endpoint, so that the rest of the app neither names routes nor repeats what they answer with.
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
}
