import Fingerpost
import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers the requests of sessions from the mocks of the scope that the class belongs to. It claims every request, and
/// opens no connection.
class SessionProtocol: URLProtocol {
    private let state = Locked<(task: Task<Void, Never>?, isStopped: Bool)>((nil, false))

    // MARK: Classes

    /// The class with a number. The types of the binary digits nest about 20 deep for a million classes.
    static func type(number: Int) -> SessionProtocol.Type { type(number, NoDigits.self) }

    private static func type<Digits>(_ number: Int, _: Digits.Type) -> SessionProtocol.Type {
        if number == 0 { return NumberedProtocol<Digits>.self }
        return number % 2 == 0 ? type(number / 2, Zero<Digits>.self) : type(number / 2, One<Digits>.self)
    }

    // MARK: URLProtocol

    // Also what is no HTTP request, and tasks that cannot be answered: they are refused, because another class would
    // send them.
    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canInit(with task: URLSessionTask) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let call = SessionCall(request, of: task, by: Swift.type(of: self))
        let delivery = SessionDelivery(to: self)
        // Detached, because the scope is the class's and not that of the task in which the session may be used.
        let work = Task.detached { await call.run(into: delivery) }
        let isStopped = state.withLock { state in
            state.task = work
            return state.isStopped
        }
        if isStopped { work.cancel() }
    }

    override func stopLoading() {
        let task = state.withLock { state in
            state.isStopped = true
            return state.task
        }
        task?.cancel()
    }

    /// True once the client must not be called any more.
    var isStopped: Bool { state.withLock { $0.isStopped } }
}

private final class NumberedProtocol<Digits>: SessionProtocol {}

private enum NoDigits {}
private enum Zero<Rest> {}
private enum One<Rest> {}
