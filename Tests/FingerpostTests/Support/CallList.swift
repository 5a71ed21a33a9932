import Fingerpost
import FingerpostFiles

/// Keeps the calls that it is told of.
final class CallList: CallObserver {
    private let list = Locked<[LoggedCall]>([])

    var calls: [LoggedCall] { list.withLock { $0 } }

    var lines: [String] { calls.map(\.line) }

    func finished(_ call: LoggedCall) { list.withLock { $0.append(call) } }
}
