import Fingerpost

extension APIClient.Configuration {
    /// Creates the settings that all calls to GitHub share. The plugin generates the properties `timeout` and
    /// `githubToken` from the keys in `Environments/`, so a misspelled property does not compile.
    init(gitHub environment: Environment) {
        self.init()
        self.environment = environment
        timeout = .seconds(environment.timeout)
        authorization = environment.githubToken.map { .bearer($0.reveal()) }
        // https://docs.github.com/rest recommends both headers.
        headers = [.accept: "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"]
    }
}
