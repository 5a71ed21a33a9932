import Foundation

/// Reads the requests of a connection one after another (RFC 9112).
struct RequestReader {
    /// The received bytes are not a valid HTTP request.
    struct Malformed: Error {}

    private let socket: Socket
    private let connection: Int
    /// If false, body bytes are counted and discarded.
    private let keepsBodies: Bool
    private var bodySize = 0
    private var buffer: [UInt8] = []
    /// The index of the first unread byte in the buffer.
    private var start = 0

    init(_ socket: Socket, connection: Int, keepsBodies: Bool) {
        self.keepsBodies = keepsBodies
        self.socket = socket
        self.connection = connection
    }

    /// Reads the next request; nil if the peer closes the connection before the request is complete.
    ///
    /// - Parameter begin: called with the request before its body is read.
    mutating func next(head begin: (ReceivedRequest) -> Void) throws(Malformed) -> ReceivedRequest? {
        guard let head = readHead() else { return nil }
        let lines = head.split(separator: UInt8(ascii: "\n")).map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
        let words = lines[0].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { throw Malformed() }
        var headers: [ReceivedRequest.Header] = []
        for line in lines.dropFirst() where !line.isEmpty {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw Malformed() }
            let value = line[line.index(after: colon)...].drop { $0 == UInt8(ascii: " ") }
            headers.append(
                ReceivedRequest.Header(
                    name: String(decoding: line[..<colon], as: UTF8.self), value: String(decoding: value, as: UTF8.self)
                ))
        }
        var request = ReceivedRequest(
            method: words[0], target: words[1], version: words[2], headers: headers, body: Data(), bodySize: 0,
            connection: connection)
        begin(request)
        guard let body = try readBody(headers) else { return nil }
        (request.body, request.bodySize) = (body, bodySize)
        return request
    }

    private mutating func readBody(_ headers: [ReceivedRequest.Header]) throws(Malformed) -> Data? {
        bodySize = 0
        var length = 0
        var isChunked = false
        for header in headers {
            switch header.name.lowercased() {
            case "content-length":
                guard let number = Int(header.value), number >= 0 else { throw Malformed() }
                length = number
            case "transfer-encoding":
                guard header.value.lowercased() == "chunked" else { throw Malformed() }
                isChunked = true
            case "expect":
                // The client sends the body only after this response.
                guard socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { return nil }
            default: continue
            }
        }
        return isChunked ? try readChunks() : readContent(length)
    }

    private mutating func readChunks() throws(Malformed) -> Data? {
        var body = Data()
        while true {
            guard let line = readLine() else { return nil }
            let size = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            guard let size = Int(String(decoding: size, as: UTF8.self), radix: 16), size >= 0 else {
                throw Malformed()
            }
            if size == 0 { break }
            guard let chunk = readContent(size), let end = readLine() else { return nil }
            guard end.isEmpty else { throw Malformed() }
            body.append(chunk)
        }
        // Trailers, up to the empty line.
        while let line = readLine() {
            if line.isEmpty { return body }
        }
        return nil
    }

    // MARK: Bytes

    /// Reads up to the empty line, inclusive.
    private mutating func readHead() -> [UInt8]? {
        var searched = start
        while true {
            while let end = indexOfNewline(from: searched) {
                searched = end + 1
                let line = buffer[start...end].suffix(4)
                guard line.elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]) else { continue }
                defer { start = end + 1 }
                return Array(buffer[start...end])
            }
            searched = buffer.count
            let consumed = start
            guard fill() else { return nil }
            searched -= consumed
        }
    }

    /// Reads a line, without its line break.
    private mutating func readLine() -> [UInt8]? {
        while true {
            if let end = indexOfNewline(from: start) {
                let line = buffer[start..<end]
                start = end + 1
                return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
            }
            guard fill() else { return nil }
        }
    }

    /// Reads body bytes; returns no bytes if they are only counted.
    private mutating func readContent(_ count: Int) -> Data? {
        bodySize += count
        if keepsBodies { return read(count) }
        let buffered = min(count, buffer.count - start)
        start += buffered
        var missing = count - buffered
        if missing == 0 { return Data() }
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: min(missing, 262_144), alignment: 1)
        defer { scratch.deallocate() }
        while missing > 0 {
            let room = UnsafeMutableRawBufferPointer(rebasing: scratch.prefix(missing))
            guard let received = socket.receive(into: room) else { return nil }
            missing -= received
        }
        return Data()
    }

    private mutating func read(_ count: Int) -> Data? {
        while buffer.count - start < count {
            guard fill(expecting: count) else { return nil }
        }
        defer { start += count }
        return Data(buffer[start..<start + count])
    }

    private func indexOfNewline(from position: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard position < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + position, 0x0A, bytes.count - position)
            else { return nil }
            return base.distance(to: UnsafeRawPointer(found))
        }
    }

    /// Drops the bytes before `start` and reads more into the buffer. Returns false at the end of the connection.
    private mutating func fill(expecting count: Int = 0) -> Bool {
        if start > 0 {
            buffer.removeSubrange(..<start)
            start = 0
        }
        let room = max(16_384, min(count, 1 << 20))
        let filled = buffer.count
        buffer += [UInt8](repeating: 0, count: room)
        let received = buffer.withUnsafeMutableBytes { bytes in
            socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]))
        }
        buffer.removeLast(room - (received ?? 0))
        return received != nil
    }
}
