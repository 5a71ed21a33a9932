import Fingerpost
import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation
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
    fileprivate var isSkipped: Bool { (settings.recorder as? ComparingRecorder)?.isSkipped == true }
}

/// Attaches the calls of a failed test to the test. A test that passes does no extra work.
enum FailedTestCalls {
    /// Formats the last 100 calls: the line of each call, its `curl` command and its error, without secrets. A command
    /// or an error that is larger than 4 KiB is left out.
    static func text(_ calls: [LoggedCall]) -> String {
        calls.suffix(100).map { call in
            let details = [call.curl, call.error.map { "\($0)" }].compactMap(\.self).filter { $0.utf8.count <= 4096 }
            // The details are indented, so that no detail looks like the line of a call.
            let line = call.line.unicodeScalars.prefix(1024)
            return "\(String(line))\(line.endIndex == call.line.endIndex ? "" : "…")\n"
                + details.map { "    " + $0.replacing(bytesOf: "\n", with: "\n    ") + "\n" }.joined()
        }.joined()
    }

    /// Runs a test case. If the test case fails, attaches the calls of its scope.
    ///
    /// - Parameter run: runs the test and reports its problems as issues. At the start, `run` passes the test's scope
    ///   to the closure that it receives.
    static func attached(
        to test: Test, _ testCase: Test.Case?,
        _ run: @Sendable (_ tell: @Sendable (APIScope?) -> Void) async throws -> Void
    ) async throws {
        #if compiler(>=6.2)
            // The outer trait attaches the calls of this scope too.
            if TestScope.current != nil { return try await run { _ in } }
            let (scope, hasFailed) = (Locked<APIScope?>(nil), Locked(false))
            defer {
                let calls = hasFailed.withLock { $0 } ? scope.withLock { $0 }?.calls ?? [] : []
                if !calls.isEmpty { Attachment.record(text(calls), named: "calls.txt") }
            }
            let issues = IssueHandlingTrait.compactMapIssues { issue in
                if scope.withLock({ $0 })?.isSkipped == true { return nil }
                if isFailure(issue) { hasFailed.withLock { $0 = true } }
                return issue
            }
            do {
                try await issues.provideScope(for: test, testCase: testCase) {
                    try await run { current in scope.withLock { $0 = current } }
                }
            } catch {
                hasFailed.withLock { $0 = true }
                throw error
            }
        #else
            try await run { _ in }
        #endif
    }

    #if compiler(>=6.2)
        /// Returns false for a warning and for a known issue, because the test still passes.
        private static func isFailure(_ issue: Issue) -> Bool {
            #if compiler(>=6.3)
                issue.isFailure
            #else
                !issue.isKnown
            #endif
        }
    #endif
}

/// Checks, once per process, each folder that tests use. In a package without the plugin, the first test therefore
/// reports mistakes in the files. Secrets files are not checked, because not every developer has these files.
enum FolderChecks {
    private static let checked = Locked<Set<String>>([])

    /// Returns the problems in a mocks folder and in the environments beside it. Returns no problems if the folder has
    /// been checked before.
    static func newProblems(of mocks: URL) -> [FileProblem] {
        guard checked.withLock({ $0.insert(mocks.path).inserted }) else { return [] }
        return problems(of: mocks)
    }

    static func problems(of mocks: URL) -> [FileProblem] {
        var problems: [FileProblem] = []
        do throws(FileProblem) {
            problems += MockFolderCheck.problems(of: try MockIndex(url: mocks))
            if let url = try EnvironmentFolder.url(besideMocksIn: mocks) {
                let folder = try EnvironmentFolder(url: url)
                problems += folder.targets.flatMap {
                    folder.load($0, readsSecrets: false, parser: strictParser).problems
                }
            }
        } catch { problems.append(error) }
        return problems.inOrder
    }

    /// Records each error as an issue of the first test that uses the folder. Outside of a test, Swift Testing would
    /// record each issue for every running test. Warnings are printed.
    static func report(_ problems: [FileProblem]) {
        for problem in problems {
            guard problem.severity == .error else {
                StandardError.warn(problem.description)
                continue
            }
            let path = problem.path ?? MockIndex.name
            Issue.record(
                Comment(rawValue: problem.description),
                sourceLocation: SourceLocation(
                    fileID: "Files/\(URL(fileURLWithPath: path).lastPathComponent)", filePath: path,
                    line: problem.line ?? 1, column: problem.column ?? 1))
        }
    }
}
