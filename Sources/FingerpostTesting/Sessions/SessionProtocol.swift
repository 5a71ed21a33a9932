import Fingerpost
import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers the requests of sessions with mocks. The class belongs to a scope, and the scope's mocks answer. The class
/// accepts every request and opens no connection.
class SessionProtocol: URLProtocol {
    private struct State {
        /// Delivers the answer to the client. Nil until the loading starts.
        var delivery: SessionDelivery?
        var work: Task<Void, Never>?
        var isStopped = false
    }

    private let state = Locked(State())

    // MARK: Classes

    /// Returns the class for a number. The binary digits of the number are nested type parameters, so a million classes
    /// need about 20 levels.
    static func type(number: Int) -> SessionProtocol.Type { type(number, NoDigits.self) }

    private static func type<Digits>(_ number: Int, _: Digits.Type) -> SessionProtocol.Type {
        if number == 0 { return NumberedProtocol<Digits>.self }
        return number % 2 == 0
            ? type(number / 2, Zero<Digits>.self) : type(number / 2, One<Digits>.self)
    }

    // MARK: URLProtocol

    // This class accepts every request and every task, because Foundation would send any request that the class does
    // not accept. Unsupported requests are refused later.
    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canInit(with task: URLSessionTask) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    // On Linux, Foundation calls this method each time the task is resumed: see `SessionDelivery`.
    override func startLoading() {
        if let delivery = state.withLock({ $0.delivery }) { return delivery.performPending() }
        let call = SessionCall(request, of: task, by: Swift.type(of: self))
        let delivery = SessionDelivery(to: self)
        state.withLock { $0.delivery = delivery }
        // The task is detached, because the class defines the scope. The task that uses the session may run in another
        // scope.
        let work = Task.detached { await call.run(into: delivery) }
        let isStopped = state.withLock { state in
            state.work = work
            return state.isStopped
        }
        if isStopped { work.cancel() }
    }

    override func stopLoading() {
        #if canImport(FoundationNetworking)
            // The loading of a suspended task is not stopped. The client gets the answer when the app resumes the task.
            if let task, task.state == .running || task.state == .suspended { return }
        #endif
        let work = state.withLock { state in
            state.isStopped = true
            return state.work
        }
        work?.cancel()
    }

    /// True if the client must not be called any more.
    var isStopped: Bool { state.withLock { $0.isStopped } }
}

private final class NumberedProtocol<Digits>: SessionProtocol {}

private enum NoDigits {}
private enum Zero<Rest> {}
private enum One<Rest> {}
