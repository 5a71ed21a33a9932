import Foundation

/// A scope's clock, with the type of its instants erased. `MockTiming` sleeps on this clock to delay responses. In
/// tests that mocks answer, `ScopeSettings` gives the scope a virtual clock.
final class ScopeTime: Sendable {
    let clock: any Clock<Duration>
    /// The time since the scope was created.
    let elapsed: @Sendable () -> Duration
    /// The current date: the system's date when the scope was created, advanced by the scope's clock.
    let date: @Sendable () -> Date
    /// Sleeps on the scope's clock. Throws when the sleep is interrupted.
    let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        self.clock = clock
        let start = clock.now
        let elapsed = { @Sendable in start.duration(to: clock.now) }
        let startDate = Date()
        self.elapsed = elapsed
        date = { startDate + elapsed() / .seconds(1) }
        sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    }
}
