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
            {"text": "a", "number": 7, "half": 0.5, "flag": true, "url": "https://x.example", "list": [1, 2],
             "server": {"host": "h"}, "$optional": ["nothing"], "level": "low", "date": "2026-01-31T10:00:00Z", "nothing": null,
             "$secrets": ["key"], "key": null}
            """
        let folder = try TemporaryFolder(["X-Env.json": text, "X-Secrets.json": #"{"key": "s3cret"}"#])
        environment = try Environment.load("X", from: folder.url)
    }

    private func check<Value: Decodable & Equatable>(_ key: String, _ expected: Value) throws {
        let inferred: Value? = try environment.value(key)
        #expect(
            try (
                inferred, environment.value(key, as: Value?.self), environment.value(key, as: Value.self),
                environment.value(key, as: Value??.self)
            ) == (expected, expected, expected, expected))
        #expect(try environment.optionalValue(key, as: Value.self) == expected)
        #expect(try environment.optionalValue(key, as: Value?.self) == expected)
        let missing = #expect(throws: EnvironmentError.self) { try environment.value("gone", as: Value?.self) }
        #expect(try (missing?.kind, environment.optionalValue("gone", as: Value?.self)) == (.missingKey, nil))
        #expect(try environment.value("nothing", as: Value?.self) == nil)
        #expect(try environment.optionalValue("nothing", as: Value.self) == nil)
    }

    @Test func `A value that exists is not nil`() throws {
        try check("text", "a")
        try check("number", 7)
        try check("number", Int64(7))
        try check("half", 0.5)
        try check("number", 7.0)
        try check("flag", true)
        try check("url", URL(string: "https://x.example")!)
        try check("list", [1, 2])
        try check("list", [Int?.some(1), 2])
        try check("server", Server(host: "h"))
        try check("level", Level.low)
        try check("date", Date(timeIntervalSince1970: 1_769_853_600))
    }

    @Test func `Text that is no URL is an error, also in optionals, lists and dictionaries`() throws {
        let environment = try Environment(
            "X",
            values: [
                "server": "127.0.0.1:8080/api", "servers": ["https://a.example", "two words"],
                "named": ["a": "b.example:80/x y"], "good": ["https://a.example"],
            ])
        func expectWrongType(_ message: String, _ read: () throws -> Void) {
            let error = #expect(throws: EnvironmentError.self) { try read() }
            #expect(error?.kind == .wrongType)
            #expect(error?.description.contains(message) == true, "\(error as Any)")
        }
        let message = "\"127.0.0.1:8080/api\" is not a URL with a scheme"
        expectWrongType(message) { _ = try environment.value("server", as: URL.self) }
        expectWrongType(message) { _ = try environment.value("server", as: URL?.self) }
        expectWrongType(message) { _ = try environment.optionalValue("server", as: URL.self) }
        expectWrongType(message) { _ = try environment.value("server", as: [URL].self) }
        expectWrongType(message) { _ = try environment.value("server", as: Secret<URL?>.self) }
        expectWrongType("\"two words\"") { _ = try environment.value("servers", as: [URL].self) }
        expectWrongType("\"two words\"") { _ = try environment.value("servers", as: Set<URL>?.self) }
        expectWrongType("x y") { _ = try environment.value("named", as: [String: URL].self) }
        #expect(try environment.value("good", as: [URL?].self) == [URL(string: "https://a.example")])
    }

    @Test func `The fix for an empty URL is to leave it out`() throws {
        let environment = try Environment("X", values: ["proxyURL": ""])
        let error = #expect(throws: EnvironmentError.self) { try environment.optionalValue("proxyURL", as: URL.self) }
        let fix = "Fix: leave the key out, or write it in full, for example https://api.example.com"
        #expect(error?.description.contains(fix) == true, "\(error as Any)")
    }

    @Test func `A number that does not fit is described as such`() throws {
        let environment = try Environment("X", values: ["big": 300, "all": ["big": 300]])
        for read in [
            { _ = try environment.value("big", as: Int8.self) }, { _ = try environment.value("big", as: Int8?.self) },
            { _ = try environment.value("all", as: [String: Int8].self) },
        ] {
            let error = #expect(throws: EnvironmentError.self) { try read() }
            #expect(error?.description.contains("a number is not in the range of the type") == true, "\(error as Any)")
        }
    }

    @Test func `A secret that exists is not nil`() throws {
        let secret: Secret<String>? = try environment.value("key")
        #expect((secret?.reveal(), "\(secret as Any)".contains("key")) == ("s3cret", true))
        #expect(try environment.optionalValue("key", as: Secret<String>.self)?.reveal() == "s3cret")
        #expect(try environment.value("text", as: Secret<String>?.self)?.reveal() == "a")
    }

    @Test func `A value of another type is an error, also for an optional type`() {
        let error = #expect(throws: EnvironmentError.self) { try environment.value("text", as: Int?.self) }
        #expect(error?.kind == .wrongType)
    }
}
