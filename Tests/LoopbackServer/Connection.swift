import FingerpostFiles
import Foundation

/// The connection of a request. A handler uses it to respond: correctly, slowly, incorrectly or not at all.
///
/// When the handler returns, the connection stays open for the next request, unless it was closed or reset, or one side
/// sent `Connection: close`. A handler that only returns therefore sends no response.
///
/// Writing returns false and has no other effect if the peer has disconnected.
public final class Connection: Sendable {
    private struct State {
        var answersHead = false
        var isLast = false
    }

    private let socket: Socket
    private let state = Locked(State())

    init(_ socket: Socket) { self.socket = socket }

    // MARK: Responding

    /// Sends a whole response in one write.
    ///
    /// Adds `Content-Length` unless the headers contain it or `Transfer-Encoding`, or the status allows no body. Omits
    /// the body in a response to HEAD.
    ///
    /// - Parameters:
    ///   - status: any number, valid or not.
    ///   - headers: header lines, sent in this order. `Connection: close` closes the connection when the handler
    ///     returns.
    ///   - body: bytes, such as `Data` or `"text".utf8`.
    /// - Returns: false if the peer has disconnected.
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

    /// Sends a whole response with text as its body; see ``respond(_:headers:body:)``.
    @discardableResult
    public func respond(_ status: Int = 200, headers: KeyValuePairs<String, String> = [:], body: String) -> Bool {
        respond(status, headers: headers, body: body.utf8)
    }

    /// Sends bytes unchanged, valid HTTP or not. Returns false if the peer has disconnected.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>) -> Bool { socket.send(Array(bytes)) }

    /// Sends text unchanged, valid HTTP or not. Returns false if the peer has disconnected.
    @discardableResult
    public func write(_ text: String) -> Bool { write(text.utf8) }

    /// Sends bytes slowly, in pieces with a pause after each. Stops and returns false if the peer closes the
    /// connection.
    ///
    /// - Parameters:
    ///   - bytes: the bytes; send the head with ``write(_:)`` before.
    ///   - count: the bytes per piece.
    ///   - pause: the time between two pieces.
    @discardableResult
    public func drip(_ bytes: some Sequence<UInt8>, by count: Int = 1, every pause: Duration) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            guard write(rest.prefix(count)), !waitUntilPeerCloses(atMost: pause) else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Waits until the peer closes the connection, and discards what it sends. Returns false after the given time.
    @discardableResult
    public func waitUntilPeerCloses(atMost time: Duration = .seconds(30)) -> Bool { socket.waitForEnd(atMost: time) }

    // MARK: Ending

    /// Closes the connection after delivering the written bytes.
    public func close() { socket.close() }

    /// Resets the connection: the peer gets an error, and may lose written bytes.
    public func reset() { socket.close(resetting: true) }

    // MARK: For the server

    func begin(_ request: ReceivedRequest) {
        let closes = request.version == "HTTP/1.0" || request["Connection"]?.lowercased() == "close"
        state.withLock { $0 = State(answersHead: request.method == "HEAD", isLast: closes) }
    }

    /// True if no further request can follow.
    var isOver: Bool { state.withLock { $0.isLast } || !socket.isOpen }
}
