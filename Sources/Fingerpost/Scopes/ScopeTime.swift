import Foundation

/// A scope's clock, whatever its type of instant.
struct ScopeTime: Sendable {
    /// The time since the scope was made.
    let elapsed: @Sendable () -> Duration
    /// The date, which is the system's when the scope is made and goes on by the scope's clock.
    let date: @Sendable () -> Date
    /// Waits; ends early only with an error.
    let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        let elapsed = { @Sendable in start.duration(to: clock.now) }
        let startDate = Date()
        self.elapsed = elapsed
        date = { startDate + elapsed() / .seconds(1) }
        sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    }

}
