import Fingerpost
import Foundation

/// The endpoints of GitHub's REST API that the demo uses, one per enum case. The mock with the name of an enum case
/// answers the calls of that case: `Mocks/user.json` answers `user`.
enum GitHub {
    case user(login: String)
    case repos(owner: String, page: Int)
    case createRepo(name: String, isPrivate: Bool)
    case archive(owner: String, repository: String)
    case limits
    case notifications
    /// Creates the token of an app that is installed in an account.
    case token(installation: Int)
    /// A stream of events. GitHub has no such stream, so only the mock answers calls of this case.
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

/// A GitHub repository.
struct Repository: Decodable, Sendable {
    let name: String
    let language: String?
    let stargazersCount: Int
    let forksCount: Int
    let htmlUrl: URL
    /// The date of the last push; nil if nothing was ever pushed to the repository.
    let pushedAt: Date?

    static func table(_ repositories: [Repository]) -> String {
        let titles = ["Name", "Language", "Stars", "Forks", "Pushed"]
        let rows = repositories.map {
            [$0.name, $0.language ?? "", "\($0.stargazersCount)", "\($0.forksCount)", $0.pushedAt?.day ?? ""]
        }
        return Terminal.table(titles: titles, rows, numbers: 2..<4)
    }
}

/// A person's or an organization's GitHub account.
struct User: Decodable, Sendable {
    let login: String
    let type: String
    let name: String?
    let company: String?
    let location: String?
    let bio: String?
    let publicRepos: Int
    let followers: Int
    let following: Int
    let htmlUrl: URL
    let createdAt: Date

    var table: String {
        let fields: KeyValuePairs<String, String?> = [
            "Login": login, "Name": name, "Type": type, "Company": company, "Location": location, "Bio": bio,
            "Public repos": "\(publicRepos)", "Followers": "\(followers)", "Following": "\(following)",
            "Joined": createdAt.day, "Page": htmlUrl.absoluteString,
        ]
        return Terminal.table(fields.compactMap { name, value in value.map { [name, $0] } })
    }
}
