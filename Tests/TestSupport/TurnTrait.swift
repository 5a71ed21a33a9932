import FingerpostFiles

/// Lets few tests run at once, each for a limited time.
///
/// Swift Testing starts all tests together, and all their tasks wait in one queue for as many threads as the machine
/// has cores. Without turns, a task that a test starts would wait behind every test that has not run yet, and its calls
/// would time out meanwhile. With turns, the task waits only behind the few tests that run, and each of these tests has
/// its own thread: see ``TestThreads``.
///
/// The time limit begins with the turn. Swift Testing's own time limit would include the wait for the turn.
public struct TurnTrait: TestTrait, SuiteTrait, TestScoping {
    /// The closures that run at the end of the test's turn. A test in nested suites gets the trait several times, but
    /// only one turn.
    @TaskLocal private static var ending: Locked<[@Sendable () -> Void]>?
    /// How many tests have a turn at once.
    static let count = 8
    private static let turns = Turns(count)

    public let isRecursive = true
    let limit: Duration

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        if Self.ending != nil { return try await function() }
        let isHeavy = test.traits.contains { $0 is HeavyTrait }
        await Self.turns.wait(heavy: isHeavy)
        let ending = Locked<[@Sendable () -> Void]>([])
        defer {
            for end in ending.withLock({ $0 }) { end() }
            Self.turns.leave(heavy: isHeavy)
        }
        try await Self.$ending.withValue(ending) {
            guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
                return try await limited(function)
            }
            try await withTaskExecutorPreference(TestThreads.ofTurns) { try await limited(function) }
        }
    }

    /// Runs a closure at the end of the calling test's turn. An exit test has no turn, so the closure never runs.
    public static func atEnd(_ end: @escaping @Sendable () -> Void) {
        ending?.withLock { $0.append(end) }
    }

    private func limited(_ function: @Sendable () async throws -> Void) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await withThrowingTaskGroup { group in
                group.addTask { try await function() }
                group.addTask {
                    guard (try? await Task.sleep(for: limit)) != nil else { return }
                    Issue.record("The test did not end within \(limit)")
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }
}

extension Trait where Self == TurnTrait {
    /// Waits for a turn, and limits the time of the test to 5 minutes: see ``TurnTrait``.
    public static var inTurn: Self { .inTurn(minutes: 5) }

    /// Waits for a turn, and limits the time of the test.
    public static func inTurn(minutes: Int) -> Self { TurnTrait(limit: .seconds(minutes * 60)) }
}

/// Gives turns to the tests in the order in which they arrive. Only one heavy test at a time has a turn, and the next
/// heavy test goes before all other tests, because the heavy tests together take longest. When only heavy tests are
/// left, one of them runs on each core.
private final class Turns: Sendable {
    private struct State {
        var free: Int
        var runningHeavy = 0
        var heavy: [CheckedContinuation<Void, Never>] = []
        var others: [CheckedContinuation<Void, Never>] = []

        /// How many heavy tests may run at once.
        private var heavyLimit: Int {
            let runningOthers = TurnTrait.count - free - runningHeavy
            return runningOthers == 0 && others.isEmpty ? ProcessInfo.processInfo.activeProcessorCount : 1
        }

        /// The tests that may run now.
        mutating func next() -> [CheckedContinuation<Void, Never>] {
            var next: [CheckedContinuation<Void, Never>] = []
            while free > 0 {
                if runningHeavy < heavyLimit, !heavy.isEmpty {
                    runningHeavy += 1
                    next.append(heavy.removeFirst())
                } else if !others.isEmpty {
                    next.append(others.removeFirst())
                } else {
                    break
                }
                free -= 1
            }
            return next
        }
    }

    private let state: Locked<State>

    init(_ count: Int) {
        state = Locked(State(free: count))
    }

    func wait(heavy isHeavy: Bool) async {
        await withCheckedContinuation { continuation in
            let next = state.withLock { state in
                if isHeavy { state.heavy.append(continuation) } else { state.others.append(continuation) }
                return state.next()
            }
            for test in next { test.resume() }
        }
    }

    func leave(heavy isHeavy: Bool) {
        let next = state.withLock { state in
            state.free += 1
            if isHeavy { state.runningHeavy -= 1 }
            return state.next()
        }
        for test in next { test.resume() }
    }
}
