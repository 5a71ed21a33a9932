import FingerpostFiles
import FingerpostMocks
import TestSupport

@testable import Fingerpost

/// Secrets that an installed app gets from its own code.
@Suite(.inTurn) struct SecretSourceTests {
    private struct Failure: LocalizedError { var errorDescription: String? { "the keychain is locked" } }

    /// A source made of a closure, which counts how often it is asked.
    private final class Source: SecretSource {
        let asked = Locked<[String]>([])
        private let answer: @Sendable (String, String) throws -> String?

        init(_ answer: @escaping @Sendable (String, String) throws -> String?) { self.answer = answer }

        func secret(_ key: String, in environment: String) throws -> String? {
            asked.withLock { $0.append("\(environment): \(key)") }
            return try answer(key, environment)
        }
    }

    private static let files = [
        "Environments/Base-Env.json":
            #"{"$secrets": ["maps.key", "pin"], "$provided": ["maps.key", "pin"], "maps": {"key": null}, "pin": null}"#,
        "Environments/Live-Env.json": #"{"baseURL": "https://live.invalid"}"#,
    ]

    private func load(_ source: (any SecretSource)?, _ files: [String: String] = [:]) throws -> Environment {
        let folder = try TemporaryFolder(Self.files.merging(files) { $1 })
        return try Environment.load("Live", from: folder["Environments"], secrets: source)
    }

    @Test func `A source gives the secrets that no file gives, if they are needed`() throws {
        let source = Source { key, environment in "\(environment)-\(key)" }
        let environment = try load(source, ["Environments/Live-Secrets.json": #"{"pin": "from-file"}"#])
        let secrets = try ["maps.key", "pin"].map { try environment.value($0, as: Secret<String>.self).reveal() }
        #expect((secrets, source.asked.withLock { $0 }) == (["Live-maps.key", "from-file"], ["Live: maps.key"]))
        #expect(CallSecrets(environment).hide("key Live-maps.key.") == "key <secret maps.key>.")
        #expect(environment.explain("maps.key").contains("the app's SecretSource"))
        // An optional one may be missing, and a sealed environment needs none.
        let optional = #"{"$secrets": ["key"], "$provided": ["key"], "$optional": ["key"], "key": null}"#
        #expect(try load(Source { _, _ in nil }, ["Environments/Base-Env.json": optional]).name == "Live")
        let unasked = Source { _, _ in "abcdefgh" }
        let sealed = #"{"description": "Testing", "$network": "sealed", "baseURL": "https://t.invalid"}"#
        _ = environmentFailure { try load(unasked, ["Environments/Live-Env.json": sealed]) }
        #expect(unasked.asked.withLock { $0 } == [])
    }

    @Test(arguments: [
        ("nil", "the secret \"pin\" has no value", "and the app's SecretSource has none"),
        ("empty", "the app's SecretSource: the secret \"pin\" cannot be used: it is empty", "return nil"),
        ("throws", "the secret \"pin\" could not be read: the keychain is locked", "SecretSource"),
        ("current", "the SecretSource uses the current environment", "which may be waiting for the source"),
    ])
    func `A source without a value is an error`(_ fault: String, _ message: String, _ more: String) throws {
        let process = ProcessEnvironment { _, _, _ throws(EnvironmentError) in try Environment("Other") }
        let source = Source { key, _ in
            if key == "maps.key" { return "good-enough" }
            switch fault {
            case "nil": return nil
            case "empty": return ""
            case "current": return try process.get().name
            default: throw Failure()
            }
        }
        let text = environmentFailure { try load(source) }
        #expect(text.contains(message) && text.contains(more) && !text.contains("good-enough"), "\(text)")
    }

    @Test func `A source is set once, before the environment is loaded`() throws {
        let process = ProcessEnvironment { _, secrets, _ throws(EnvironmentError) in
            let secret: String?
            do { secret = try secrets?.secret("a", in: "X") } catch { secret = "\(error)" }
            return try Environment("X", values: ["title": secret ?? "none"])
        }
        try process.bootstrap(InMemorySecrets(["a": "first"]))
        let second = environmentFailure { try process.bootstrap(InMemorySecrets([:])) }
        let late = ProcessEnvironment { _, _, _ throws(EnvironmentError) in try Environment("X") }
        _ = try late.get()
        #expect(try process.get().value("title", as: String.self) == "first")
        #expect(
            [second, environmentFailure { try late.bootstrap(InMemorySecrets([:])) }] == [
                "refused: a SecretSource is set already. Fix: call bootstrap(secrets:) once, at the start of the process",
                "refused: the environment X is loaded already, without the SecretSource. Fix: call bootstrap(secrets:) once, at the start of the process",
            ])
    }

    @Test func `A scope gives its environments secrets of their own, but not those that a source loads`() throws {
        let folder = try TemporaryFolder(Self.files)
        let load = { @Sendable in try Environment.load("Live", from: folder["Environments"]) }
        let own = APIScope(secrets: ["maps.key": "of-the-scope", "pin": "12345678"] as InMemorySecrets)
        let key = try own.run { try load() }.value("maps.key", as: Secret<String>.self)
        let loading = APIScope(secrets: Source { key, _ in key == "pin" ? "12345678" : try load().name })
        let failure = environmentFailure { try loading.run { try load() } }
        let isNamed = failure.contains("the secret \"maps.key\" could not be read")
        #expect((key.reveal(), isNamed) == ("of-the-scope", true), "\(failure)")
        for scope in [own, loading] { _ = scope.close() }
    }
}
