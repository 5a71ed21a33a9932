import Foundation

/// The parsed command line.
struct Arguments {
    /// The route to call; nil for the tour.
    private(set) var route: GitHub?
    /// The mock that answers; nil for the mock with the name of the route's enum case.
    let mock: String?
    /// The environment's name; nil if the environment variable `APP_ENVIRONMENT` contains it.
    let environment: String?

    /// - Parameter words: the words of the command line, without the program's name.
    /// - Returns: nil if the words are not a valid command.
    init?(_ words: [String]) {
        // An option and its value can also be one word, as in `--page=2`. Split such a word into two.
        var words = words.flatMap { word -> [String] in
            word.hasPrefix("--") ? word.split(separator: "=", maxSplits: 1).map(String.init) : [word]
        }
        func value(of option: String) -> String? {
            guard let index = words.firstIndex(of: option), index + 1 < words.count else { return nil }
            defer { words.removeSubrange(index...index + 1) }
            return words[index + 1]
        }
        // Testing is the default, so that the demo runs without a network.
        let variable = ProcessInfo.processInfo.environment["APP_ENVIRONMENT"] ?? ""
        environment = value(of: "--environment") ?? (variable.isEmpty ? "Testing" : nil)
        mock = value(of: "--mock")
        let page = value(of: "--page")
        let isPrivate = words.contains("--private")
        words.removeAll { $0 == "--private" }

        guard words.count <= 2, !words.contains(where: { $0.hasPrefix("-") }) else { return nil }
        switch (words.first, words.dropFirst().first, page, isPrivate) {
        case (nil, nil, nil, false): if mock != nil { return nil }
        case ("user", let login?, nil, false): route = .user(login: login)
        case ("repos", let owner?, _, false):
            guard let page = Int(page ?? "1"), page > 0 else { return nil }
            route = .repos(owner: owner, page: page)
        case ("create-repo", let name?, nil, _): route = .createRepo(name: name, isPrivate: isPrivate)
        case ("download", nil, nil, false): route = .archive(owner: "apple", repository: "swift-argument-parser")
        default: return nil
        }
    }

    static let usage = """
        Calls GitHub's REST API, as an example of Fingerpost.

        Usage: swift run Demo [command] [options]

        Commands:
          user <login>           shows an account
          repos <owner>          lists the public repositories of an account
          create-repo <name>     creates a repository for the owner of the token
          download               downloads an archive into a temporary file, with a bar in a terminal
          (none)                 a tour: pages, an error, a retry, a new token, events, a download

        Options:
          --environment <name>   Testing, Staging or Production: a file in Environments/
          --page <number>        for repos: the page, from 1
          --private              for create-repo: makes the repository private
          --mock <name>          answers from another mock; usr shows what an error says if it is missing
          --help                 shows this help

        Environment variables:
          APP_ENVIRONMENT        the environment without the option; Testing by default
          ENV__GITHUB_TOKEN      sent as a bearer token, never printed

        In Testing, the files in Mocks/ answer and nothing is sent.
        """
}
