import FingerpostFiles

/// A clock for tests: who sleeps on it wakes as soon as nobody would have to wake before, and its time is then what it would have been.
///
/// Waiting takes no time, and what was to happen later still happens later. The scopes of tests have one, for the delays of mocks.
public final class VirtualClock: Clock {
    public typealias Duration = Swift.Duration

    /// A time of the clock, counted from its beginning.
    public struct Instant: InstantProtocol {
        public var offset: Duration

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        public func duration(to other: Instant) -> Duration { other.offset - offset }

        public static func < (instant: Instant, other: Instant) -> Bool { instant.offset < other.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var nextID = 0
        /// Who sleeps, and until when.
        var sleepers: [Int: Instant] = [:]
    }

    /// How often others get to run before time goes on: those who are about to sleep should be asleep by then.
    private static let patience = 50

    private let state = Locked(State())

    public init() {}

    public var now: Instant { state.withLock { $0.now } }

    public var minimumResolution: Duration { .zero }

    /// - Throws: `CancellationError` when the task is cancelled.
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

    /// Moves the time on to the deadline, unless somebody else comes first.
    private func wake(_ id: Int, at deadline: Instant) -> Bool {
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
