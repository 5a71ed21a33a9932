import Fingerpost

public struct Item: Codable, Sendable {
    public var title: String

    public init(title: String) {
        self.title = title
    }
}

public enum Tasks: Routable {
    case all
    case one(id: Int)

    public var path: RoutePath {
        switch self {
        case .all: "tasks"
        case .one(let id): "tasks/\(id)"
        }
    }
    public var mock: MockName? {
        switch self {
        case .all: "tasks"
        case .one: "task"
        }
    }
    public var responseType: (any (Decodable & Sendable).Type)? {
        switch self {
        case .all: [Item].self
        case .one: Item.self
        }
    }
}

/// Code that ignores the reason of a failure.
public struct Model: Sendable {
    let client = APIClient.shared

    public init() {}

    public func titles() async -> [String] {
        ((try? await client.send(Tasks.all, as: [Item].self)) ?? []).map(\.title)
    }

    public func title(_ id: Int) async -> String? {
        try? await client.send(Tasks.one(id: id), as: Item.self).title
    }
}
