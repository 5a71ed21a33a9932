import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Calls the client of a ``SessionProtocol`` in order, where the loading system expects it: on Apple platforms in the
/// run loop in which the loading has started, on Linux on the work queue of the session, because Foundation does not
/// lock what it knows of the session's tasks. Only `startLoading` runs there, and each `resume()` of a running task
/// leads to it.
///
/// `@unchecked Sendable`: other threads only pass blocks on. The protocol is used in the blocks, which run one after
/// another, and its state of its own is locked.
final class SessionDelivery: @unchecked Sendable {
    typealias Block = @Sendable (any URLProtocolClient, SessionProtocol) -> Void

    /// Weak, because the target keeps this object. The loading system keeps the target until the loading ends.
    private weak var target: SessionProtocol?
    #if canImport(FoundationNetworking)
        private let pending = Locked<[Block]>([])
        /// `resume()` waits for the work queue, which code on that queue must not, nor a task.
        private let queue = DispatchQueue(label: "Fingerpost.SessionDelivery")
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

    /// Calls the client later, unless the loading is stopped before.
    func perform(_ body: @escaping Block) {
        #if canImport(FoundationNetworking)
            let isFirst = pending.withLock { blocks in
                blocks.append(body)
                return blocks.count == 1
            }
            if isFirst { queue.async { [self] in wake() } }
        #else
            runLoop.perform(inModes: modes) { [self] in call(body) }
            // A timer wakes a run loop that waits, and does nothing itself.
            let timer = Timer(timeInterval: 0, repeats: false) { _ in }
            for mode in modes { runLoop.add(timer, forMode: mode) }
        #endif
    }

    /// Calls the client with what has come. Called where the loading starts.
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
        /// Leads to ``performPending()``, unless the app has suspended the task, and resumes it itself.
        private func wake() {
            guard !pending.withLock({ $0.isEmpty }), let task = target?.task, task.state == .running
            else { return }
            task.resume()
        }
    #endif
}
