public import Fingerpost
public import FingerpostMocks
public import Foundation
public import Testing

/// Gives each test case its own ``/Fingerpost/APIScope``, so that tests that run in parallel do not share calls,
/// variants and responses. Create this trait with `.mocks`, `.environment`, `.network` or `.recording`. In XCTest, use
/// `APIScope.test(_:)` instead.
///
/// ```swift
/// @Suite(.mocks) struct LoginTests {
///     @Test(.mocks(["login": "locked"])) func locked() async throws { await model.start() }  // login.locked.json
///
///     @Test(arguments: [401, 500]) func errors(status: Int) async throws {
///         Mocks.set("login", .status(status))                                  // for this test case
///         await #expect(throws: APIError.self) { try await model.login() }
///     }
/// }
/// ```
///
/// At the end of a test case, the trait records an issue for each of these problems:
///
/// - a call that no mock could answer, even if the code under test caught the error
/// - a mock that did not decode: a file, or a response that was set in code
/// - a call that decodes another type than its route's `responseType`
/// - unused responses of a sequence
/// - a mock name in the test that looks like a typo
/// - a call that has not finished
///
/// In a test that causes such problems on purpose, call `Mocks.takeProblems()`: this method returns the problems and
/// removes them from the scope.
///
/// If a test fails, the trait attaches the test's last 100 calls as `calls.txt`. For each call, the file contains the
/// line of the call, the request as a `curl` command, and the error, without secrets. A request or an error that is
/// larger than 4 KiB is left out. Xcode and `swift test --attachments-path` save attachments. Swift versions before 6.2
/// have no attachments.
///
/// A suite's trait applies to all tests inside the suite. Traits on inner suites and on tests add their settings to the
/// outer suite's trait. If only mocks answer, waits take no real time, and random values are the same in each run. If
/// servers answer, idempotency keys are new in each run.
public struct ScopeTrait: SuiteTrait, TestTrait, TestScoping {
    var settings: ScopeSettings

    /// Skips a test with `.recording` in a run without `MOCKS`. Swift Testing calls this method.
    ///
    /// - Throws: an error that skips the test.
    public func prepare(for test: Test) async throws {
        guard settings.recording != nil else { return }
        // An invalid value of `MOCKS` fails the test when the test runs.
        let isServed = (try? MockMode.current()) == .serve
        try await ConditionTrait.disabled(if: isServed, "it runs with MOCKS=record:… or MOCKS=drift:… alone")
            .prepare(for: test)
    }

    /// Returns this trait for each test case, and for a whole suite that records. The tests of such a suite run one
    /// after the other.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> ScopeTrait? {
        testCase != nil || settings.recording != nil ? self : nil
    }

    /// True, because a suite's trait applies to the suites and tests inside it.
    public var isRecursive: Bool { true }

    /// Runs a test case in its scope. Swift Testing calls this method; call it yourself only in a custom trait that
    /// wraps this trait.
    ///
    /// - Throws: an error if the environment cannot be loaded or recording cannot start, and any error that the test
    ///   throws.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else {
            return try await ParallelizationTrait.serialized.provideScope(
                for: test, testCase: testCase, performing: function)
        }
        // All traits of the test share one scope.
        let scope = TestScope(settings.recording(with: test.traits.compactMap { ($0 as? ScopeTrait)?.settings }))
        #if compiler(>=6.3)
            let file = test.sourceLocation.filePath
        #else
            let file = test.sourceLocation._filePath
        #endif
        try await FailedTestCalls.attached(to: test, testCase) { tell in
            try await scope.run(
                file: file, seed: "\(test.id)",
                report: { Issue.record(Comment(rawValue: $0), sourceLocation: test.sourceLocation) }
            ) {
                tell(TestScope.current)
                try await function()
            }
        }
    }
}

extension Trait where Self == ScopeTrait {
    /// Lets mocks answer calls. The mocks folder is the nearest `Mocks/` folder beside the test's file or in a folder
    /// above that file, up to the package root. If no such folder exists, the client searches for the mocks folder.
    ///
    /// The test's environment is `Testing`. No call is sent, even if the `$network` of `Testing` is live. If there are
    /// no environment files, the environment contains only the base URL `https://testing.invalid`.
    public static var mocks: Self { mocks([:]) }

    /// Lets mocks answer calls, and chooses variants of some mocks. If `strict` is true, a chosen variant that answers
    /// no call fails the test.
    ///
    /// - Parameters:
    ///   - variants: the variants that answer, keyed by mock name: `["login": "locked"]` for `login.locked.json`.
    ///   - strict: true to require that each chosen variant answers at least one call. If this trait is on a suite,
    ///     each test of the suite must meet the requirement.
    public static func mocks(_ variants: [MockName: String] = [:], strict: Bool) -> Self {
        ScopeTrait(settings: ScopeSettings(network: .sealed, variants: variants, isStrict: strict))
    }

    /// Lets mocks answer calls, and chooses variants of some mocks.
    ///
    /// - Parameter variants: the variants that answer, keyed by mock name: `["login": "locked"]` for
    ///   `login.locked.json`.
    public static func mocks(_ variants: [MockName: String]) -> Self { mocks(variants, strict: false) }

