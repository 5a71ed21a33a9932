/// A scope's clock, whatever its type of instant.
struct ScopeTime: Sendable {
    /// The time since the scope was made.
    let elapsed: @Sendable () -> Duration
    /// Waits; ends early only with an error.
    let sleep: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    }

    /// The time where there is no scope.
    static let system = ScopeTime(ContinuousClock())
}
