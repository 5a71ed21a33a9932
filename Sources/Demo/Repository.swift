import Foundation

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
