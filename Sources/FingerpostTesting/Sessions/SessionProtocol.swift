import Fingerpost
import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers the requests of sessions from the mocks of the scope that the class belongs to. It claims every request, and
/// opens no connection.
class SessionProtocol: URLProtocol {
    private struct State {
        /// Delivers the answer to the client; nil before the loading has started.
        var delivery: SessionDelivery?
        var work: Task<Void, Never>?
        var isStopped = false
    }

    private let state = Locked(State())

    // MARK: Classes

    /// The class with a number. The types of the binary digits nest about 20 deep for a million classes.
    static func type(number: Int) -> SessionProtocol.Type { type(number, NoDigits.self) }

    private static func type<Digits>(_ number: Int, _: Digits.Type) -> SessionProtocol.Type {
        if number == 0 { return NumberedProtocol<Digits>.self }
        return number % 2 == 0
            ? type(number / 2, Zero<Digits>.self) : type(number / 2, One<Digits>.self)
    }

    // MARK: URLProtocol

    // Also accepts requests of other schemes and tasks without an answer, and refuses them later, because another class
    // would send them.
    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canInit(with task: URLSessionTask) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    // On Linux, Foundation calls this whenever the task is resumed: see `SessionDelivery`.
    override func startLoading() {
        if let delivery = state.withLock({ $0.delivery }) { return delivery.performPending() }
        let call = SessionCall(request, of: task, by: Swift.type(of: self))
        let delivery = SessionDelivery(to: self)
        state.withLock { $0.delivery = delivery }
        // Detached, because the scope is the class's and not that of the task in which the session may be used.
        let work = Task.detached { await call.run(into: delivery) }
        let isStopped = state.withLock { state in
            state.work = work
            return state.isStopped
        }
        if isStopped { work.cancel() }
    }

    override func stopLoading() {
        #if canImport(FoundationNetworking)
            // The task is only suspended. Deliveries wait until the task is resumed.
            if let task, task.state == .running || task.state == .suspended { return }
        #endif
        let work = state.withLock { state in
            state.isStopped = true
            return state.work
        }
        work?.cancel()
    }

    /// True once the client must not be called any more.
    var isStopped: Bool { state.withLock { $0.isStopped } }
}

private final class NumberedProtocol<Digits>: SessionProtocol {}

private enum NoDigits {}
private enum Zero<Rest> {}
private enum One<Rest> {}
