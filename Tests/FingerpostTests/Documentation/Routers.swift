import Fingerpost
import FingerpostTransfers
import Foundation

// The routers of the README and of the articles. Their conformances are extensions, which must be at the top level.

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

enum Account {
    case logIn(user: String, password: String)
    case setPhoto(Data)
}

nonisolated extension Account: Routable {
    var method: HTTPMethod { .post }
    var path: RoutePath {
        switch self {
        case .logIn: "session"
        case .setPhoto: "me/photo"
        }
    }
    var parameters: Parameters? {
        switch self {
        case .logIn(let user, let password):
            ["user": user, "password": password]
        case .setPhoto: nil
        }
    }
    var encoding: ParameterEncoding? { .form }
    var body: RequestBody? {
        switch self {
        case .logIn: nil
        case .setPhoto(let photo):
            .multipart(
                MultipartForm().data("photo", photo, fileName: "me.png"))
        }
    }
    var authorization: AuthorizationPolicy {
        switch self {
        case .logIn: .none
        case .setPhoto: .required
        }
    }
}

enum Tenants {
    case users
    case logIn(name: String)
}

nonisolated extension Tenants: Routable {
    var method: HTTPMethod {
        if case .logIn = self { .post } else { .get }
    }
    var path: RoutePath {
        if case .logIn = self {
            "login"
        } else {
            "tenants/\(environment: "tenant")/users"
        }
    }
    var parameters: Parameters? {
        if case .logIn(let name) = self {
            ["client_id": .environment("oauth.clientID"), "name": name]
        } else {
            nil
        }
    }
    var headers: HTTPHeaders {
        var headers: HTTPHeaders = [.accept: "application/json"]
        headers.add("X-Api-Key", environment: "oauth.key")
        return headers
    }
}

enum Sessions {
    case logIn(name: String)
    case ping
}

nonisolated extension Sessions: Routable {
    var path: RoutePath { "session" }
    var mock: MockName? {
        switch self {
        case .logIn: "login"
        case .ping: .unmocked
        }
    }
}
