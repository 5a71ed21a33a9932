import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Calls the client of a ``SessionProtocol`` in order, on the thread that the loading system expects. On Apple
/// platforms, this is the run loop in which the loading started. On Linux, this is the work queue of the session,
/// because Foundation does not lock the state of the session's tasks. Foundation calls only one method on this queue:
/// `startLoading`. To run code on the queue, this type therefore calls `resume()` on the running task, which makes
/// Foundation call `startLoading` again.
///
/// `@unchecked Sendable`: other threads only enqueue blocks. Only these blocks use the `SessionProtocol`, and the
/// blocks run one after another. The `SessionProtocol` locks its own state.
final class SessionDelivery: @unchecked Sendable {
    typealias Block = @Sendable (any URLProtocolClient, SessionProtocol) -> Void

    /// The reference is weak, because the target holds this object. The loading system holds the target until the
    /// loading ends.
    private weak var target: SessionProtocol?
    #if canImport(FoundationNetworking)
        private let pending = Locked<[Block]>([])
        /// A call of `resume()` blocks its thread until the work queue is free. Code on the work queue or in a Swift
        /// task must not block, so `resume()` is called on this separate queue. If each request had a queue of its own,
        /// many requests would occupy all threads of Dispatch, and none would be left for the work queue.
        private static let queue = DispatchQueue(label: "Fingerpost.SessionDelivery")
    #else
        private let runLoop = RunLoop.current
        private let modes: [RunLoop.Mode]
    #endif

    /// - Parameter target: a protocol whose loading starts on this thread.
    init(to target: SessionProtocol) {
        self.target = target
        #if !canImport(FoundationNetworking)
            modes = [.default] + [runLoop.currentMode].compactMap { $0 == .default ? nil : $0 }
        #endif
    }

    /// Calls the client asynchronously, unless the loading is stopped first.
    func perform(_ body: @escaping Block) {
        #if canImport(FoundationNetworking)
            let isFirst = pending.withLock { blocks in
                blocks.append(body)
                return blocks.count == 1
            }
            if isFirst { Self.queue.async { [self] in wake() } }
        #else
            runLoop.perform(inModes: modes) { [self] in call(body) }
            // A timer wakes a waiting run loop. The timer itself does nothing.
            let timer = Timer(timeInterval: 0, repeats: false) { _ in }
            for mode in modes { runLoop.add(timer, forMode: mode) }
        #endif
    }

    /// Runs all pending blocks, which call the client. Call this method from `startLoading`.
    func performPending() {
        #if canImport(FoundationNetworking)
            let blocks = pending.withLock { blocks in
                defer { blocks = [] }
                return blocks
            }
            blocks.forEach(call)
        #endif
    }

    private func call(_ body: Block) {
        if let target, let client = target.client, !target.isStopped { body(client, target) }
    }

    #if canImport(FoundationNetworking)
        /// Makes Foundation call `startLoading`, which calls ``performPending()``. If the app has suspended the task,
        /// Foundation makes this call when the app resumes the task.
        private func wake() {
            guard !pending.withLock({ $0.isEmpty }), let task = target?.task, task.state == .running
            else { return }
            task.resume()
        }
    #endif
}
