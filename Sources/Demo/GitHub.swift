import Fingerpost

/// The endpoints of GitHub's REST API that the demo uses, one per case. Each case is answered from the mock with its
/// name: `Mocks/user.json`, `Mocks/repos.json`.
enum GitHub {
    case user(login: String)
    case repos(owner: String, page: Int)
    case createRepo(name: String, isPrivate: Bool)
    case archive(owner: String, repository: String)
    case limits
    case notifications
    /// Creates the token of an app that is installed in an account.
    case token(installation: Int)
    /// A stream of events. GitHub has none, so only the mock answers it.
    case activity
}

nonisolated extension GitHub: Routable {
    var method: HTTPMethod {
        switch self {
        case .createRepo, .token: .post
        default: .get
        }
    }

    var path: RoutePath {
        switch self {
        case .user(let login): "users/\(login)"
        case .repos(let owner, _): "users/\(owner)/repos"
        case .createRepo: "user/repos"
        case .archive(let owner, let repository): "repos/\(owner)/\(repository)/tarball"
        case .limits: "rate_limit"
        case .notifications: "notifications"
        case .token(let installation): "app/installations/\(installation)/access_tokens"
        case .activity: "activity"
        }
    }

    var parameters: Parameters? {
        switch self {
        case .repos(_, let page): ["page": page, "per_page": 30]
        case .createRepo(let name, let isPrivate): ["name": name, "private": isPrivate]
        default: nil
        }
    }

    /// An archive is not JSON, so the name of its mock has an extension.
    var mock: MockName? {
        if case .archive = self { "archive.tar.gz" } else { nil }
    }
}
