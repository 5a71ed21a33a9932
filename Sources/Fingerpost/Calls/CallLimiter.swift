import FingerpostFiles

/// Limits how many calls of a client go to one origin at the same time. The others wait, and continue in the order in
/// which they came.
final class CallLimiter: Sendable {
    /// The calls of one origin.
    private struct Line {
        private(set) var running = 0
        /// The waiting calls in their order. A call that was cancelled keeps its place until the line reaches it.
        var waiting: ArraySlice<FirstResult<Void>> = []

        /// Takes a place if one is free.
        mutating func enter(_ limit: Int) -> Bool {
            guard running < limit else { return false }
            running += 1
            return true
        }

        /// Gives up a place. Returns the first call of the line, which takes the place; nil if no call waits.
        mutating func leave() -> FirstResult<Void>? {
            // A slice takes constant time for each call, and the line of a busy host may never be empty.
            if let first = waiting.popFirst() { return first }
            (running, waiting) = (running - 1, [])
            return nil
        }
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
    /// - Throws: ``APIError`` of the kind `invalidRoute` if there are no places.
    func place(at origin: Origin) throws(APIError) -> Place? {
        guard limit > 0 else {
            throw APIError(.invalidRoute, "maximumCallsPerHost is \(limit)", fix: "set it to 1 or more, or to nil")
        }
        return lines.withLock { $0[origin, default: Line()].enter(limit) } ? Place(self, origin) : nil
    }

    /// Takes a place at a host, as soon as the calls that came before have had theirs.
    ///
    /// - Throws: `CancellationError` when the task is cancelled. No place is taken then.
    func wait(at origin: Origin) async throws -> Place {
        let turn = FirstResult<Void>()
        let isEntered = lines.withLock { lines in
            if lines[origin, default: Line()].enter(limit) { return true }
            lines[origin]?.waiting.append(turn)
            return false
        }
        if !isEntered { try await turn.value() }
        return Place(self, origin)
    }

    private func leave(_ origin: Origin) {
        // A call that was cancelled takes no place.
        while let next = next(at: origin), !next.end(.success(())) {}
    }

    private func next(at origin: Origin) -> FirstResult<Void>? {
        lines.withLock { lines in
            guard var line = lines[origin] else { return nil }
            defer { lines[origin] = line.running == 0 ? nil : line }
            return line.leave()
        }
    }
}
