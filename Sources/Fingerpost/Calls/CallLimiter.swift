import FingerpostFiles

/// Limits how many calls of a client go to one origin at the same time. The others wait, and continue in the order in
/// which they came.
final class CallLimiter: Sendable {
    /// The calls of one origin.
    private struct Line {
        var running = 0
        /// The waiting calls in their order. A call that was cancelled keeps its place until the line reaches it.
        var waiting: [Int64] = []
        /// The index of the first waiting call.
        private var first = 0

        init(running: Int = 0) {
            self.running = running
        }

        /// Removes the first call from the line.
        mutating func next() -> Int64? {
            guard first < waiting.count else { return nil }
            defer { first += 1 }
            // The line of a busy host may never be empty. Removing in blocks takes constant time for each call.
            if first >= 1024, first > waiting.count / 2 {
                waiting.removeFirst(first)
                first = 0
            }
            return waiting[first]
        }
    }

    private struct State {
        var lines = [Origin: Line]()
        var waiters = [Int64: CheckedContinuation<Void, any Error>]()
        var nextID: Int64 = 0

        mutating func enter(_ origin: Origin, _ limit: Int) -> Bool {
            guard lines[origin, default: Line()].running < limit else { return false }
            lines[origin, default: Line()].running += 1
            return true
        }
    }

    let limit: Int
    private let state = Locked(State())

    /// - Parameter limit: how many calls go to one host at the same time, at least 1.
    init(limit: Int) {
        self.limit = limit
    }

    /// A place among the calls to a host. Leave it when the call has ended.
    final class Place: Sendable {
        private let limiter: CallLimiter
        private let origin: Origin
        private let isTaken = Locked(true)

        fileprivate init(_ limiter: CallLimiter, _ origin: Origin) {
            self.limiter = limiter
            self.origin = origin
        }

        /// Gives up the place, to the call that has waited longest. Calling this method again has no effect.
        func leave() {
            let wasTaken = isTaken.withLock { isTaken in
                defer { isTaken = false }
                return isTaken
            }
            if wasTaken { limiter.leave(origin) }
        }
    }

    /// Takes a place at a host; nil if all are taken.
    ///
    /// - Throws: ``APIError`` of the kind `invalidRoute` if there are no places.
    func place(at origin: Origin) throws(APIError) -> Place? {
        guard limit > 0 else {
            throw APIError(.invalidRoute, "maximumCallsPerHost is \(limit)", fix: "set it to 1 or more, or to nil")
        }
        return state.withLock { $0.enter(origin, limit) } ? Place(self, origin) : nil
    }

    /// Takes a place at a host, as soon as the calls that came before have had theirs.
    ///
    /// - Throws: `CancellationError` when the task is cancelled. No place is taken then.
    func wait(at origin: Origin) async throws -> Place {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isEntered = state.withLock { state in
                    if state.enter(origin, limit) { return true }
                    state.lines[origin, default: Line()].waiting.append(id)
                    state.waiters[id] = continuation
                    return false
                }
                if isEntered { return continuation.resume() }
                // A task that was cancelled before is not cancelled again.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        return Place(self, origin)
    }

    @inline(never)
    private func leave(_ origin: Origin) {
        let next: CheckedContinuation<Void, any Error>? = state.withLock { state in
            guard var line = state.lines[origin] else { return nil }
            defer { state.lines[origin] = line.running == 0 ? nil : line }
            while let id = line.next() {
                if let waiter = state.waiters.removeValue(forKey: id) { return waiter }
            }
            line = Line(running: line.running - 1)
            return nil
        }
        next?.resume()
    }

    private func cancel(_ id: Int64) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
        waiter?.resume(throwing: CancellationError())
    }
}
