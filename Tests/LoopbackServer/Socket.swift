import FingerpostFiles
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// A TCP socket on 127.0.0.1, which hides the differences between platforms.
///
/// One thread reads, writes and closes the socket. Any other thread may shut the socket down, which ends the waits of
/// the first thread.
final class Socket: Sendable {
    /// A failed system call while opening a socket.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ call: String) { description = "\(call): \(String(cString: strerror(errno)))" }
    }

    let descriptor: Int32
    private let state = Locked(true)

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close() }

    // MARK: Opening

    /// A socket bound to a port that the system assigns.
    static func bound() throws -> Socket {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw Failure("socket") }
        let socket = Socket(descriptor: descriptor)
        socket.keepFromChildren()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure("bind") }
        return socket
    }

    /// Starts listening; `accept()` then returns pending connections without blocking.
    func startListening() throws {
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0 else { throw Failure("fcntl") }
        guard listen(descriptor, 1024) == 0 else { throw Failure("listen") }
    }

    /// The port of a bound socket.
    func port() throws -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard result == 0 else { throw Failure("getsockname") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// The next pending connection; nil without one.
    func accept() -> Socket? {
        let accepted = acceptConnection(descriptor)
        guard accepted >= 0 else { return nil }
        let socket = Socket(descriptor: accepted)
        socket.keepFromChildren()
        // On platforms other than Linux, the connection inherits O_NONBLOCK from the listener.
        _ = fcntl(accepted, F_SETFL, fcntl(accepted, F_GETFL) & ~O_NONBLOCK)
        socket.set(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        // The maximum duration of a read or write.
        let patience = timeval(tv_sec: 60, tv_usec: 0)
        socket.set(SOL_SOCKET, SO_RCVTIMEO, patience)
        socket.set(SOL_SOCKET, SO_SNDTIMEO, patience)
        #if canImport(Darwin)
            socket.set(SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
        #endif
        return socket
    }

    /// A child process must not keep a closed connection open.
    private func keepFromChildren() { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }

    private func set<Value>(_ level: Int32, _ option: Int32, _ value: Value) {
        withUnsafeBytes(of: value) {
            _ = setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count))
        }
    }

    // MARK: Reading and writing

    /// Reads at least one byte. Returns nil at the end of the stream, after an error, and after 60 seconds without
    /// data.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        while isOpen {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return count }
            if count == 0 || errno != EINTR { return nil }
        }
        return nil
    }

    /// Writes all bytes. Returns false if the peer does not accept them.
    func send(_ bytes: [UInt8]) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        return bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                guard isOpen else { return false }
                let slice = UnsafeRawBufferPointer(rebasing: rest)
                let count = sendBytes(descriptor, slice, flags)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// Waits until this socket or the other descriptor is readable.
    func waitUntilReadable(or other: Int32) {
        var entries = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&entries, nfds_t(entries.count), -1)
    }

    /// Waits until the peer closes the connection, and discards what it sends. Returns false after the given time.
    func waitForEnd(atMost time: Duration) -> Bool {
        let end = ContinuousClock.now + time
        var scratch = [UInt8](repeating: 0, count: 4096)
        while isOpen {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&entry, 1, (end - .now).pollMilliseconds)
            if ready == 0 { return false }
            if ready < 0 {
                if errno == EINTR { continue }
                return true
            }
            let count = recv(descriptor, &scratch, scratch.count, Int32(MSG_DONTWAIT))
            if count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN)) { continue }
            return true
        }
        return true
    }

    // MARK: Ending

    var isOpen: Bool { state.withLock { $0 } }

    /// Shuts down both directions, which ends all waits on the socket. The descriptor stays valid until `close()`.
    func shutDown() {
        state.withLock { isOpen in
            if isOpen { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// - Parameter resetting: sends RST, which discards data that the peer has not read yet, instead of FIN.
    func close(resetting: Bool = false) {
        state.withLock { isOpen in
            guard isOpen else { return }
            isOpen = false
            if resetting { set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0)) }
            closeDescriptor(descriptor)
        }
    }
}

// System calls that have the names of methods above.

private func acceptConnection(_ descriptor: Int32) -> Int32 { accept(descriptor, nil, nil) }

private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
    send(descriptor, bytes.baseAddress, bytes.count, flags)
}

private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

extension Duration {
    /// The milliseconds for `poll`, rounded up: a shorter wait would turn the caller's loop into busy waiting.
    fileprivate var pollMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        if self <= .zero { return 0 }
        return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
