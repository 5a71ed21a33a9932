import Fingerpost

// The router of many samples. Its conformance is an extension, which must be at the top level.

enum GitHub {
    case user(login: String)
    case repos(owner: String, page: Int)
}

nonisolated extension GitHub: Routable {
    var path: RoutePath {
        switch self {
        case .user(let login): "users/\(login)"
        case .repos(let owner, _): "users/\(owner)/repos"
        }
    }
    var parameters: Parameters? {
        switch self {
        case .user: nil
        case .repos(_, let page): ["page": page, "per_page": 100]
        }
    }
}
