import FingerpostFiles

/// A clock for tests. Sleeping on this clock takes no real time.
///
/// The task with the earliest deadline wakes first, and the clock's time moves to that deadline. Events therefore
/// happen in the same order as with a real clock. If only mocks answer a test's calls, the test's scope has a virtual
/// clock. To test code that takes a `Clock`, create your own virtual clock.
public final class VirtualClock: Clock {
    /// The duration between two instants.
    public typealias Duration = Swift.Duration

    /// A point in time on a virtual clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock was created.
        public var offset: Duration

        /// Returns the instant that is later than this instant by a duration.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the duration from this instant to another instant. The duration is negative if the other instant is
        /// earlier.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// True if the first instant is earlier than the second.
        public static func < (instant: Instant, other: Instant) -> Bool { instant.offset < other.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var nextID: Int64 = 0
        /// The deadlines of the sleeping tasks.
        var sleepers: [Int64: Instant] = [:]
    }

    /// The number of times that a sleeping task yields before the clock's time moves on. While the task yields, other
    /// tasks that are about to sleep can register their deadlines.
    private static let patience = 50

    private let state = Locked(State())

    /// Creates a clock whose time is zero.
    public init() {}

    /// The clock's current time. The time moves only when a task sleeps.
    public var now: Instant { state.withLock { $0.now } }

    /// The resolution is zero, because the clock's time moves exactly to each deadline.
    public var minimumResolution: Duration { .zero }

    /// Suspends the task while another sleeping task has an earlier deadline. Then moves the time to the task's
    /// deadline.
    ///
    /// - Parameters:
    ///   - deadline: the time at which the task wakes. A deadline in the past does not move the time back.
    ///   - tolerance: ignored.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            state.sleepers[state.nextID] = deadline
            return state.nextID
        }
        defer { state.withLock { $0.sleepers[id] = nil } }
        repeat {
            for _ in 0..<Self.patience {
                try Task.checkCancellation()
                await Task.yield()
            }
        } while !wake(id, at: deadline)
    }

    /// Returns false if another sleeping task has an earlier deadline. Otherwise moves the time to the deadline and
    /// returns true.
    private func wake(_ id: Int64, at deadline: Instant) -> Bool {
        state.withLock { state in
            let isFirst = state.sleepers.allSatisfy { ($1, $0) >= (deadline, id) }
            if isFirst {
                state.now = max(state.now, deadline)
                state.sleepers[id] = nil
            }
            return isFirst
        }
    }
}
