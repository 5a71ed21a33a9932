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

    @Test func `Every way of printing a secret shows its key`() throws {
        for (way, text) in try Self.printed(secret) where way != "mirror" {
            #expect(text.contains("secret analytics.key") && !text.contains("s3cret"), "\(way): \(text)")
        }
        for (way, text) in try Self.printed(Holder(secret: secret, list: [secret])) {
            #expect(!text.contains("s3cret"), "\(way): \(text)")
        }
        #expect(
            ("\(secret)", Mirror(reflecting: secret).children.isEmpty, secret.reveal()) == (
                "<secret analytics.key>", true, Self.text
            ))
    }

    @Test func `Secrets of any type are hidden, and equal if their values are`() throws {
        let (url, blob) = (try #require(URL(string: "https://u:p@h")), Data([1, 2, 3]))
        #expect("\(Secret(1234, key: "pin")) \(Secret(url, key: "url"))" == "<secret pin> <secret url>")
        #expect("\(Secret(blob, key: "blob")) \(Secret([1, 2], key: "list"))" == "<secret blob> <secret list>")
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
        #expect((key.reveal(), "\(key)") == ("s3cret-value", "<secret analytics.key>"))
        let pin = try environment.value("pin", as: Secret<Int>.self).reveal()
        #expect(try (pin, environment.optionalValue("pin", as: Secret<Double>.self)?.reveal()) == (1234, 1234))
        let (analytics, settings) =
            try (environment.value("analytics"), environment.decode(Settings.self))
            as (Settings.Analytics, Settings)
        let tags = try environment.value("tags", as: Secret<[String]>.self).reveal()
        #expect((analytics.key.reveal(), tags) == ("s3cret-value", ["s3cret-tag"]))
        #expect("\(settings.analytics.key) \(settings.tags)" == "<secret analytics.key> <secret tags>")
        #expect(settings.pin?.reveal() == 1234 && settings.analytics.host == "h")
    }

    private struct PlainAnalytics: Decodable { var key: String }
    private struct Plain: Decodable { var analytics: PlainAnalytics }
    private struct Nothing: Decodable { var whatever: String? }

    @Test func `A secret cannot be read as another type`() throws {
        let environment = try Self.environment()
        let attempts: [(String, () throws -> Any)] = [
            ("text", { try environment.value("analytics.key", as: String.self) }),
            ("optional", { try environment.optionalValue("analytics.key", as: String.self) as Any }),
            ("number", { try environment.value("pin", as: Int.self) }),
            ("list", { try environment.value("tags", as: [String].self) }),
            ("in a dictionary", { try environment.value("analytics", as: [String: String].self) }),
            ("in a type", { try environment.value("analytics", as: PlainAnalytics.self) }),
            ("in all", { try environment.decode(Plain.self) }),
            ("as a type that accepts any dictionary", { try environment.value("analytics.key", as: Nothing.self) }),
        ]
        for (name, attempt) in attempts {
            let error = #expect(throws: EnvironmentError.self, "\(name)") { _ = try attempt() }
            let text = error?.description ?? ""
            let isNamed = error?.kind == .wrongType && text.contains("it is a secret. Fix: read it as Secret<")
            #expect(isNamed && !text.contains("s3cret") && !text.contains("1234"), "\(name): \(text)")
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

    @Test(arguments: unencodable)
    func `A value that cannot be encoded is reported by its type and place`(values: Parameters, text: String) throws {
        let error = #expect(throws: EnvironmentError.self) { try Environment("X", values: values) }
        #expect(error?.description == "the values of the environment \"X\" cannot be encoded: \(text)")
    }

    @Test(arguments: [false, true])
    func `A setting that cannot be encoded is reported by its type and place`(isEncodingError: Bool) throws {
        let environment = try Environment("X", values: ["$secrets": ["plain"], "plain": "a"])
        let error = #expect(throws: EnvironmentError.self) {
            try environment.setting("plain", to: ["b": Leaking(isEncodingError: isEncodingError)])
        }
        let text = isEncodingError ? "String at plain.b" : "Dictionary<String, Leaking> at plain"
        #expect(error?.description == "the value for \"plain\" cannot be encoded: \(text)")
    }

    @Test func `A secret of the wrong type is reported without its value`() throws {
        let environment = try Self.environment(
            secrets: #"{"analytics": {"key": "s3cret-value"}, "pin": 1.5, "tags": "s3cret-tag"}"#)
        for attempt in [
            { try environment.value("pin", as: Secret<Int>.self) },
            { try environment.value("tags", as: Secret<[Int]>.self) },
            { try environment.value("analytics.key", as: Secret<Date>.self) },
            { try environment.decode(Settings.self) },
        ] as [() throws -> Any] {
            let error = #expect(throws: EnvironmentError.self) { _ = try attempt() }
            let text = error?.description ?? ""
            #expect(text.contains("the secret is not") && !text.contains("s3cret") && !text.contains("1.5"), "\(text)")
        }
    }

    @Test func `A sealed environment does not need its secrets`() throws {
        let environment = try Self.environment(#"{"description": "Testing"}"#, secrets: nil)
        func placeholder<Value: Decodable & Sendable>(_ type: Value.Type) throws -> Value {
            try environment.value("analytics.key", as: Secret<Value>.self).reveal()
        }
        // Placeholders exist for every type, so code that reads a secret runs.
        let (text, url) = ("<secret analytics.key>", try #require(URL(string: "https://secret.invalid")))
        #expect(try (placeholder(String.self), placeholder(String?.self)) == (text, text))
        #expect(try (placeholder(URL.self), placeholder(URL?.self), placeholder(Int.self)) == (url, url, 0))
        #expect(try (placeholder([URL].self), placeholder([String: String].self)) == ([], [:]))
        _ = (try placeholder(Date.self), try placeholder(Data.self))
        #expect(try environment.decode(Settings.self).pin == nil && environment.isSealed)
        // Loading any other environment reports the missing secret.
        let error = #expect(throws: EnvironmentError.self) { try Self.environment(secrets: nil) }
        let isNamed = error?.description.contains("set the environment variable ENV__ANALYTICS__KEY")
        #expect((error?.problems.count, isNamed) == (2, true))
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
        #expect("\(try nested.value("a.token", as: Secret<String>.self))" == "<secret a.token>")
        #expect("\(try nested.decode([String: [String: Secret<String>]].self))".contains("<secret a.token>"))
        let environment = try Environment(
            "X", values: ["url": "https://h.example", "date": "2026-01-31", "data": "aGk="])
        func revealed<Value: Decodable & Sendable>(_ key: String) throws -> Value {
            try environment.value(key, as: Secret<Value>.self).reveal()
        }
        #expect(try (revealed("url"), revealed("data")) == (URL(string: "https://h.example"), Data("hi".utf8)))
        #expect(try revealed("date") == Date(timeIntervalSince1970: 1_769_817_600))
        #expect(try environment.decode([String: Secret<String?>].self)["data"]?.reveal() == "aGk=")
    }

    @Test func `The fix for a missing secret fits the environment's origin`() throws {
        func fix(_ make: () throws -> Environment) -> String? {
            #expect(throws: EnvironmentError.self) { _ = try make() }?.description
                .components(separatedBy: "the secret \"k\" has no value. Fix: ").last
        }
        let text = #"{"$secrets": ["k"], "k": null}"#
        let folder = try TemporaryFolder(["X-Env.json": text, "x.json": text])
        #expect(fix { try Environment(contentsOf: folder["x.json"]) } == "give it a value, or list it in \"$optional\"")
        #expect(
            fix { try Environment(contentsOf: folder["X-Env.json"]) }
                == "load the environment by its name, so that its secrets file and ENV__K are read")
        try folder.write(Data(#"{"k": "s3cret"}"#.utf8), to: "X-Secrets.json")
        let environment = try Environment.load("X", from: folder.url)
        #expect(fix { try environment.setting("k", to: String?.none) } == "give it a value")
    }

    @Test func `Code and files outside the naming convention may contain secrets`() throws {
        let environment = try Environment("X", values: ["$secrets": ["key"], "key": "s3cret"])
        #expect(try environment.value("key", as: Secret<String>.self).reveal() == "s3cret")
        let folder = try TemporaryFolder(["server.json": #"{"$secrets": ["key"], "key": "s3cret"}"#])
        let file = try Environment(contentsOf: folder["server.json"])
        #expect(try file.value("key", as: Secret<String>.self).reveal() == "s3cret")
        try folder.write(Data(#"{"$secrets": ["key"], "key": "s3cret"}"#.utf8), to: "X-Env.json")
        #expect(throws: EnvironmentError.self) { try Environment(contentsOf: folder["X-Env.json"]) }
    }
}
