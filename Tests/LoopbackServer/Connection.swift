import Foundation

/// The connection that a request came over, on which a handler answers as it likes: properly, slowly, wrongly or not at all.
///
/// After the handler has returned the connection stays open for the next request, unless it was closed or reset, or one
/// side said `Connection: close`. So a handler that only returns never answers.
///
/// Writing to a connection whose peer has gone does nothing but return false.
public final class Connection: Sendable {
    private struct State {
        var answersHead = false
        var isLast = false
    }

    private let socket: Socket
    private let state = Locked(State())

    init(_ socket: Socket) {
        self.socket = socket
    }

    // MARK: Answering

    /// Sends a whole response in one write.
    ///
    /// `Content-Length` is added unless the headers have it or `Transfer-Encoding`, or the status allows no body. The body
    /// is left out in answers to HEAD.
    ///
    /// - Parameters:
    ///   - status: any number, proper or not.
    ///   - headers: lines, sent in this order. `Connection: close` closes the connection when the handler returns.
    ///   - body: bytes, such as `Data` or `"text".utf8`.
    /// - Returns: false when the peer has gone.
    @discardableResult
    public func respond(
        _ status: Int = 200, headers: KeyValuePairs<String, String> = [:],
        body: some Sequence<UInt8> = EmptyCollection<UInt8>()
    ) -> Bool {
        let body = Array(body)
        var head = "HTTP/1.1 \(status) \r\n"
        var isFramed = status == 204 || status == 304 || (100..<200).contains(status)
        for (name, value) in headers {
            head += "\(name): \(value)\r\n"
            switch name.lowercased() {
            case "content-length", "transfer-encoding": isFramed = true
            case "connection" where value.lowercased() == "close": state.withLock { $0.isLast = true }
            default: continue
            }
        }
        if !isFramed { head += "Content-Length: \(body.count)\r\n" }
        head += "\r\n"
        return socket.send(Array(head.utf8) + (state.withLock { $0.answersHead } ? [] : body))
    }

    /// Sends a whole response with a text as its body; see ``respond(_:headers:body:)``.
    @discardableResult
    public func respond(
        _ status: Int = 200, headers: KeyValuePairs<String, String> = [:], body: String
    ) -> Bool {
        respond(status, headers: headers, body: body.utf8)
    }

    /// Sends bytes as they are, HTTP or not. False when the peer has gone.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>) -> Bool {
        socket.send(Array(bytes))
    }

    /// Sends a text as it is, HTTP or not. False when the peer has gone.
    @discardableResult
    public func write(_ text: String) -> Bool {
        write(text.utf8)
    }

    /// Sends bytes slowly, piece by piece with a pause after each. Ends early, and returns false, when the peer closes.
    ///
    /// - Parameters:
    ///   - bytes: what to send; a head belongs into a ``write(_:)`` before.
    ///   - count: the bytes of a piece.
    ///   - pause: the time from one piece to the next.
    @discardableResult
    public func drip(_ bytes: some Sequence<UInt8>, by count: Int = 1, every pause: Duration) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            guard write(rest.prefix(count)), !waitUntilPeerCloses(atMost: pause) else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Waits until the peer closes, and ignores what it sends until then. False when the time is over first.
    @discardableResult
    public func waitUntilPeerCloses(atMost time: Duration = .seconds(30)) -> Bool {
        socket.waitForEnd(atMost: time)
    }

    // MARK: Ending

    /// Closes the connection, after what was written has been delivered.
    public func close() {
        socket.close()
    }

    /// Resets the connection: the peer gets an error, and may lose what was written.
    public func reset() {
        socket.close(resetting: true)
    }

    // MARK: For the server

    func begin(_ request: ReceivedRequest) {
        let closes = request.version == "HTTP/1.0" || request["Connection"]?.lowercased() == "close"
        state.withLock { $0 = State(answersHead: request.method == "HEAD", isLast: closes) }
    }

    /// True when no further request can come.
    var isOver: Bool { state.withLock { $0.isLast } || !socket.isOpen }
}
