import Fingerpost
import FingerpostFiles
import Foundation

/// All comparisons with the server of one environment.
final class DriftRun: Sendable {
    private struct State {
        var report = DriftReport()
        /// What the server has answered, or will, by the request.
        var answers: [String: Task<DriftAnswer, Never>] = [:]
        /// The last request of each of four lanes, in which one waits for the one before, and how many each has.
        var lanes = [(last: Task<DriftAnswer, Never>?, count: Int)](repeating: (nil, 0), count: 4)
        /// How many requests in a row had no response.
        var silent = 0
        /// The requests whose answers were compared.
        var compared: Set<String> = []
        var authorizations: [String: Task<Authorization?, any Error>] = [:]
    }

    /// How long a request may take, and how long a test waits at its end for all of its own.
    static let limit = Duration.seconds(30)

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

    /// Asks the server as soon as fewer than four requests are in progress, once for equal ones, and no longer if it
    /// does not answer.
    ///
    /// - Returns: the response, and true for the first of equal requests.
    func answer(
        to request: String, _ ask: @escaping @Sendable () async -> DriftAnswer
    ) async -> (answer: DriftAnswer, isFirst: Bool) {
        let (task, isFirst) = state.withLock { state in
            if let task = state.answers[request] { return (task, false) }
            let lane = state.lanes.indices.min { state.lanes[$0].count < state.lanes[$1].count } ?? 0
            // It has nothing of the test's task, such as its scope.
            let task = Task.detached { [before = state.lanes[lane].last, self] in
                _ = await before?.value
                let isSilent = self.state.withLock { $0.silent >= 4 }
                let answer = isSilent ? DriftAnswer(result: .failure(.reason(.stopped))) : await ask()
                self.state.withLock { state in
                    state.lanes[lane].count -= 1
                    if !answer.isSent { return }
                    if case .failure(.reason(.noAnswer)) = answer.result { state.silent += 1 } else { state.silent = 0 }
                }
                return answer
            }
            state.lanes[lane] = (task, state.lanes[lane].count + 1)
            state.answers[request] = task
            return (task, true)
        }
        // Another test may wait for the same response, so the wait alone is cancelled.
        let (answers, end) = AsyncStream.makeStream(of: DriftAnswer.self)
        Task.detached { end.yield(await task.value) }
        for await answer in answers { return (answer, isFirst) }
        return (DriftAnswer(result: .failure(.reason(.noAnswer))), isFirst)
    }

    /// The authorization that `.drift` gives, once in a run.
    func authorization(
        _ account: String, in live: Environment, _ authorize: @escaping DriftAccess.Authorize
    ) async throws -> Authorization? {
        try await state.withLock { state in
            if let task = state.authorizations[account] { return task }
            let task = Task.detached {
                do {
                    return try await Authorization.$isBesideTest.withValue(true) {
                        try await APIScope(environment: live, network: .live).run { try await authorize(live) }
                    }
                } catch {
                    StandardError.warn(SecretRedactor(live).shown("the closure of .drift fails: \(error)"))
                    throw APIError(.authorization, "the closure of .drift fails")
                }
            }
            state.authorizations[account] = task
            return task
        }.value
    }

    func add(_ more: DriftReport) { state.withLock { $0.report.add(more) } }

    /// Adds what a read has shown.
    ///
    /// - Returns: the differences that are new.
    func add(_ read: DriftReport.Read, of request: String) -> [String] {
        state.withLock { state in
            let isFirst = state.compared.insert(request).inserted
            let known = state.report.routes.first { $0.isSame(as: read) }?.differences ?? []
            state.report.add(DriftReport(reads: isFirst ? 1 : 0, routes: [read]))
            return read.differences.filter { !known.contains($0) }
        }
    }

    /// Tells what was compared.
    private func end() {
        var report = report
        if report.reads == 0, report.notCompared.isEmpty { return }
        print(report.text)
        var isWritten = true
        if let file = ProcessInfo.processInfo.environment[variable: "MOCKS_REPORT"] {
            do { report = try report.write(to: URL(fileURLWithPath: file)) } catch {
                StandardError.warn("MOCKS_REPORT: \(file) cannot be written: \(error)")
                isWritten = false
            }
        }
        fflush(nil)
        // No test is left that could fail.
        if report.isFailure || !isWritten { _exit(1) }
    }
}
