/// Keeps the finished calls.
package final class CallList: CallObserver {
    private let list = Locked<[LoggedCall]>([])

    package init() {}

    package var calls: [LoggedCall] { list.withLock { $0 } }

    package var lines: [String] { calls.map(\.line) }

    package func finished(_ call: LoggedCall) { list.withLock { $0.append(call) } }
}
