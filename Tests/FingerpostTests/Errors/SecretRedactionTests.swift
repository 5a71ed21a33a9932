import CallSupport

@testable import Fingerpost

@Suite(.inTurn) struct SecretRedactionTests {
    private static func environment(
        _ secret: String, network: String = "live", baseURL: String = "https://api.example.com"
    ) throws -> Environment {
        try Environment(
            "Live", values: ["$secrets": ["a.key"], "a": ["key": secret], "baseURL": baseURL, "$network": network])
    }

    /// All texts of an error.
    private static func texts(of error: APIError) -> [String] {
        [
            error.description, error.message, error.fix, error.route, error.environment, error.request,
            error.serverMessage,
            error.codingPath, error.fragment, error.errorDescription, error.recoverySuggestion,
            error.localizedDescription,
            String(reflecting: error),
        ].compactMap { $0 }
    }

    /// The forms of a secret that must not be shown.
    private static func forms(of secret: String) -> [String] {
        let percent = secret.utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined()
        return [
            secret,
            secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? percent,
            secret.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? percent,
            secret.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? percent,
        ]
    }

    private static let secrets = ["s3cret-value", "p@ss wörd/+?&=%", "1234"]

    private static func expectHidden(_ secret: String, in error: APIError?) {
        guard let error else { return }
        for text in texts(of: error) {
            for form in forms(of: secret) { #expect(!text.contains(form), "\(form) in \(text)") }
            // Half of a secret must not be shown either.
            #expect(!text.contains(secret.prefix(max(4, secret.count / 2))) || secret.count < 8, "\(text)")
        }
    }

    /// A call whose error would contain the secret.
    private struct Leak: CustomTestStringConvertible {
        let testDescription: String
        let route: @Sendable (String) -> Route
        let answer: @Sendable (String) throws -> (Int, String)

        init(
            _ name: String, route: @escaping @Sendable (String) -> Route = { _ in .get("items") },
            answer: @escaping @Sendable (String) throws -> (Int, String) = { _ in (500, "") }
        ) {
            testDescription = name
            self.route = route
            self.answer = answer
        }
    }

    private struct Refused: Error, CustomStringConvertible {
        var description: String
    }

    private struct Item: Decodable, Sendable {
        var id: Int
    }

    private static func json(_ value: some Encodable) -> String {
        String(decoding: (try? JSONEncoder().encode(value)) ?? Data(), as: UTF8.self)
    }

    private static let leaks = [
        Leak("in the query of Rails", route: { Route.get("items").query("note", ["a": $0]).dialect(.rails) }),
        Leak("in a header that is rejected", route: { .get("items").header("X-Note", $0 + "\n") }),
        Leak("in a name of a header", route: { .get("items").header(HTTPHeaders.Name(rawValue: $0 + "\n"), "x") }),
        Leak("in the method", route: { Route(method: HTTPMethod(rawValue: $0 + " "), path: "items") }),
        Leak("in the name of the route", route: { Route.get("items").named("GET \($0)") }),
        Leak("in a value next to one that does not decode", answer: { (200, json(["note": $0])) }),
        Leak(
            "in a long value next to one that does not decode",
            answer: {
                (200, json(["note": String(repeating: "x", count: 50) + $0]))
            }),
        Leak("in a key next to one that does not decode", answer: { (200, json([$0: 1])) }),
        Leak("in a list in the place of an object", answer: { (200, json([$0])) }),
    ]

    @Test(arguments: secrets, leaks)
    private func `No text of an error contains an environment secret`(secret: String, leak: Leak) async throws {
        var configuration = APIClient.Configuration()
        configuration.environment = try Self.environment(secret)
        configuration.transport = StubTransport { _, _ in
            let (status, body) = try leak.answer(secret)
            return (status, [:], body)
        }
        let client = try APIClient(configuration)
        let error = await #expect(throws: APIError.self) { try await client.send(leak.route(secret), as: Item.self) }
        Self.expectHidden(secret, in: error)
    }
}
