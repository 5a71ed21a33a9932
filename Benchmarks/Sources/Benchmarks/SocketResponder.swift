import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Sends the same response to every request on 127.0.0.1, with one thread per connection, until the process ends. The
/// path `/download` may have a large body instead.
struct SocketResponder {
    /// What the server does with a request.
    enum Reading {
        /// Reads its head and its body.
        case whole
        /// Answers each read without a look at what it read. The server runs in the process that is measured, and each
        /// microsecond that it takes brings a ratio nearer to 1. For requests that a client writes in one go.
        case none
    }

    /// A large body.
    struct Download: Sendable {
        /// In bytes.
        let size: Int
        /// The folder that it is written to. The server sends at most 8 MB more than the files in the folder contain;
        /// without a folder, as fast as the connection takes it.
        let folder: URL?

        /// How many bytes have been written.
        func stored(in folder: URL) -> Int {
            // Files may be created, renamed and deleted meanwhile.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.reduce(0) { sum, name in
                var status = stat()
                return stat(folder.appendingPathComponent(name).path, &status) == 0 ? sum + Int(status.st_size) : sum
            }
        }
    }

    /// The port that the system assigned.
    let port: UInt16
    /// Locked while the server answers nothing.
    private let gate = NSLock()

    init(body: String, contentType: String, download: Download? = nil, reading: Reading = .whole) throws {
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
                Thread.detachNewThread {
                    var yes: Int32 = 1
                    let size = socklen_t(MemoryLayout<Int32>.size)
                    setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, size)
                    switch reading {
                    case .whole: Self.serve(connection, response, download, gate)
                    case .none: Self.answerReads(of: connection, response)
                    }
                    close(connection)
                }
            }
        }
    }

    /// Answers nothing while the body runs.
    func hold(_ body: () -> Void) { gate.withLock(body) }

    private static func serve(_ connection: Int32, _ response: [UInt8], _ download: Download?, _ gate: NSLock) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while let (head, extra) = readHead(connection, &buffer), skipBody(connection, of: head, extra, &buffer) {
            gate.withLock {}
            let isSent: Bool
            if let download, head.hasPrefix("GET /download ") {
                isSent = send(download, connection)
            } else {
                isSent = send(connection, response, response.count)
            }
            guard isSent else { break }
        }
    }

    private static func answerReads(of connection: Int32, _ response: [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while buffer.withUnsafeMutableBytes({ read(connection, $0.baseAddress!, $0.count) }) > 0,
            send(connection, response, response.count)
        {}
    }

    /// The head of the next request, and how many bytes after it have been read.
    private static func readHead(_ connection: Int32, _ buffer: inout [UInt8]) -> (head: String, extra: Int)? {
        var received = 0
        while received < buffer.count {
            let count = buffer.withUnsafeMutableBytes {
                read(connection, $0.baseAddress! + received, $0.count - received)
            }
            guard count > 0 else { return nil }
            received += count
            if let end = buffer[..<received].firstRange(of: "\r\n\r\n".utf8) {
                return (String(decoding: buffer[..<end.upperBound], as: UTF8.self), received - end.upperBound)
            }
        }
        return nil
    }

    /// Reads the body of a request, whose length must be in its head.
    private static func skipBody(_ connection: Int32, of head: String, _ extra: Int, _ buffer: inout [UInt8]) -> Bool {
        let line = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        var rest = (line.flatMap { Int($0.split(separator: " ").last ?? "") } ?? 0) - extra
        while rest > 0 {
            let count = buffer.withUnsafeMutableBytes { read(connection, $0.baseAddress!, min($0.count, rest)) }
            guard count > 0 else { return false }
            rest -= count
        }
        return true
    }

    private static func send(_ download: Download, _ connection: Int32) -> Bool {
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(download.size)\r\n\r\n".utf8)
        guard send(connection, head, head.count) else { return false }
        let piece = [UInt8](repeating: 7, count: 1_000_000)
        var sent = 0
        while sent < download.size {
            if let folder = download.folder {
                while download.stored(in: folder) < sent - 7 * piece.count { usleep(1_000) }
            }
            let count = min(download.size - sent, piece.count)
            guard send(connection, piece, count) else { return false }
            sent += count
        }
        return true
    }

    private static func send(_ connection: Int32, _ bytes: [UInt8], _ count: Int) -> Bool {
        var sent = 0
        while sent < count {
            let written = bytes.withUnsafeBytes { write(connection, $0.baseAddress! + sent, count - sent) }
            guard written > 0 else { return false }
            sent += written
        }
        return true
    }
}
