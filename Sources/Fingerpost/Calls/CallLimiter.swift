import FingerpostFiles

/// Limits the number of calls that a client sends to one origin at the same time. Further calls wait, and the call that
/// has waited the longest continues first.
final class CallLimiter: Sendable {
    /// The calls of one origin.
    private struct Line {
        var running = 0
        /// The waiting calls, in order. A cancelled call is removed only when it is the first. This collection is a
        /// slice, because removing the first element of a slice takes constant time.
        var waiting: ArraySlice<FirstResult<Void>> = []
    }

    let limit: Int
    private let lines = Locked([Origin: Line]())

    /// - Parameter limit: the maximum number of calls to one origin at the same time, at least 1.
    init(limit: Int) { self.limit = limit }

    /// The permission of one call to run. Call ``leave()`` when the call has ended.
    final class Place: Sendable {
        /// The limiter that counts this permission; nil after ``leave()``.
        private let limiter: Locked<CallLimiter?>
        private let origin: Origin

        fileprivate init(_ limiter: CallLimiter, _ origin: Origin) {
            self.limiter = Locked(limiter)
            self.origin = origin
        }

        /// Ends the permission, and gives it to the call that has waited the longest. Calling this method again does
        /// nothing.
        func leave() { limiter.withLock { $0.take() }?.leave(origin) }
    }

    /// Returns a permission to call an origin, or nil if the limit is reached.
    ///
    /// - Parameter turn: gets a result when a waiting call may run; nil for a call that does not wait.
    /// - Throws: ``APIError`` of the kind `invalidRoute` if the limit is not positive.
    func place(at origin: Origin, or turn: FirstResult<Void>? = nil) throws(APIError) -> Place? {
        guard limit > 0 else {
            throw APIError(.invalidRoute, "maximumCallsPerHost is \(limit)", fix: "set it to 1 or more, or to nil")
        }
        let isFree = lines.withLock { lines in
            guard let running = lines[origin]?.running, running >= limit else {
                lines[origin, default: Line()].running += 1
                return true
            }
            if let turn { lines[origin]?.waiting.append(turn) }
            return false
        }
        return isFree ? Place(self, origin) : nil
    }

    /// Waits for a permission to call an origin.
    ///
    /// - Throws: `CancellationError` if the task is cancelled. A cancelled call gets no permission.
    func wait(at origin: Origin) async throws -> Place {
        let turn = FirstResult<Void>()
        if let place = try place(at: origin, or: turn) { return place }
        try await turn.value()
        return Place(self, origin)
    }

    private func leave(_ origin: Origin) {
        // If the next call was cancelled, it cannot take the permission, so try the call after it.
        while let next = next(at: origin), !next.end(.success(())) {}
    }

    /// Ends a permission. Returns the first waiting call, which gets the permission, or nil if no call waits.
    private func next(at origin: Origin) -> FirstResult<Void>? {
        lines.withLock { lines in
            if let first = lines[origin]?.waiting.popFirst() { return first }
            let running = (lines[origin]?.running ?? 1) - 1
            lines[origin] = running == 0 ? nil : Line(running: running)
            return nil
        }
    }
}
