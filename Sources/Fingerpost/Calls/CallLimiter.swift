import FingerpostFiles

/// Limits how many calls of a client go to one origin at the same time. The others wait, and continue in the order in
/// which they came.
final class CallLimiter: Sendable {
    /// The calls of one origin.
    private struct Line {
        var running = 0
        /// The waiting calls in their order. A cancelled call stays in the line until it is the first. This is a slice
        /// because removing its first element takes constant time, and the line of a busy host may be long.
        var waiting: ArraySlice<FirstResult<Void>> = []
    }

    let limit: Int
    private let lines = Locked([Origin: Line]())

    /// - Parameter limit: how many calls go to one host at the same time, at least 1.
    init(limit: Int) { self.limit = limit }

    /// A place among the calls to a host. Leave it when the call has ended.
    final class Place: Sendable {
        /// nil once the place was given up.
        private let limiter: Locked<CallLimiter?>
        private let origin: Origin

        fileprivate init(_ limiter: CallLimiter, _ origin: Origin) {
            self.limiter = Locked(limiter)
            self.origin = origin
        }

        /// Gives up the place, to the call that has waited longest. Calling this method again has no effect.
        func leave() { limiter.withLock { $0.take() }?.leave(origin) }
    }

    /// Takes a place at a host; nil if all are taken.
    ///
    /// - Parameter turn: gets a result when the call may take a place; nil for a call that does not wait.
    /// - Throws: ``APIError`` of the kind `invalidRoute` if there are no places.
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

    /// Takes a place at a host, as soon as there is one that no earlier call waits for.
    ///
    /// - Throws: `CancellationError` when the task is cancelled. No place is taken then.
    func wait(at origin: Origin) async throws -> Place {
        let turn = FirstResult<Void>()
        if let place = try place(at: origin, or: turn) { return place }
        try await turn.value()
        return Place(self, origin)
    }

    private func leave(_ origin: Origin) {
        // A call that was cancelled takes no place.
        while let next = next(at: origin), !next.end(.success(())) {}
    }

    /// Gives up a place. Returns the first call of the line, which takes the place; nil if no call waits.
    private func next(at origin: Origin) -> FirstResult<Void>? {
        lines.withLock { lines in
            if let first = lines[origin]?.waiting.popFirst() { return first }
            let running = (lines[origin]?.running ?? 1) - 1
            lines[origin] = running == 0 ? nil : Line(running: running)
            return nil
        }
    }
}
