import FingerpostFiles
import Foundation

/// Accepts connections on a thread of its own until it is stopped.
final class Listener: Sendable {
    /// Wakes the thread. Shutting down a listening socket would wake the thread only on Linux.
    private let wake = Pipe()
    private let ended = DispatchSemaphore(value: 0)
    private let isStopped = Locked(false)

    init(_ socket: Socket, accepted: @escaping @Sendable (Socket) -> Void) throws {
        let wake = wake.fileHandleForReading
        let thread = Thread { [isStopped, ended] in
            while !isStopped.withLock({ $0 }) {
                socket.waitUntilReadable(or: wake.fileDescriptor)
                while let connection = socket.accept() { accepted(connection) }
            }
            socket.close()
            ended.signal()
        }
        thread.name = "LoopbackServer"
        thread.start()
    }

    /// Stops accepting, and returns when the port is closed.
    func stop() {
        let wasStopped = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return isStopped
        }
        if wasStopped { return }
        // Fails only if the thread has already ended.
        try? wake.fileHandleForWriting.write(contentsOf: [0])
        _ = ended.wait(timeout: .now() + .seconds(5))
    }
}
