import FingerpostFiles
public import Testing

/// Runs the tests that need a whole core or the disk for long one after another.
///
/// All tests share as many threads as the machine has cores. If many of these tests ran at once, the calls of all the
/// other tests would wait behind them, until they time out.
public struct HeavyTrait: TestTrait, SuiteTrait, TestScoping {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private static let state = Locked(State())

    public let isRecursive = true

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.wait()
        defer { Self.leave() }
        try await function()
    }

    private static func wait() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken { state.waiting.append(continuation) }
                defer { state.isTaken = true }
                return !state.isTaken
            }
            if isFree { continuation.resume() }
        }
    }

    private static func leave() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            if state.waiting.isEmpty {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}

extension Trait where Self == HeavyTrait {
    /// Keeps other tests with this trait from running at the same time: see ``HeavyTrait``.
    public static var heavy: Self { HeavyTrait() }
}
