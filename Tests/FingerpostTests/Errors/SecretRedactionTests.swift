import CallSupport

/// Secrets of an environment in the places of a call that `SecretsNowhereTests` lacks.
@Suite(.inTurn) struct SecretRedactionTests {
    private struct Item: Decodable, Sendable { var id: Int }

    /// Requests that contain a secret. Some cannot be built.
    private static let routes: [@Sendable (String) -> Route] = [
        { .get("items").query("note", ["a": $0]).dialect(.rails) }, { .get("items").header("X-Note", $0 + "\n") },
        { .get("items").header(HTTPHeaders.Name(rawValue: $0 + "\n"), "x") }, { .get("items").named("GET \($0)") },
        { Route(method: HTTPMethod(rawValue: $0 + " "), path: "items") },
    ]

    /// Bodies in which a secret is beside what does not decode.
    private static let bodies: [@Sendable (String) -> any Encodable] = [
        { ["note": $0] }, { ["note": String(repeating: "x", count: 50) + $0] }, { [$0: 1] }, { [$0] },
    ]

    /// No form of the secret, and no half of it, is in a text of an error.
    private static func expectHidden(_ secret: String, in error: APIError) {
        let percent = secret.utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined()
        let forms = [CharacterSet.alphanumerics, .urlPathAllowed, .urlQueryAllowed].map {
            secret.addingPercentEncoding(withAllowedCharacters: $0) ?? percent
        }
        let half = secret.count < 8 ? [] : [String(secret.prefix(secret.count / 2))]
        var text = "\(error) \(String(reflecting: error)) \(error.localizedDescription) \(error.route ?? "")"
        text += " \(error.request ?? "") \(error.fragment ?? "") \(error.codingPath ?? "") \(error.fix ?? "")"
        #expect(([secret] + forms + half).filter { text.contains($0) } == [], "\(text)")
    }

    @Test(arguments: ["s3cret-value", "p@ss wörd/+?&=%", "1234"])
    func `No text of an error contains an environment secret`(secret: String) async throws {
        let environment = try Environment(
            "Live", values: ["$secrets": ["a.key"], "a": ["key": secret], "baseURL": "https://api.example.com"])
        func expectHidden(_ route: Route, _ status: Int, _ body: String) async throws {
            let client = try StubTransport(status, [:], body).client(in: environment)
            Self.expectHidden(secret, in: try await failure { try await client.send(route, as: Item.self) })
        }
        for route in Self.routes { try await expectHidden(route(secret), 500, "") }
        for body in Self.bodies {
            let json = String(decoding: try JSONEncoder().encode(body(secret)), as: UTF8.self)
            try await expectHidden(.get("items"), 200, json)
        }
    }
}
