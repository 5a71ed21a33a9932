import CallSupport
import FingerpostFiles
import Foundation
import TestSupport
import Testing

@testable import Fingerpost

@Suite struct SecretRedactionTests {
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
        let bytes = Data(secret.utf8)
        let percent = secret.utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined()
        return [
            secret, bytes.base64EncodedString(), bytes.base64EncodedString().replacingOccurrences(of: "=", with: ""),
            secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? percent,
            secret.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? percent,
            secret.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? percent,
        ]
            + ["u", "us", "use"].map { Data("\($0):\(secret)".utf8).base64EncodedString() }
            + ["u", "us", "use"].map { Data("\($0):\(secret):more".utf8).base64EncodedString() }
    }

    private static let secrets = [
        "s3cret-value", "p@ss wörd/+?&=%", "quote\"d\\back", "-----BEGIN KEY-----\nQUJD\n-----END KEY-----", "1234",
        String(repeating: "longTokenPart.", count: 20), "日本語のひみつ",
    ]

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
        Leak("in the path", route: { .get("items/\($0)") }),
        Leak("in the query", route: { .get("items").query("note", $0) }),
        Leak("in the query of Rails", route: { Route.get("items").query("note", ["a": $0]).dialect(.rails) }),
        Leak(
            "in a header", route: { .get("items").header("X-Note", $0.replacingOccurrences(of: "\n", with: " ")) },
            answer: {
                (400, json(["message": "bad note: \($0)"]))
            }),
        Leak("in a header that is rejected", route: { .get("items").header("X-Note", $0 + "\n") }),
        Leak("in a name of a header", route: { .get("items").header(HTTPHeaders.Name(rawValue: $0 + "\n"), "x") }),
        Leak("in the method", route: { Route(method: HTTPMethod(rawValue: $0 + " "), path: "items") }),
        Leak("in the name of the route", route: { Route.get("items").named("GET \($0)") }),
        Leak("in the message of the server", answer: { (400, json(["message": "no such key: \($0)"])) }),
        Leak(
            "in base64 in the message of the server",
            answer: {
                (401, json(["message": "bad credentials: Basic \(Data("user:\($0)".utf8).base64EncodedString())"]))
            }),
        Leak(
            "in base64 for URLs in the message of the server",
            answer: {
                let text = Data("\($0)".utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
                    .replacingOccurrences(of: "/", with: "_")
                return (401, json(["message": "bad state https://h.example/x/\(text)/y"]))
            }),
        Leak("in a value that does not decode", answer: { (200, json(["id": $0])) }),
        Leak("in a value next to one that does not decode", answer: { (200, json(["note": $0])) }),
        Leak(
            "in a long value next to one that does not decode",
            answer: {
                (200, json(["note": String(repeating: "x", count: 50) + $0]))
            }),
        Leak("in a key next to one that does not decode", answer: { (200, json([$0: 1])) }),
        Leak("in a list in the place of an object", answer: { (200, json([$0])) }),
        Leak("in the error of a transport", answer: { throw Refused(description: "cannot connect with \($0)") }),
        Leak(
            "in the error of the system",
            answer: {
                throw URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: "failed at \($0)"])
            }),
    ]

    @Test(.heavy, arguments: secrets, leaks)
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

    @Test func `Secrets in middleware, validation, wrappers and mocks do not leak into errors`() async throws {
        let secret = "s3cret-value"
        var configuration = APIClient.Configuration()
        func expectHidden(_ route: Route) async {
            Self.expectHidden(
                secret, in: await #expect(throws: APIError.self) { try await APIClient(configuration).send(route) })
        }
        configuration.environment = try Self.environment(secret)
        configuration.transport = StubTransport(200, [:], "{}")
        configuration.validate = { _, _ in throw Refused(description: "refused \(secret)") }
        await expectHidden(Route.get("x"))
        configuration.validate = nil
        configuration.configure = { _, _ in throw Refused(description: "refused \(secret)") }
        await expectHidden(Route.get("x"))
        configuration.environment = try Self.environment(secret, network: "sealed")
        configuration.configure = nil
        await expectHidden(Route.get("x").mock(MockName(rawValue: secret)))
        configuration.environment = try Self.environment(secret)
        configuration.baseURL = URL(string: "ftp://nothing-\(secret)")
        await expectHidden(Route.get("x"))
    }

    private static let redactions: [(String, String)] = [
        ("no secret here", "no secret here"),
        ("key=abcd1234&x", "key=<secret a.key>&x"),
        ("abcd1234abcd1234", "<secret a.key><secret a.key>"),
        ("Basic dXNlcjphYmNkMTIzNA== x", "Basic <secret a.key> x"),
        ("https://h.example/YWJjZDEyMzQ/x", "https://h.example/<secret a.key>/x"),
        ("ABCD1234", "ABCD1234"), ("", ""),
        ("é abcd1234 é", "é <secret a.key> é"),
    ]

    @Test(arguments: redactions) func `A secret is replaced by its key`(text: String, redacted: String) throws {
        #expect(SecretRedactor(try Self.environment("abcd1234")).redact(text) == redacted)
    }

    @Test func `Overlapping secrets are hidden completely`() throws {
        let environment = try Environment(
            "X", values: ["$secrets": ["a", "b", "c"], "a": "secret", "b": "my secret key", "c": "key value"])
        let redactor = SecretRedactor(environment)
        #expect(redactor.redact("x secret y") == "x <secret a> y")
        #expect(redactor.redact("my secret key") == "<secret b>")
        #expect(redactor.redact("my secret key value.") == "<secret b>.")
    }

    /// Numbers, data and lists are hidden too. Texts of less than four bytes would match in every other word.
    @Test func `Secrets of any type are hidden, and very short ones are not`() throws {
        let values: Parameters = [
            "$secrets": ["pin", "list", "short", "flag"], "pin": 90125, "list": ["first-one", "second-one"],
            "short": "abc",
            "flag": true,
        ]
        let redactor = SecretRedactor(try Environment("X", values: values))
        #expect(
            redactor.redact("90125 first-one second-one abc true")
                == "<secret pin> <secret list> <secret list> abc true")
    }

    @Test func `A number is hidden with its digits in groups too`() throws {
        let environment = try Environment("X", values: ["$secrets": ["pin"], "pin": 90_717_351])
        let redactor = SecretRedactor(environment)
        for text in ["90717351", "90,717,351", "90.717.351", "90_717_351", "90 717 351", "90\u{202F}717\u{202F}351"] {
            #expect(redactor.redact("pin \(text).") == "pin <secret pin>.", "\(text)")
        }
        #expect(redactor.redact("907,173,51") == "907,173,51")
    }

    @Test func `Text does not change without secrets`() throws {
        let redactor = SecretRedactor(try Environment("X", values: ["key": "value"]))
        #expect(redactor.redact("key value") == "key value")
    }

    @Test(
        .heavy, .timeLimit(.minutes(5)),
        arguments: [
            (String(repeating: "a", count: 20_000) + "b", "a", false),
            (String(repeating: "ab", count: 10_000) + "b", "ab", false),
            (String(repeating: "a", count: 20_000), "a", true),
        ])
    func `A secret that repeats itself is searched for in time`(secret: String, part: String, isEverywhere: Bool) {
        let redactor = SecretRedactor(secrets: [("key", secret)])
        let almost = String(repeating: part, count: 150_000)
        let text = redactor.redact(almost + secret + "." + almost)
        // The texts are compared only for equality, because searching in them takes long too.
        let isRedacted = text == (isEverywhere ? "<secret key>.<secret key>" : almost + "<secret key>." + almost)
        #expect(isRedacted)
    }

    @Test(.heavy) func `A long secret is found wherever it starts`() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            // Few letters, so that the secret and the text repeat themselves.
            let letters = { (count: Int) in String((0..<count).map { _ in "ab".randomElement(using: &random) ?? "a" }) }
            let period = letters(.random(in: 1...6, using: &random))
            let secret =
                String(String(repeating: period, count: 80).prefix(.random(in: 65...80, using: &random))) + letters(2)
            let text = letters(20) + String(secret.prefix(70)) + secret + letters(3) + secret.dropFirst(6) + secret
            var expected: [Range<Int>] = []
            let (bytes, form) = (Array(text.utf8), Array(secret.utf8))
            for start in 0...(bytes.count - form.count) where bytes[start...].starts(with: form) {
                let range = start..<(start + form.count)
                if let last = expected.last, range.lowerBound < last.upperBound {
                    expected[expected.count - 1] = last.lowerBound..<range.upperBound
                } else {
                    expected.append(range)
                }
            }
            #expect(SecretRedactor(secrets: [("key", secret)]).matches(in: bytes).map(\.range) == expected)
        }
    }
}
