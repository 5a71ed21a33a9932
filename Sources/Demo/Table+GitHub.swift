import Foundation

extension Table {
    init(_ user: User) {
        self.init(fields: [
            "Login": user.login,
            "Name": user.name,
            "Type": user.type,
            "Company": user.company,
            "Location": user.location,
            "Bio": user.bio,
            "Public repos": "\(user.publicRepos)",
            "Followers": "\(user.followers)",
            "Following": "\(user.following)",
            "Joined": user.createdAt.day,
            "Page": user.page.absoluteString,
        ])
    }

    init(_ repository: Repository) {
        self.init(fields: [
            "Name": "\(repository.owner.login)/\(repository.name)",
            "Description": repository.description,
            "Visibility": repository.isPrivate ? "private" : "public",
            "Language": repository.language,
            "License": repository.license?.name,
            "Stars": "\(repository.stars)",
            "Forks": "\(repository.forks)",
            "Created": repository.createdAt.day,
            "Pushed": repository.pushedAt?.day,
            "Page": repository.page.absoluteString,
        ])
    }

    init(_ repositories: [Repository]) {
        self.init(
            [
                Column("Name"), Column("Language"), Column("Stars", .right), Column("Forks", .right), Column("Pushed"),
            ],
            rows: repositories.map { repository in
                [
                    repository.name, repository.language ?? "", "\(repository.stars)", "\(repository.forks)",
                    repository.pushedAt?.day ?? "",
                ]
            })
    }
}

extension Date {
    /// The date's day in UTC, such as `2011-01-25`.
    fileprivate var day: String { formatted(.iso8601.year().month().day()) }
}
