import CallSupport

@testable import Fingerpost

@Suite(.inTurn) struct DeadlineWatchTests {
    /// A clock that the test moves. A sleep ends when the test moves the clock to its end, or past it.
    private final class ManualTime: Sendable {
        private struct Sleeper {
            let end: ContinuousClock.Instant
            let continuation: CheckedContinuation<Void, any Error>
        }

        private let state: Locked<(now: ContinuousClock.Instant, sleepers: [Int: Sleeper], nextID: Int)>
        let start = ContinuousClock.now

        init() { state = Locked((start, [:], 0)) }

        var time: DeadlineWatch.Time {
            DeadlineWatch.Time(now: { self.state.withLock { $0.now } }, sleep: { try await self.sleep(until: $0) })
        }

        private func sleep(until end: ContinuousClock.Instant) async throws {
            let id = state.withLock { state in
                state.nextID += 1
                return state.nextID
            }
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    state.withLock { $0.sleepers[id] = Sleeper(end: end, continuation: continuation) }
                    if Task.isCancelled { wake(id)?.resume(throwing: CancellationError()) }
                }
            } onCancel: {
                wake(id)?.resume(throwing: CancellationError())
            }
        }

        private func wake(_ id: Int) -> CheckedContinuation<Void, any Error>? {
            state.withLock { $0.sleepers.removeValue(forKey: id)?.continuation }
        }

        /// Moves the clock step by step, as it passes while the process runs.
        func run(to offset: Duration) async {
            while let next = await nextWake(), next <= start + offset { move(to: next) }
            state.withLock { $0.now = start + offset }
        }

        /// Moves the clock at once, as it passes while the process is suspended.
        func suspend(to offset: Duration) async {
            _ = await nextWake()
            move(to: start + offset)
        }

        private func move(to now: ContinuousClock.Instant) {
            let due = state.withLock { state in
                state.now = now
                let due = state.sleepers.filter { $0.value.end <= now }
                for id in due.keys { state.sleepers[id] = nil }
                return due.values.map(\.continuation)
            }
            for continuation in due { continuation.resume() }
        }

        /// The end of the sleep that ends first. Waits until the watching task sleeps; nil if it does not, because no
        /// call is in progress.
        private func nextWake() async -> ContinuousClock.Instant? {
            for _ in 0..<100 {
                if let next = state.withLock({ $0.sleepers.values.map(\.end).min() }) { return next }
                try? await Task.sleep(for: .milliseconds(1))
            }
            return nil
        }
    }

    private static let timedOut = APIError(.timedOut, "late")
    private let clock = ManualTime()
    private let deadlines: DeadlineWatch

    init() { deadlines = DeadlineWatch(time: clock.time) }

    /// An operation that ends when it is cancelled.
    private static func wait() async throws {
        let (stream, _) = AsyncStream<Never>.makeStream()
        for await _ in stream {}
        try Task.checkCancellation()
    }

    /// Starts a call with a timeout of 60 seconds, and returns its error when it ends.
    private func call(since start: ContinuousClock.Instant? = nil) -> (
        task: Task<APIError?, Never>, ended: Locked<Bool>
    ) {
        let ended = Locked(false)
        let (deadlines, start) = (deadlines, start ?? clock.start)
        let task = Task<APIError?, Never> {
            defer { ended.withLock { $0 = true } }
            do {
                try await deadlines.run(within: .seconds(60), since: start, or: Self.timedOut) { try await Self.wait() }
                return nil
            } catch { return error as? APIError }
        }
        return (task, ended)
    }

    /// Lets time pass to a moment at which a call must go on, and then to one at which it must have ended.
    private func expectEnd(
        of call: (task: Task<APIError?, Never>, ended: Locked<Bool>), after early: Int, by late: Int
    ) async {
        await clock.run(to: .seconds(early))
        #expect(!call.ended.withLock { $0 })
        await clock.run(to: .seconds(late))
        #expect(await call.task.value?.message == "late")
    }

    @Test func `Nothing begins in a task that was cancelled before`() async throws {
        let begun = Locked(0)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await DeadlineWatch().run(within: .seconds(60), since: .now, or: Self.timedOut) {
                begun.withLock { $0 += 1 }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        await settle()
        #expect(begun.withLock { $0 } == 0)
    }

    /// Otherwise the operation may send a request after its call has ended.
    @Test func `A cancelled call has cancelled its operation, even if the operation has just started`() async {
        let heard = Locked(0)
        for _ in 0..<1_000 {
            let (begun, cancelled, ended) = (Locked(false), Locked(false), Locked(false))
            let task = Task {
                try await DeadlineWatch().run(within: .seconds(60), since: .now, or: Self.timedOut) {
                    begun.withLock { $0 = true }
                    while !cancelled.withLock(\.self) { await Task.yield() }
                    heard.withLock { $0 += Task.isCancelled ? 1 : 0 }
                    ended.withLock { $0 = true }
                }
            }
            while !begun.withLock(\.self) { await Task.yield() }
            task.cancel()
            cancelled.withLock { $0 = true }
            while !ended.withLock(\.self) { await Task.yield() }
        }
        #expect(heard.withLock { $0 } == 1_000)
    }

    @Test func `A call that has timed out has cancelled its operation`() async {
        var heard = 0
        for _ in 0..<200 {
            let (clock, begun, cancelled) = (ManualTime(), Locked(false), Locked(false))
            let call = Task {
                try await DeadlineWatch(time: clock.time).run(
                    within: .seconds(1), since: clock.start, or: Self.timedOut
                ) {
                    try await withTaskCancellationHandler {
                        begun.withLock { $0 = true }
                        try await Self.wait()
                    } onCancel: {
                        cancelled.withLock { $0 = true }
                    }
                }
            }
            while !begun.withLock(\.self) { await Task.yield() }
            await clock.suspend(to: .seconds(1))
            await #expect(throws: APIError.self) { try await call.value }
            heard += cancelled.withLock(\.self) ? 1 : 0
        }
        #expect(heard == 200)
    }

    @Test(arguments: [60, 61, 600, 86_400])
    func `Time in which the process was suspended does not count`(end: Int) async throws {
        let call = call()
        await clock.run(to: .seconds(10))
        await clock.suspend(to: .seconds(end))
        // Even before the watching task runs again, no more than its sleep is counted.
        let counted = deadlines.elapsed(since: clock.start)
        #expect(counted >= .seconds(10) && counted <= .seconds(10) + DeadlineWatch.pulse)
        await expectEnd(of: call, after: end + 44, by: end + 51)
    }

    @Test func `A call that starts after the suspension has its own timeout`() async throws {
        let first = call()
        await clock.run(to: .seconds(10))
        await clock.suspend(to: .seconds(600))
        await expectEnd(of: call(since: clock.start + .seconds(600)), after: 659, by: 660)
        #expect(await first.task.value?.message == "late")
    }

    /// A call writes its form first, and is sent afterwards: two parts with one start.
    @Test func `A suspension in the first part of a call does not count in the second`() async throws {
        let first = call().task
        await clock.run(to: .seconds(10))
        await clock.suspend(to: .seconds(600))
        #expect(deadlines.elapsed(since: clock.start) < .seconds(20))
        first.cancel()
        _ = await first.value
        #expect(deadlines.elapsed(since: clock.start) < .seconds(20))
        await expectEnd(of: call(), after: 640, by: 655)
    }

    @Test func `A machine that is busy for a moment does not extend a deadline`() async throws {
        let call = call().task
        await clock.run(to: .seconds(60) - DeadlineWatch.pulse)
        await clock.suspend(to: .seconds(60) + DeadlineWatch.tolerance)
        #expect(await call.value?.message == "late")
    }
}
