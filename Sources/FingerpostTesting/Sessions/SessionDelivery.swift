import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Calls the client of a ``SessionProtocol`` in order, where the loading system expects it: on Apple platforms in the
/// run loop in which the loading has started, on Linux on a serial queue.
///
/// `@unchecked Sendable`: other threads only pass blocks on. The protocol is used in the blocks, which run one after
/// another, and its state of its own is locked.
final class SessionDelivery: @unchecked Sendable {
    private let target: SessionProtocol
    #if canImport(FoundationNetworking)
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
    func perform(_ body: @escaping @Sendable (any URLProtocolClient, SessionProtocol) -> Void) {
        let block = { @Sendable [self] in
            if let client = target.client, !target.isStopped { body(client, target) }
        }
        #if canImport(FoundationNetworking)
            queue.async(execute: block)
        #else
            runLoop.perform(inModes: modes, block: block)
            #if canImport(Darwin)
                CFRunLoopWakeUp(runLoop.getCFRunLoop())
            #endif
        #endif
    }
}
