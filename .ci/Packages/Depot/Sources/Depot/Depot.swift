public import Fingerpost

public struct User: Decodable, Sendable {
    public var id: Int
    public var plan: String
}

public struct Item: Decodable, Sendable {
    public var id: Int
    public var name: String?
}

public enum Depot: Routable {
    case me
    case items(page: Int)
    case item(id: Int)
    case news
    case create(name: String)
    case delete(id: Int)

    public var method: HTTPMethod {
        switch self {
        case .create: .post
        case .delete: .delete
        default: .get
        }
    }

    public var path: RoutePath {
        switch self {
        case .me: "me"
        case .items, .create: "items"
        case .item(let id), .delete(let id): "items/\(id)"
        case .news: "news"
        }
    }

    public var parameters: Parameters? {
        switch self {
        case .items(let page): ["page": page]
        case .create(let name): ["name": name]
        default: nil
        }
    }
}
