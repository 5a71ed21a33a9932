import CallSupport

@testable import Fingerpost

@Suite(.inTurn) struct SecretTests {
    private static let text = "s3cret-value"
    private let secret = Secret(SecretTests.text, key: "analytics.key")

    private struct Holder: Encodable, Sendable {
        var name = "holder"
        var secret: Secret<String>
        var list: [Secret<String>]
    }

    /// Every way to print a value.
    private static func printed(_ value: some Encodable & Sendable) throws -> [String: String] {
        var dumped = ""
        dump(value, to: &dumped)
        let propertyList = PropertyListEncoder()
        propertyList.outputFormat = .xml
        return [
            "interpolation": "\(value)", "description": String(describing: value),
            "reflection": String(reflecting: value),
            "dump": dumped, "mirror": "\(Mirror(reflecting: value).children.map { ($0.label ?? "", $0.value) })",
            "optional": "\(Optional.some(value) as Any)", "list": "\([value])", "dictionary": "\(["k": value])",
            "JSON": String(decoding: try JSONEncoder().encode([value]), as: UTF8.self),
            "property list": String(decoding: try propertyList.encode([value]), as: UTF8.self),
            "error": "\(Wrapped(value: value))",
        ]
    }

    private struct Wrapped: Error { var value: any Encodable & Sendable }

    @Test func `Every way of printing a secret shows its key alone, and secrets are equal if their values are`() throws
    {
        let texts = try Self.printed(secret).filter { $0.key != "mirror" }
        let holders = try Self.printed(Holder(secret: secret, list: [secret]))
        #expect(texts.filter { !$0.value.contains("secret analytics.key") || $0.value.contains("s3cret") } == [:])
        #expect(holders.filter { $0.value.contains("s3cret") } == [:])
        let seen = ("\(secret)", Mirror(reflecting: secret).children.isEmpty, secret.reveal())
        #expect(seen == ("<secret analytics.key>", true, Self.text))
        // Of any type, and equal if their values are.
        let (url, blob) = (Secret(URL(string: "https://u:p@h")!, key: "url"), Secret(Data([1, 2, 3]), key: "blob"))
        let found = "\(Secret(1234, key: "pin")) \(url) \(blob) \(Secret([1, 2], key: "list"))"
        #expect(found == "<secret pin> <secret url> <secret blob> <secret list>")
        #expect(Secret(1, key: "a") == Secret(1, key: "b") && Secret(1, key: "a") != Secret(2, key: "a"))
    }

    private struct Settings: Decodable {
        struct Analytics: Decodable {
            var key: Secret<String>
            var host: String
        }
        var analytics: Analytics
        var pin: Secret<Int>?
        var tags: Secret<[String]>
    }

