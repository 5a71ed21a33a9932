import Foundation

/// A person's or an organization's GitHub account.
struct User: Decodable, Sendable {
    let login: String
    let id: Int
    let type: String
    let name: String?
    let company: String?
    let location: String?
    let bio: String?
    let publicRepos: Int
    let followers: Int
    let following: Int
    let page: URL
    let createdAt: Date

    private enum CodingKeys: String, CodingKey {
        case login, id, type, name, company, location, bio, followers, following
        case publicRepos = "public_repos"
        case page = "html_url"
        case createdAt = "created_at"
    }
}
