import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Sends the same response to every request on 127.0.0.1, with one thread per connection, until the process ends.
struct SocketResponder {
    /// The port that the system assigned.
    let port: UInt16
    /// Locked while the server answers nothing.
    private let gate = NSLock()

    init(body: String, contentType: String) throws {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let listener = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutableBytes(of: &address) { bytes in
            let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!
            guard listener >= 0, bind(listener, address, size) == 0, listen(listener, 16) == 0,
                getsockname(listener, address, &size) == 0
            else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }
        port = UInt16(bigEndian: address.sin_port)

        let response = Array(
            "HTTP/1.1 200 OK\r\nContent-Type: \(contentType)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
        Thread.detachNewThread { [gate] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread { Self.serve(connection, response, gate) }
            }
        }
    }

    /// Answers nothing while the body runs.
    func hold(_ body: () -> Void) { gate.withLock(body) }

    private static func serve(_ connection: Int32, _ response: [UInt8], _ gate: NSLock) {
        var yes: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        var buffer = [UInt8](repeating: 0, count: 8192)
        var received = 0
        while received < buffer.count {
            let count = buffer.withUnsafeMutableBytes {
                read(connection, $0.baseAddress! + received, $0.count - received)
            }
            guard count > 0 else { break }
            received += count
            // Requests have no body and are not pipelined: a request is complete when the bytes end in an empty line.
            guard buffer[..<received].suffix(4).elementsEqual("\r\n\r\n".utf8) else { continue }
            received = 0
            gate.withLock {}
            guard response.withUnsafeBytes({ write(connection, $0.baseAddress, $0.count) }) == response.count else {
                break
            }
        }
        close(connection)
    }
}
