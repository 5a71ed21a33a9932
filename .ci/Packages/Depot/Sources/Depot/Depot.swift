public import Fingerpost

public struct User: Decodable, Sendable {
    public var id: Int
    public var plan: String?
}

public struct Item: Decodable, Sendable {
    public var id: Int
    public var name: String?
}

public struct Token: Decodable, Sendable {
    public var text: String
}

public enum Depot: Routable {
    case token
    case me
    case items(page: Int)
    case create(name: String)
    case delete(id: Int)

    public var method: HTTPMethod {
        switch self {
        case .token, .create: .post
        case .delete: .delete
        default: .get
        }
    }

    public var path: RoutePath {
        switch self {
        case .token: "token"
        case .me: "me"
        case .items, .create: "items"
        case .delete(let id): "items/\(id)"
        }
    }

    public var parameters: Parameters? {
        switch self {
        case .items(let page): ["page": page]
        case .create(let name): ["name": name]
        default: nil
        }
    }

    public var responseType: (any (Decodable & Sendable).Type)? {
        switch self {
        case .token: Token.self
        case .me: User.self
        case .items: [Item].self
        case .create: Item.self
        case .delete: nil
        }
    }

    /// A client whose token comes by POST.
    public static func client() throws -> APIClient {
        let login = try APIClient()
        return try APIClient {
            $0.authorization = .clientCredentials {
                let token: Token = try await login.send(Depot.token)
                return ExpiringToken(token.text, expiresIn: .seconds(600))
            }
        }
    }
}
