import FingerpostFiles
import Foundation

/// The requests and connections of a server, shared by its threads.
final class Traffic: Sendable {
    private struct State {
        var requests: [ReceivedRequest] = []
        var requestCount = 0
        var connectionCount = 0
        /// The open connections, by number.
        var sockets: [Int: Socket] = [:]
        var observers: [AsyncStream<Void>.Continuation] = []
        var isStopped = false

        func notifyObservers() { for observer in observers { observer.yield() } }
    }

    private let state = Locked(State())
    private let isRecording: Bool

    init(isRecording: Bool) { self.isRecording = isRecording }

    var requests: [ReceivedRequest] { state.withLock { $0.requests } }
    var requestCount: Int { state.withLock { $0.requestCount } }
    var connectionCount: Int { state.withLock { $0.connectionCount } }
    var openConnectionCount: Int { state.withLock { $0.sockets.count } }

    /// Registers a connection.
    ///
    /// - Returns: the connection's number; nil if the server has stopped.
    func opened(_ socket: Socket) -> Int? {
        state.withLock { state in
            if state.isStopped { return nil }
            state.connectionCount += 1
            state.sockets[state.connectionCount] = socket
            state.notifyObservers()
            return state.connectionCount
        }
    }

    func closed(_ number: Int) {
        state.withLock { state in
            state.sockets[number] = nil
            state.notifyObservers()
        }
    }

    func received(_ request: ReceivedRequest) {
        state.withLock { state in
            if isRecording { state.requests.append(request) }
            state.requestCount += 1
            state.notifyObservers()
        }
    }

    /// Waits until the condition holds, the server stops or the task is cancelled.
    func wait(until condition: @Sendable (Traffic) -> Bool) async {
        let (changes, observer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let isStopped = state.withLock { state in
            state.observers.removeAll { observer in
                // An observer whose wait has ended is terminated.
                if case .terminated = observer.yield() { return true }
                return false
            }
            state.observers.append(observer)
            return state.isStopped
        }
        observer.yield()
        if isStopped { observer.finish() }
        for await _ in changes where condition(self) { break }
        observer.finish()
    }

    /// Shuts down all connections and ends all waits.
    func stop() {
        let sockets = state.withLock { state in
            state.isStopped = true
            for observer in state.observers { observer.finish() }
            state.observers = []
            return Array(state.sockets.values)
        }
        for socket in sockets { socket.shutDown() }
    }
}
