import Fingerpost

/// The endpoints of GitHub's REST API that the demo uses, one per case.
enum GitHub: Routable {
    case user(login: String)
    case repos(owner: String, page: Int)
    case createRepo(name: String, isPrivate: Bool)

    var method: HTTPMethod {
        switch self {
        case .user, .repos: .get
        case .createRepo: .post
        }
    }

    var path: RoutePath {
        switch self {
        case .user(let login): "users/\(login)"
        case .repos(let owner, _): "users/\(owner)/repos"
        case .createRepo: "user/repos"
        }
    }

    var parameters: Parameters? {
        switch self {
        case .user: nil
        case .repos(_, let page): ["page": page, "per_page": 30]
        case .createRepo(let name, let isPrivate): ["name": name, "private": isPrivate]
        }
    }

    var mock: MockName? {
        switch self {
        case .user: .user
        case .repos: .repos
        case .createRepo: .repoCreated
        }
    }
}
