/// What the demo is asked to do.
enum Command: Equatable {
    /// Everything at once.
    case tour
    case user(login: String)
    case repos(owner: String, page: Int)
    case createRepo(name: String, isPrivate: Bool)
    case help

    static let usage = """
        Asks GitHub's REST API, as an example of Fingerpost.

        Usage: swift run Demo [command] [options]

        Commands:
          user <login>           shows an account
          repos <owner>          lists the public repositories of an account
          create-repo <name>     creates a repository for the owner of the token
          (none)                 shows the routes, and calls each of them

        Options:
          --environment <name>   Testing, Staging or Production: a file of Environments/
          --page <number>        of repos: which page, from 1
          --private              of create-repo: only its owner sees it
          --help                 shows this

        Process variables:
          APP_ENVIRONMENT        the environment when the option is not given; Testing when neither is
          ENV__GITHUB_TOKEN      sent as a bearer token, and never shown

        In Testing, files of Mocks/ answer and nothing is sent.
        """
}
