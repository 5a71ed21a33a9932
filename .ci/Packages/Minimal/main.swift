import Fingerpost

struct User: Decodable, Sendable {
    let id: Int
    let login: String
}

struct Note: Codable, Sendable {
    let title: String
    let text: String
}

enum Notes: Routable {
    case user(login: String)
    case notes(page: Int)
    case add(Note)

    var method: HTTPMethod {
        switch self {
        case .user, .notes: .get
        case .add: .post
        }
    }

    var path: RoutePath {
        switch self {
        case .user(let login): "users/\(login)"
        case .notes, .add: "notes"
        }
    }

    var parameters: Parameters? {
        switch self {
        case .user: nil
        case .notes(let page): ["page": page]
        case .add(let note): ["title": note.title, "text": note.text]
        }
    }

    var mock: MockName? {
        switch self {
        case .user: "user"
        case .notes: "notes"
        case .add: nil
        }
    }
}

let client = try APIClient()
print(try await client.send(Notes.user(login: "octocat"), as: User.self).login)
try await client.send(Notes.add(Note(title: "a", text: "b")))
