extension APIEnvironment {
    /// A sealed environment.
    package static func testing() throws -> APIEnvironment {
        try APIEnvironment("Testing", values: ["baseURL": "https://t.invalid"])
    }
}
