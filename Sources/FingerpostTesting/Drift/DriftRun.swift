import Fingerpost
import FingerpostFiles
import Foundation

/// All comparisons with the server of one environment.
final class DriftRun: Sendable {
    private struct State {
        var report = DriftReport()
        /// The requests that were sent.
        var requests: Set<String> = []
        /// The last comparison of each of four lanes, in which one waits for the one before.
        var lanes = [Task<[MockFinding], Never>?](repeating: nil, count: 4)
        var started = 0
        var authorizations: [String: Task<Authorization?, Never>] = [:]
    }

    /// The run of a process of tests, which ends with it. Swift Testing and XCTest both call `exit`, and nothing of
    /// theirs comes after their last suite.
    static let ofProcess: DriftRun = {
        atexit { DriftRun.ofProcess.end() }
        return DriftRun()
    }()

    /// What `.drift` says for tests that have none of their own.
    let access = Locked<DriftAccess?>(nil)
    private let state = Locked(State())

    var report: DriftReport { state.withLock { $0.report } }

    /// Starts a comparison as soon as fewer than four are in progress.
    func start(_ compare: @escaping @Sendable () async -> [MockFinding]) -> Task<[MockFinding], Never> {
        state.withLock { state in
            let lane = state.started % state.lanes.count
            state.started += 1
            // It has nothing of the test's task, such as its scope.
            let task = Task.detached { [before = state.lanes[lane]] in
                _ = await before?.value
                return await compare()
            }
            state.lanes[lane] = task
            return task
        }
    }

    /// True for the first of equal requests.
    func isNew(_ request: String) -> Bool { state.withLock { $0.requests.insert(request).inserted } }

    /// The authorization that `.drift` gives, once in a run.
    func authorization(_ access: DriftAccess?, in live: Environment) async -> Authorization? {
        guard let access else { return nil }
        return await state.withLock { state in
            if let task = state.authorizations[access.place] { return task }
            let task = Task.detached {
                do {
                    return try await Authorization.$isBesideTest.withValue(true) {
                        try await APIScope(environment: live, network: .live).run { try await access.authorize(live) }
                    }
                } catch {
                    StandardError.warn(SecretRedactor(live).shown("the closure of .drift fails: \(error)"))
                    return nil
                }
            }
            state.authorizations[access.place] = task
            return task
        }.value
    }

    func add(_ more: DriftReport) { state.withLock { $0.report.add(more) } }

    /// Adds what a read has shown.
    ///
    /// - Returns: the differences that are new.
    func add(_ read: DriftReport.Read, of mock: String) -> [String] {
        state.withLock { state in
            let known = state.report.routes[mock]?.differences ?? []
            state.report.add(DriftReport(reads: 1, routes: [mock: read]))
            return read.differences.filter { !known.contains($0) }
        }
    }

    /// Tells what was compared.
    private func end() {
        let report = report
        if report.reads == 0, report.notCompared.isEmpty { return }
        print(report.text)
        if let file = ProcessInfo.processInfo.environment[variable: "MOCKS_REPORT"] {
            do { try report.write(to: URL(fileURLWithPath: file)) } catch {
                StandardError.warn("MOCKS_REPORT: \(file) cannot be written: \(error)")
            }
        }
        fflush(nil)
        // No test is left that could fail.
        if report.isFailure { _exit(1) }
    }
}
