import Fingerpost

enum GitHub {
    case user(login: String)
}

nonisolated extension GitHub: Routable {
    var path: RoutePath {
        switch self {
        case .user(let login): "users/\(login)"
        }
    }
    // The constant is written by the plugin, from Mocks/user.json.
    var mock: MockName? { .user }
}

nonisolated struct User: Decodable, Sendable {
    var name: String
}