    private static let declaration = #"""
        {"$secrets": ["analytics.key", "pin", "tags"], "$optional": ["pin"],
        "analytics": {"key": null, "host": "h"}, "pin": null, "tags": null}
        """#
    private static let values = #"{"analytics": {"key": "s3cret-value"}, "pin": 1234, "tags": ["s3cret-tag"]}"#

    private static func environment(_ own: String = "{}", secrets: String? = values) throws -> Environment {
        var files = ["Base-Env.json": declaration, "X-Env.json": own]
        files["X-Secrets.json"] = secrets
        return try EnvironmentFixture(files).environment()
    }

    @Test func `Secrets are read as secrets, alone, in dictionaries and with everything`() throws {
        let environment = try Self.environment()
        let key = try environment.value("analytics.key", as: Secret<String>.self)
        let analytics: Settings.Analytics = try environment.value("analytics")
        let settings = try environment.decode(Settings.self)
        #expect(
            try (
                key.reveal(), analytics.key.reveal(), environment.value("pin", as: Secret<Int>.self).reveal(),
                environment.optionalValue("pin", as: Secret<Double>.self)?.reveal(),
                environment.value("tags", as: Secret<[String]>.self).reveal()
            ) == ("s3cret-value", "s3cret-value", 1234, 1234, ["s3cret-tag"]))
        #expect(
            ("\(key) \(settings.analytics.key) \(settings.tags)", settings.pin?.reveal(), settings.analytics.host) == (
                "<secret analytics.key> <secret analytics.key> <secret tags>", 1234, "h"
            ))
    }

    private struct PlainAnalytics: Decodable { var key: String }
    private struct Plain: Decodable { var analytics: PlainAnalytics }
    private struct Nothing: Decodable { var whatever: String? }

    @Test func `A secret of another type, or read as one, is an error without its value`() throws {
        let environment = try Self.environment()
        let others = try Self.environment(
            secrets: #"{"analytics": {"key": "s3cret-value"}, "pin": 1.5, "tags": "s3cret-tag"}"#)
        let (plain, other) = ("it is a secret. Fix: read it as Secret<", "the secret is not")
        let attempts: [(String, () throws -> Any)] = [
            (plain, { try environment.value("analytics.key", as: String.self) }),
            (plain, { try environment.optionalValue("analytics.key", as: String.self) as Any }),
            (plain, { try environment.value("pin", as: Int.self) }),
            (plain, { try environment.value("tags", as: [String].self) }),
            // In a dictionary, in a type, in all, and as a type that accepts any dictionary.
            (plain, { try environment.value("analytics", as: [String: String].self) }),
            (plain, { try environment.value("analytics", as: PlainAnalytics.self) }),
            (plain, { try environment.decode(Plain.self) }),
            (plain, { try environment.value("analytics.key", as: Nothing.self) }),
            (other, { try others.value("pin", as: Secret<Int>.self) }),
            (other, { try others.value("tags", as: Secret<[Int]>.self) }),
            (other, { try others.value("analytics.key", as: Secret<Date>.self) }),
            (other, { try others.decode(Settings.self) }),
        ]
        for (index, (reason, attempt)) in attempts.enumerated() {
            let text = environmentFailure(attempt)
            let isShown = ["s3cret", "1234", "1.5"].contains { text.contains($0) }
            #expect(text.hasPrefix("wrongType: ") && text.contains(reason) && !isShown, "\(index): \(text)")
        }
    }

    /// A value that cannot be encoded, whose error quotes a secret.
    private struct Leaking: Encodable {
        struct Refused: Error { let text: String }

        let isEncodingError: Bool

        func encode(to encoder: any Encoder) throws {
            if !isEncodingError { throw Refused(text: "s3cret-value") }
            throw EncodingError.invalidValue(
                "s3cret-value", .init(codingPath: encoder.codingPath, debugDescription: "no s3cret-value"))
        }
    }

    /// Values that cannot be encoded, and what their errors say.
    private static let unencodable: [(Parameters, String)] = [
        (["plain": "a", "plain": "s3cret-value"], "String: duplicate parameter \"plain\""),
        (["plain": Leaking(isEncodingError: false)], "Leaking at plain"),
        (["plain": ["a": [Leaking(isEncodingError: true)]]], "String at plain.a[0]"),
        (["plain": Double.infinity], "Double at plain"),
        (Parameters("s3cret-value"), "String: parameters need names: use a struct or a dictionary"),
        (
            ["plain": Date(timeIntervalSince1970: 1e15)],
            "Date at plain: a date outside the years 1 to 9999 cannot be written"
        ),
    ]

    @Test func `A value that cannot be encoded is reported by its type and place`() throws {
        for (values, text) in Self.unencodable {
            let failure = environmentFailure { try Environment("X", values: values) }
            #expect(failure == "invalidFile: the values of the environment \"X\" cannot be encoded: \(text)")
        }
        let environment = try Environment("X", values: ["$secrets": ["plain"], "plain": "a"])
        let settings = [true, false].map { isEncodingError in
            environmentFailure {
                try environment.setting("plain", to: ["b": Leaking(isEncodingError: isEncodingError)])
            }
        }
        #expect(
            settings
                == ["String at plain.b", "Dictionary<String, Leaking> at plain"].map {
                    "invalidFile: the value for \"plain\" cannot be encoded: \($0)"
                })
    }

    @Test func `A sealed environment does not need its secrets`() throws {
        let environment = try Self.environment(#"{"description": "Testing"}"#, secrets: nil)
        func placeholder<Value: Decodable & Sendable>(_ type: Value.Type) throws -> Value {
            try environment.value("analytics.key", as: Secret<Value>.self).reveal()
        }
        // Placeholders exist for every type, so code that reads a secret runs.
        let (text, url) = ("<secret analytics.key>", URL(string: "https://secret.invalid")!)
        #expect(try (placeholder(String.self), placeholder(String?.self), placeholder(Int.self)) == (text, text, 0))
        #expect(
            try (
                placeholder(URL.self), placeholder(URL?.self), placeholder([URL].self),
                placeholder([String: String].self)
            ) == (url, url, [], [:]))
        _ = (try placeholder(Date.self), try placeholder(Data.self))
        #expect(try environment.decode(Settings.self).pin == nil && environment.isSealed)
        // Loading any other environment reports the missing secrets.
        let failures = environmentFailure { try Self.environment(secrets: nil) }.split(separator: "\n")
        #expect(
            failures.count == 2 && failures[0].contains("set the environment variable ENV__ANALYTICS__KEY"),
            "\(failures)")
    }

    /// A secret can be under a name that says nothing.
    @Test func `A client, a route and a response print without the secrets of their environment`() async throws {
        let environment = try Self.environment()
        let secret = try environment.value("analytics.key", as: Secret<String>.self).reveal()
        let route = Route.get("x/\(secret)").header("X-Custom", "a \(secret)")
        var configuration = APIClient.Configuration()
        configuration.baseURL = URL(string: "https://api.example.com/\(secret)")
        configuration.headers["X-Custom"] = secret
        configuration.transport = StubTransport(200, ["X-Custom": secret], "{}")
        func text(of value: Any) -> String {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            return text
        }
        var texts = try await APIScope(environment: environment).run {
            let client = try APIClient(configuration)
            let response = try await client.response(for: route, as: Data.self)
            return [text(of: configuration), text(of: client), text(of: route), text(of: response)]
        }
        configuration.environment = environment
        texts += [text(of: configuration), text(of: try APIClient(configuration))]
        for text in texts { #expect(!text.contains(secret), "\(text)") }
        #expect(texts.contains { $0.contains("<secret analytics.key>") })
    }

    @Test func `A secret that no file lists has any type, and prints as the key it is read by`() throws {
        let nested = try Environment("X", values: ["a": ["token": "s3cret"]])
        let all = try nested.decode([String: [String: Secret<String>]].self)
        let seen = try "\(nested.value("a.token", as: Secret<String>.self)) \(all)"
        #expect(seen == #"<secret a.token> ["a": ["token": <secret a.token>]]"#)
        let environment = try Environment(
            "X", values: ["url": "https://h.example", "date": "2026-01-31", "data": "aGk="])
        func revealed<Value: Decodable & Sendable>(_ key: String) throws -> Value {
            try environment.value(key, as: Secret<Value>.self).reveal()
        }
        #expect(
            try (
                revealed("url"), revealed("data"), revealed("date"),
                environment.decode([String: Secret<String?>].self)["data"]?.reveal()
            ) == (URL(string: "https://h.example"), Data("hi".utf8), Date(timeIntervalSince1970: 1_769_817_600), "aGk=")
        )
    }

    @Test func `The fix for a missing secret fits the environment's origin`() throws {
        let text = #"{"$secrets": ["k"], "k": null}"#
        let folder = try TemporaryFolder(["X-Env.json": text, "x.json": text])
        var failures = ["x.json", "X-Env.json"].map { name in
            environmentFailure { try Environment(contentsOf: folder[name]) }
        }
        try folder.write(Data(#"{"k": "s3cret"}"#.utf8), to: "X-Secrets.json")
        let environment = try Environment.load("X", from: folder.url)
        failures.append(environmentFailure { try environment.setting("k", to: String?.none) })
        #expect(
            failures.map { $0.components(separatedBy: "the secret \"k\" has no value. Fix: ").last } == [
                "give it a value, or list it in \"$optional\"",
                "load the environment by its name, so that its secrets file and ENV__K are read", "give it a value",
            ])
    }

    @Test func `Code and files outside the naming convention may contain secrets`() throws {
        let text = #"{"$secrets": ["key"], "key": "s3cret"}"#
        let folder = try TemporaryFolder(["server.json": text, "X-Env.json": text])
        let environments = try [
            Environment("X", values: ["$secrets": ["key"], "key": "s3cret"]),
            Environment(contentsOf: folder["server.json"]),
        ]
        #expect(
            try environments.map { try $0.value("key", as: Secret<String>.self).reveal() } == ["s3cret", "s3cret"])
        #expect(throws: EnvironmentError.self) { try Environment(contentsOf: folder["X-Env.json"]) }
    }
}
