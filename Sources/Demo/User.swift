import Foundation

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
