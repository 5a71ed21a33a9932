import Fingerpost

public struct User: Decodable, Sendable {
    public let login: String
}

public enum Model {
    /// The login of the user, or the error.
    public static func login() async -> String {
        do {
            let client = try APIClient()
            return try await client.send(Route.get("user").mock("user"), as: User.self).login
        } catch {
            return "\(error)"
        }
    }
}
