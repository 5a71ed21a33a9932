import Fingerpost
import FingerpostFiles
import FingerpostMocks
import Foundation

/// Compares the reads of a test with a server, after mocks have answered them.
final class DriftTest: MockWitness {
    private let live: Environment
    private let run: DriftRun
    private let state: Locked<(tasks: [Task<[MockFinding], Never>], access: DriftAccess?)>

    init(_ live: Environment, _ access: DriftAccess?, in run: DriftRun = .ofProcess) {
        (self.live, self.run) = (live, run)
        state = Locked(([], access))
        run.add(DriftReport(environment: live.name))
    }

    func use(_ access: DriftAccess?) { if let access { state.withLock { $0.access = access } } }

    func answered(_ mocked: MockedCall) {
        let read = DriftRead(mocked, live, in: run)
        if let objection = read.objection { return run.add(DriftReport(objection)) }
        let access = state.withLock { $0.access } ?? run.access.withLock { $0 }
        let task = run.start { await read.compare(access) }
        let isFirst = state.withLock { state in
            state.tasks.append(task)
            return state.tasks.count == 1
        }
        if isFirst { run.add(DriftReport(tests: 1)) }
    }

    /// Waits for the comparisons of the test.
    ///
    /// - Returns: the differences that no test has found before.
    func issues() async -> [String] {
        var issues: [String] = []
        for task in state.withLock({ $0.tasks }) { issues += await task.value.map(\.description) }
        return issues
    }
}

extension APIScope {
    /// The comparisons of the test; nil if the run compares nothing.
    var driftTest: DriftTest? { witness as? DriftTest }
}

/// What `.drift` says of the calls beside tests.
struct DriftAccess: Sendable {
    /// Where it is written, which tells it from others.
    let place: String
    /// The paths that a server has, by those of the tests.
    let paths: [String: String]
    let authorize: @Sendable (Environment) async throws -> Authorization?
}
