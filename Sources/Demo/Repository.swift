import Foundation

/// A GitHub repository.
struct Repository: Decodable, Sendable {
    /// The account that owns a repository, with fewer fields than ``User``.
    struct Owner: Decodable, Sendable {
        let login: String
    }

    /// The license that GitHub detected in a repository.
    struct License: Decodable, Sendable {
        let name: String
    }

    let id: Int
    let name: String
    let owner: Owner
    let isPrivate: Bool
    let description: String?
    let language: String?
    let license: License?
    let stars: Int
    let forks: Int
    let page: URL
    let createdAt: Date
    /// The date of the last push; nil if nothing was ever pushed to the repository.
    let pushedAt: Date?

    private enum CodingKeys: String, CodingKey {
        case id, name, owner, description, language, license
        case isPrivate = "private"
        case stars = "stargazers_count"
        case forks = "forks_count"
        case page = "html_url"
        case createdAt = "created_at"
        case pushedAt = "pushed_at"
    }
}
