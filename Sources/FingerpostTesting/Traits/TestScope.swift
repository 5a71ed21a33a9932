import Fingerpost
import FingerpostFiles
import Testing

/// Runs a test in its scope. At the end of the test, ``APIScope/close()`` returns the problems that must fail the test,
/// such as calls that no mock could answer. Each problem is recorded as an issue in the test.
///
/// Do not rename this class: Fingerpost looks up this class by its name to detect that tests have scopes.
final class TestScope: TestReporter, Sendable {
    /// The scope of the current test case. The traits of the test and of its suites share this scope.
    @TaskLocal static var current: APIScope?

    static func report(_ message: String) {
        Issue.record(
            Comment(rawValue: message), sourceLocation: Test.current?.sourceLocation ?? #_sourceLocation)
    }

    let settings: ScopeSettings

    init(_ settings: ScopeSettings) {
        self.settings = settings
    }

    /// Runs one test case.
    ///
    /// - Parameters:
    ///   - file: the path of the test's file. The search for the mocks folder starts beside this file.
    ///   - seed: the test's name. This seed makes the random values of a test the same in each run.
    ///   - report: receives each problem that fails the test.
    func run(
        file: String, seed: String, report: (String) -> Void, _ body: () async throws -> Void
    ) async throws {
        if let scope = Self.current {
            let scope = try scope.with(settings)
            try await Self.$current.withValue(scope) { try await scope.run(body) }
            return
        }
        let scope = try scope(file: file, seed: seed, isOfXCTest: false)
        FolderChecks.report(newProblems(in: scope))
        var thrown: (any Error)?
        do { try await Self.$current.withValue(scope) { try await scope.run(body) } } catch { thrown = error }
        // Swift Testing reports the error that the test throws.
        let text = thrown.map { "\($0)" }
        Self.close(scope) { problem in if text.map(problem.contains) != true { report(problem) } }
        if scope.isSkipped { return try Self.skip() }
        if let thrown { throw thrown }
    }

    private func scope(file: String, seed: String, isOfXCTest: Bool) throws -> APIScope {
        let mode = try MockMode.current()
        // XCTest and Swift Testing run in different processes. The XCTest process cannot determine whether any Swift
        // Testing test records. An XCTest test that does not record is therefore not counted.
        if mode != .serve, settings.recording != nil || !isOfXCTest {
            RecordingRun.ofProcess.begin(isRecording: settings.recording != nil)
        }
        return try settings.scope(file: file, seed: seed, mode: mode)
    }

    /// Runs one synchronous test case.
    func run(file: String, seed: String, report: (String) -> Void, _ body: () throws -> Void) throws {
        let scope = try scope(file: file, seed: seed, isOfXCTest: true)
        // XCTest cannot record an issue outside of a test.
        for problem in newProblems(in: scope) where problem.severity == .error { report(problem.description) }
        defer { Self.close(scope, report) }
        try Self.$current.withValue(scope) { try scope.run(body) }
    }

    /// Ends a test whose next call may change data on the server.
    private static func skip() throws {
        let text = "the test writes to the server, so it is not compared; add .recording(writes: true) to send it"
        #if compiler(>=6.3)
            try Test.cancel(Comment(rawValue: text))
        #else
            withKnownIssue { Issue.record(Comment(rawValue: text)) }
        #endif
    }

    /// Returns the problems in the default mocks folder and its environments, if no other test has reported them.
    /// Returns no problems for a test that names another folder.
    private func newProblems(in scope: APIScope) -> [FileProblem] {
        guard settings.folder == nil, let mocks = scope.settings.mocks else { return [] }
        return FolderChecks.newProblems(of: mocks)
    }

    /// Ends a test's scope.
    private static func close(_ scope: APIScope, _ report: (String) -> Void) {
        (scope.settings.recorder as? RecordingMiddleware)?.finish().forEach(report)
        let findings = (scope.settings.recorder as? ComparingRecorder)?.finish() ?? []
        let problems = scope.close()
        (findings.map(\.description) + (scope.isSkipped ? [] : problems)).forEach(report)
    }
}

extension APIScope {
    /// True if a comparison has ended the test, because a call of the test may change data on the server.
    var isSkipped: Bool { (settings.recorder as? ComparingRecorder)?.isSkipped == true }
}
