import Fingerpost

extension APIEnvironment {
    /// A sealed environment.
    static func testing() throws -> APIEnvironment {
        try APIEnvironment("Testing", values: ["baseURL": "https://t.invalid"])
    }
}
