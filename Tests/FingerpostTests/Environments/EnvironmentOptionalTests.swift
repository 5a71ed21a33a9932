import TestSupport

@testable import Fingerpost

/// Values of an environment that are read as optional types.
@Suite(.inTurn) struct EnvironmentOptionalTests {
    private struct Server: Decodable, Equatable { var host: String }

    private enum Level: String, Decodable {
        case low
    }

    private let environment: Environment

    init() throws {
        let text = """
            {"text": "a", "number": 7, "half": 0.5, "flag": true, "url": "https://x.example", "list": [1, 2], "urls": ["https://a.example"],
             "server": {"host": "h"}, "$optional": ["nothing"], "level": "low", "date": "2026-01-31T10:00:00Z", "nothing": null,
             "$secrets": ["key"], "key": null}
            """
        let folder = try TemporaryFolder(["X-Env.json": text, "X-Secrets.json": #"{"key": "s3cret"}"#])
        environment = try Environment.load("X", from: folder.url)
    }

    /// The ways to read a value as this type that do not give it, or give one where there is none.
    private func mistakes<Value: Decodable & Equatable>(_ key: String, _ expected: Value) throws -> [String] {
        let inferred: Value? = try environment.value(key)
        let values: [(String, Value?)] = [
            ("inferred", inferred), ("Value?", try environment.value(key, as: Value?.self)),
            ("Value", try environment.value(key, as: Value.self)),
            ("Value??", try environment.value(key, as: Value??.self) ?? nil),
            ("optional Value", try environment.optionalValue(key, as: Value.self)),
            ("optional Value?", try environment.optionalValue(key, as: Value?.self) ?? nil),
        ]
        let none: [(String, Value?)] = [
            ("null", try environment.value("nothing", as: Value?.self)),
            ("optional null", try environment.optionalValue("nothing", as: Value.self)),
        ]
        let missing = environmentFailure { try environment.value("gone", as: Value?.self) }
        let isGone = try environment.optionalValue("gone", as: Value?.self) == nil
        return (values.filter { $0.1 != expected } + none.filter { $0.1 != nil }).map { "\(key): \($0)" }
            + (missing.hasPrefix("missingKey: ") ? [] : ["\(key): \(missing)"])
            + (isGone ? [] : ["\(key): the optional value of a missing key"])
    }

    @Test func `A value that exists is not nil`() throws {
        let all = try [
            mistakes("text", "a"), mistakes("number", 7), mistakes("number", Int64(7)), mistakes("half", 0.5),
            mistakes("number", 7.0), mistakes("flag", true), mistakes("url", URL(string: "https://x.example")!),
            mistakes("list", [1, 2]), mistakes("list", [Int?.some(1), 2]),
            mistakes("urls", [URL(string: "https://a.example")]), mistakes("server", Server(host: "h")),
            mistakes("level", Level.low), mistakes("date", Date(timeIntervalSince1970: 1_769_853_600)),
        ].flatMap { $0 }
        #expect(all == [])
        let secret: Secret<String>? = try environment.value("key")
        let seen = try (
            secret?.reveal(), "\(secret as Any)", environment.optionalValue("key", as: Secret<String>.self)?.reveal(),
            environment.value("text", as: Secret<String>?.self)?.reveal()
        )
        #expect(seen == ("s3cret", "Optional(<secret key>)", "s3cret", "a"))
    }

    @Test func `A value that a type cannot have is an error, also in optionals, lists and dictionaries`() throws {
        let values: Parameters = [
            "server": "127.0.0.1:8080/api", "servers": ["https://a.example", "two words"],
            "named": ["a": "b.example:80/x y"], "proxyURL": "", "big": 300, "all": ["big": 300], "text": "a",
        ]
        let environment = try Environment("X", values: values)
        let server = "\"127.0.0.1:8080/api\" is not a URL with a scheme"
        let range = "a number is not in the range of the type"
        let rows: [(String, () throws -> Any)] = [
            (server, { try environment.value("server", as: URL.self) }),
            (server, { try environment.value("server", as: URL?.self) as Any }),
            (server, { try environment.optionalValue("server", as: URL.self) as Any }),
            (server, { try environment.value("server", as: [URL].self) }),
            (server, { try environment.value("server", as: Secret<URL?>.self) }),
            ("\"two words\"", { try environment.value("servers", as: [URL].self) }),
            ("\"two words\"", { try environment.value("servers", as: Set<URL>?.self) as Any }),
            ("x y", { try environment.value("named", as: [String: URL].self) }),
            (
                "Fix: leave the key out, or write it in full, for example https://api.example.com",
                { try environment.optionalValue("proxyURL", as: URL.self) as Any }
            ),
            (range, { try environment.value("big", as: Int8.self) }),
            (range, { try environment.value("big", as: Int8?.self) as Any }),
            (range, { try environment.value("all", as: [String: Int8].self) }),
            ("", { try environment.value("text", as: Int?.self) as Any }),
        ]
        for (message, read) in rows {
            let failure = environmentFailure(read)
            #expect(failure.hasPrefix("wrongType: ") && (message.isEmpty || failure.contains(message)), "\(failure)")
        }
    }
}
