import Fingerpost

/// The endpoints of GitHub's REST API that the demo uses, one per case. Each case is answered from the mock with its
/// name: `Mocks/user.json`, `Mocks/repos.json`, `Mocks/createRepo.json`. An archive is not JSON, so the name of its mock
/// has an extension: `Mocks/archive.tar.gz`.
enum GitHub: Routable {
    case user(login: String)
    case repos(owner: String, page: Int)
    case createRepo(name: String, isPrivate: Bool)
    case archive(owner: String, repository: String)

    var method: HTTPMethod {
        switch self {
        case .user, .repos, .archive: .get
        case .createRepo: .post
        }
    }

    var path: RoutePath {
        switch self {
        case .user(let login): "users/\(login)"
        case .repos(let owner, _): "users/\(owner)/repos"
        case .createRepo: "user/repos"
        case .archive(let owner, let repository): "repos/\(owner)/\(repository)/tarball"
        }
    }

    var parameters: Parameters? {
        switch self {
        case .user, .archive: nil
        case .repos(_, let page): ["page": page, "per_page": 30]
        case .createRepo(let name, let isPrivate): ["name": name, "private": isPrivate]
        }
    }

    var mock: MockName? {
        if case .archive = self { "archive.tar.gz" } else { nil }
    }
}
