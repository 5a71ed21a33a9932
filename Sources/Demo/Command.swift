/// A command of the demo.
enum Command: Equatable {
    /// Shows what the library is about: see ``Tour``.
    case tour
    case user(login: String)
    case repos(owner: String, page: Int)
    case createRepo(name: String, isPrivate: Bool)
    /// Downloads the archive of a repository, and shows the progress.
    case download
    case help

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
          --help                 shows this help

        Process variables:
          APP_ENVIRONMENT        the environment without the option; Testing by default
          ENV__GITHUB_TOKEN      sent as a bearer token, never printed

        In Testing, the files in Mocks/ answer and nothing is sent.
        """
}
