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

    /// How many problems a scope reports whose sequence no call used.
    public static func unused() -> Int {
        APIScope().run {
            Mocks.set("user", .sequence([.status(503), .file]))
            return Mocks.takeProblems().count
        }
    }
}
