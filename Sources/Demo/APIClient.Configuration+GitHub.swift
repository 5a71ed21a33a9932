import Fingerpost

extension APIClient.Configuration {
    /// What every call to GitHub has in common.
    ///
    /// - Throws: `EnvironmentError` when the environment has no usable `timeout`.
    init(gitHub environment: Environment) throws(EnvironmentError) {
        self.init()
        self.environment = environment
        timeout = try environment.timeout
        // As https://docs.github.com/rest recommends.
        headers = [.accept: "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"]
    }
}
