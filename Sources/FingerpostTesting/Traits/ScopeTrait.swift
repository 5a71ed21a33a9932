public import Fingerpost
public import Foundation
public import Testing

/// Gives each test case an ``APIScope`` of its own, so that tests can run in parallel and never see each other's calls, variants and
/// answers. Made by `.mocks`, `.environment` and `.network`.
///
/// ```swift
/// @Suite(.mocks) struct LoginTests {
///     @Test(.mocks(["login": "locked"])) func locked() async throws { … }      // login.locked.json
///
///     @Test(arguments: [401, 500]) func errors(status: Int) async throws {
///         Mocks.set("login", .status(status))                                  // for this test case
///         await #expect(throws: APIError.self) { try await model.login() }
///     }
/// }
/// ```
///
/// At the end of a test case an issue is recorded for each call that no mock could answer, even when the code under test caught the
/// error; for each mock that did not decode; for answers of a sequence that nobody asked for; and for calls that are still under way.
/// Tests that provoke one of these take it with `Mocks.takeProblems()`.
///
/// On a suite it holds for every test inside, to which tests and inner suites add. Delays of mocks take no time, and chance is the same
/// in each run.
public struct ScopeTrait: SuiteTrait, TestTrait, TestScoping {
    var settings: ScopeSettings

    /// A suite's traits are those of its tests.
    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        #if compiler(>=6.3)
            let file = test.sourceLocation.filePath
        #else
            let file = test.sourceLocation._filePath
        #endif
        try await TestScope(settings).run(
            file: file, seed: "\(test.id)",
            report: { Issue.record(Comment(rawValue: $0), sourceLocation: test.sourceLocation) }, function)
    }
}

extension Trait where Self == ScopeTrait {
    /// Mocks answer, those of the nearest folder `Mocks` beside the test's file or above it in its package.
    ///
    /// The environment is `Testing` where there is such a file, and nothing is sent whatever it says. Without any environment files there
    /// is one whose base URL is `https://testing.invalid`.
    public static var mocks: Self { mocks([:]) }

    /// Mocks answer, and every variant that the test, or a test of the suite, chooses has to be asked for: a test fails that chooses one
    /// which no call takes.
    public static func mocks(_ variants: [MockName: String] = [:], strict: Bool) -> Self {
        scope {
            $0.network = .sealed
            $0.variants = variants
            $0.isStrict = strict
        }
    }

    /// Mocks answer, and some with a variant.
    ///
    /// - Parameter variants: which variant answers, by the mock's name: `["login": "locked"]` for `login.locked.json`.
    public static func mocks(_ variants: [MockName: String]) -> Self {
        scope {
            $0.network = .sealed
            $0.variants = variants
        }
    }

    /// Mocks of another folder answer.
    ///
    /// - Parameters:
    ///   - folder: a path, relative to the file that says this.
    ///   - variants: which variant answers, by the mock's name.
    public static func mocks(
        folder: String, _ variants: [MockName: String] = [:], file: String = #filePath
    ) -> Self {
        let base = URL(fileURLWithPath: file).deletingLastPathComponent()
        return mocks(folder: URL(fileURLWithPath: folder, relativeTo: base).absoluteURL, variants)
    }

    /// Mocks of another folder answer: of a bundle's resources, for tests that run where their source is not.
    public static func mocks(folder: URL, _ variants: [MockName: String] = [:]) -> Self {
        scope {
            $0.network = .sealed
            $0.folder = folder
            $0.variants = variants
        }
    }

    /// The values of an environment. Mocks answer all the same, unless `.network(.live)` is said too.
    ///
    /// - Parameter name: what stands before `-Env` in the file's name. An environment that cannot be loaded fails the test.
    public static func environment(_ name: String) -> Self {
        scope { $0.environment = name }
    }

    /// How calls are answered: with `.live` by the servers of the environment, which `.environment` has to name, as `Testing` has none.
    public static func network(_ network: Environment.Network) -> Self {
        scope { $0.network = network }
    }

    private static func scope(_ set: (inout ScopeSettings) -> Void) -> Self {
        var settings = ScopeSettings()
        set(&settings)
        return ScopeTrait(settings: settings)
    }
}
