import Fingerpost
import FingerpostFiles
import FingerpostMocks
import Foundation

/// Compares the reads of a test with a server, after mocks have answered them.
final class DriftTest: MockWitness {
    private struct State {
        var access: DriftAccess?
        /// The environments that the test's traits name; nil for any.
        var environments: Set<String>?
        var tasks: [Task<[MockFinding], Never>] = []
    }

    private let live: Environment
    private let run: DriftRun
    private let state: Locked<State>

    init(_ live: Environment, _ access: DriftAccess?, of environment: String? = nil, in run: DriftRun = .ofProcess) {
        (self.live, self.run) = (live, run)
        state = Locked(State(access: access, environments: environment.map { [$0] }))
        run.add(DriftReport(environment: live.name))
    }

    /// Uses what another trait of the test says.
    func use(_ access: DriftAccess?, _ environment: String?) {
        state.withLock { state in
            state.access = access?.inheriting(state.access) ?? state.access
            if let environment { state.environments?.insert(environment) }
        }
    }

    func answered(
        _ call: LoggedCall, of route: Route, _ configuration: APIClient.Configuration, by mock: MockName,
        _ response: Response<Data>?, recorded: Date?, isChosen: Bool
    ) {
        compare(
            DriftRead.Mocked(
                route: route, configuration: configuration, mock: mock, response: response, recorded: recorded,
                isChosen: isChosen, call: call))
    }

    /// Compares what a mock has answered with the server, beside the test.
    func compare(_ mocked: DriftRead.Mocked) {
        let read = DriftRead(mocked, live, in: run)
        let (access, environments) = state.withLock { ($0.access, $0.environments) }
        if let objection = read.objection(in: environments) { return run.add(DriftReport(objection)) }
        let ofProcess = run.access.withLock(\.self)
        let isFirst = state.withLock { state in
            state.tasks.append(
                Task.detached { await read.compare(access?.inheriting(ofProcess) ?? ofProcess) })
            return state.tasks.count == 1
        }
        if isFirst { run.add(DriftReport(tests: 1)) }
    }

    /// Waits for the comparisons of the test, up to a limit. Those that take longer are not compared.
    ///
    /// - Returns: the differences that no test has found before.
    func issues(within limit: Duration = DriftRun.limit) async -> [String] {
        let isOver = Locked(false)
        let cancel = { @Sendable [state] in
            isOver.withLock { $0 = true }
            for task in state.withLock({ $0.tasks }) { task.cancel() }
        }
        let timer = Task.detached {
            try await Task.sleep(for: limit)
            cancel()
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            var (issues, seen) = ([String](), 0)
            // A call that ends late adds another one.
            while let task = state.withLock({ $0.tasks.dropFirst(seen).first }) {
                if isOver.withLock(\.self) { task.cancel() }
                issues += await task.value.map(\.description)
                seen += 1
            }
            return issues
        } onCancel: {
            cancel()
        }
    }
}

extension APIScope {
    /// The comparisons of the test; nil if the run compares nothing.
    var driftTest: DriftTest? { witness as? DriftTest }
}

/// What `.drift` says of the calls beside tests.
struct DriftAccess: Sendable {
    typealias Authorize = @Sendable (Environment) async throws -> Authorization?

    /// Tells the closure from others.
    var account = ""
    /// The paths that a server has, by those of the tests.
    var paths: [String: String] = [:]
    var authorize: Authorize?

    /// What this adds to an outer trait.
    func inheriting(_ outer: DriftAccess?) -> DriftAccess {
        var access = self
        access.paths.merge(outer?.paths ?? [:]) { own, _ in own }
        if authorize == nil { (access.account, access.authorize) = (outer?.account ?? "", outer?.authorize) }
        return access
    }
}
