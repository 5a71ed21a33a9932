extension Call {
    /// Ends the call for others: for its observers, and for calls that send the same stream. Called again, it does
    /// nothing.
    package func finish() {
        releaseStream()
        let observers = allObservers
        if !observers.isEmpty, beginTelling() { tell(observers) }
    }

    @inline(never)
    private func tell(_ observers: [any CallObserver]) {
        let duration = deadline.elapsed
        let call = LoggedCall(record, duration: duration, responseSize: receivedSize)
        for observer in observers { observer.finished(call) }
    }

    /// The observers that receive the call when it has ended.
    private var allObservers: [any CallObserver] {
        let log = isLogged ? environment?.calls.log ?? .off : .off
        let ofMocks = if case .mocks(let mocks) = responder { mocks.observer } else { nil as (any CallObserver)? }
        // Most calls have none.
        if log == .off, ofMocks == nil, record.observers.isEmpty { return observers }
        let logger = CallLogger.Level(rawValue: log.rawValue).map { CallLogger($0) }
        let others: [(any CallObserver)?] = [logger, ofMocks]
        return observers + record.observers + others.compactMap(\.self)
    }
}
