import Fingerpost
import FingerpostFiles
import Foundation

/// The scope of the running test. At its end ``APIScope/close()`` lists what the test must not pass with, such as the calls for which
/// `CallEntry` noted a refusal, and each becomes an issue of the test.
///
/// The library recognizes by the name of this type that tests have scopes.
final class TestScope: Sendable {
    /// Set for the time of one test case, which the traits of its suites and its own share.
    @TaskLocal static var current: APIScope?

    let settings: ScopeSettings

    init(_ settings: ScopeSettings) {
        self.settings = settings
    }

    /// Runs one test case.
    ///
    /// - Parameters:
    ///   - file: the file of the test, beside which its mocks are looked for.
    ///   - seed: what the test is called; the same test has the same chances each time.
    ///   - report: told what the test should not pass with.
    func run(
        file: String, seed: String, report: (String) -> Void, _ body: () async throws -> Void
    ) async throws {
        if let scope = Self.current {
            let scope = try scope.with(settings)
            try await Self.$current.withValue(scope) { try await scope.run(body) }
            return
        }
        let scope = try settings.scope(file: file, seed: seed)
        defer { scope.close().forEach(report) }
        try await Self.$current.withValue(scope) { try await scope.run(body) }
    }

    /// The same for tests that cannot wait.
    func run(file: String, seed: String, report: (String) -> Void, _ body: () throws -> Void) throws {
        let scope = try settings.scope(file: file, seed: seed)
        defer { scope.close().forEach(report) }
        try Self.$current.withValue(scope) { try scope.run(body) }
    }
}