    /// Lets mocks answer calls, with a scenario from the file `_scenarios.json` in the mocks folder. In a test of
    /// several scenarios, call `Mocks.use` with the test's argument instead, because a trait cannot read the argument.
    ///
    /// - Parameters:
    ///   - scenario: the scenario. Calls fail if there is no such scenario.
    ///   - variants: variants that replace the scenario's responses for some mocks.
    public static func mocks(scenario: MockScenario, _ variants: [MockName: String] = [:]) -> Self {
        ScopeTrait(settings: ScopeSettings(network: .sealed, variants: variants, scenario: scenario))
    }

    /// Lets the mocks in a given folder answer calls. Use this trait for a folder in the source tree. For a folder in a
    /// bundle, pass a `URL`.
    ///
    /// - Parameters:
    ///   - folder: the path of the mocks folder, either absolute or relative to the calling file's folder.
    ///   - variants: the variants that answer, keyed by mock name.
    ///   - file: the calling file, to which the path is relative.
    public static func mocks(
        folder: String, _ variants: [MockName: String] = [:], file: String = #filePath
    ) -> Self {
        let base = URL(fileURLWithPath: file).deletingLastPathComponent()
        return mocks(folder: URL(fileURLWithPath: folder, relativeTo: base).absoluteURL, variants)
    }

    /// Lets the mocks in a given folder answer calls. Use this trait for a bundle's resources, in tests that run
    /// without their sources, for example on a device.
    ///
    /// - Parameters:
    ///   - folder: the mocks folder.
    ///   - variants: the variants that answer, keyed by mock name.
    public static func mocks(folder: URL, _ variants: [MockName: String] = [:]) -> Self {
        ScopeTrait(settings: ScopeSettings(network: .sealed, folder: folder, variants: variants))
    }

    /// Gives the test the values of an environment. Mocks still answer; add `.network(.live)` to call the environment's
    /// servers.
    ///
    /// - Parameter name: the environment's name, for example `Staging` for `Staging-Env.json`. If the environment
    ///   cannot be loaded, the test fails.
    public static func environment(_ name: String) -> Self {
        ScopeTrait(settings: ScopeSettings(environment: name))
    }

    /// Chooses whether mocks (`.sealed`) or the environment's servers (`.live`) answer calls. With `.mocksThenLive`, a
    /// mock answers if the route has a mock; otherwise a server answers.
    ///
    /// If a server can answer, all waits take real time: delays of mocks, waits that a server requests, and the app's
    /// own waits on ``/Fingerpost/APIScope/clock``.
    ///
    /// To call servers, also add `.environment`: in a test that names no environment, calls reach only this machine.
    public static func network(_ network: Environment.Network) -> Self {
        ScopeTrait(settings: ScopeSettings(network: network))
    }

    /// Runs a test only under `MOCKS=record:<environment>` and `MOCKS=drift:<environment>`, and sends the test's calls:
    /// see ``recording(folder:writes:ignoring:status:file:)``.
    public static var recording: Self { recording() }

    /// Runs a test only under `MOCKS=record:<environment>` and `MOCKS=drift:<environment>`, and sends the test's calls
    /// to the environment's servers. Under `record:`, the servers' answers become mocks. Under `drift:`, the answers
    /// are compared with the mocks.
    ///
    /// ```swift
    /// @Suite(.recording) struct RecordingTests {
    ///     let client = APIClient.shared
    ///
    ///     @Test func profile() async throws { _ = try await client.data(for: GitHub.user(login: "octocat")) }
    /// }
    /// ```
    ///
    /// The tests of a suite run one after the other, with the client's own authorization. Mocks answer all tests
    /// without this trait. The settings of an inner trait replace those of an outer trait, except that the `ignoring`
    /// lists of both apply.
    ///
    /// - Parameters:
    ///   - folder: the path of the mocks folder, either absolute or relative to the calling file's folder. If this
    ///     argument is nil, the test uses the folder of its other traits.
    ///   - writes: true to send all calls under `drift:`. By default, a call other than GET, HEAD or OPTIONS skips the
    ///     test. Under `record:`, all calls are sent.
    ///   - ignoring: the names of mocks. These mocks and their variants are neither recorded nor compared.
    ///   - status: the expected status of the server's answer, such as 401. The answer is compared with the mock's
    ///     variant for this status. If this argument is nil, the server's answer should have the status of the mock.
    ///   - file: the calling file, to which the path is relative.
    public static func recording(
        folder: String? = nil, writes: Bool? = nil, ignoring: Set<String> = [], status: Int? = nil,
        file: String = #filePath
    ) -> Self {
        let base = URL(fileURLWithPath: file).deletingLastPathComponent()
        let url = folder.map { URL(fileURLWithPath: $0, relativeTo: base).absoluteURL }
        let recording = RecordingSettings(folder: url, writes: writes, ignoring: ignoring, status: status)
        return ScopeTrait(settings: ScopeSettings(recording: recording))
    }
}
