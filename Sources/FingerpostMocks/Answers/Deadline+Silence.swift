import Fingerpost

/// The waits of a mocked server that is silent.
extension Deadline {
    /// Waits as for a server that is silent.
    ///
    /// - Parameters:
    ///   - silence: how long it is silent.
    ///   - count: how many times it is.
    /// - Throws: ``APIError`` at the deadline, and when the idle timeout has passed; `CancellationError` when the task
    ///   is cancelled.
    func sleep(_ silence: Duration, times count: Int = 1) async throws {
        // Time that has already passed, for example in middleware or earlier attempts, counts toward the timeout.
        let rest = rest
        let idle = idleTimeout(shorterThan: silence)
        let wait = idle ?? silence * count
        try await pause(max(.zero, min(wait, rest)))
        if wait >= rest { throw APIError.noResponse(within: timeout) }
        if let idle { throw APIError.idle(for: idle, afterBytes: nil) }
    }

    /// Waits as for a server that is silent in a stream: the deadline only limits the time up to the stream's head.
    ///
    /// - Parameter silence: how long it is silent; nil for ever.
    /// - Throws: ``APIError`` when the idle timeout has passed; `CancellationError` when the task is cancelled.
    func sleepInStream(_ silence: Duration?) async throws {
        if let idle = idleTimeout(shorterThan: silence ?? .seconds(Int64.max)) {
            try await pause(idle)
            throw APIError.idle(for: idle, afterBytes: nil)
        }
        while silence == nil { try await Task.sleep(for: .seconds(86_400)) }
        if let silence, silence > .zero { try await pause(silence) }
    }

    /// True if the server may be silent for a duration.
    func allows(_ silence: Duration) -> Bool {
        hasRoom(for: silence) && idleTimeout(shorterThan: silence) == nil
    }

    private func idleTimeout(shorterThan silence: Duration) -> Duration? {
        idleTimeout.flatMap { $0 < silence ? $0 : nil }
    }
}
