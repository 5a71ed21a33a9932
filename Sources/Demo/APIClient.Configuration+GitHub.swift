import Fingerpost

extension APIClient.Configuration {
    /// What every call to GitHub has in common. The plugin made the properties `timeout` and `githubToken` from the keys of
    /// `Environments/`: a slip here does not compile.
    init(gitHub environment: Environment) {
        self.init()
        self.environment = environment
        timeout = .seconds(environment.timeout)
        authorization = environment.githubToken.map { .bearer($0.reveal()) }
        // As https://docs.github.com/rest recommends.
        headers = [.accept: "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"]
    }
}
