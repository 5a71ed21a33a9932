public import Foundation

/// An HTTP/1.1 server on 127.0.0.1 for tests, at a port that the system picks, which can misbehave to the byte.
///
/// ```swift
/// let server = try LoopbackServer { request, connection in
///     switch request.path {
///     case "/user": connection.respond(200, headers: ["ETag": "\"1\""], body: #"{"login": "octocat"}"#)
///     case "/broken": connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"); connection.close()
///     default: connection.respond(404)
///     }
/// }
/// defer { server.stop() }
/// let client = APIClient(baseURL: server.baseURL)
/// …
/// #expect(server.requests.map(\.target) == ["/user"])
/// ```
///
/// Every connection has a thread of its own, on which the handler may block. It stops when it is released, so hold it to
/// the end of the test: `defer { server.stop() }` does.
public final class LoopbackServer: Sendable {
    /// Answers a request, or does not: see ``Connection``. Called on the connection's thread.
    public typealias Handler = @Sendable (ReceivedRequest, Connection) -> Void

    /// `http://127.0.0.1:<port>`
    public let baseURL: URL
    public let port: UInt16
    private let traffic: Traffic
    private let listener: Listener

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - recording: whether requests are kept in ``requests``. They are counted in any case.
    ///   - keepingBodies: whether requests have their bodies; if not, the bytes are only counted: see
    ///     ``ReceivedRequest/bodySize``.
    ///   - handler: gets every request that is complete.
    /// - Throws: when the system gives no socket.
    public init(recording: Bool = true, keepingBodies: Bool = true, handler: @escaping Handler) throws {
        let traffic = Traffic(isRecording: recording)
        let socket = try Socket.bound()
        try socket.startListening()
        port = try socket.port()
        baseURL = URL(string: "http://127.0.0.1:\(port)")!
        self.traffic = traffic
        listener = try Listener(socket) { Self.serve($0, traffic, keepingBodies, handler) }
    }

    deinit {
        stop()
    }

    /// Closes the port and all connections. Handlers that wait on a connection go on as if its peer had closed.
    public func stop() {
        listener.stop()
        traffic.stop()
    }

    // MARK: What happened

    /// The requests received so far, in the order their last bytes came.
    public var requests: [ReceivedRequest] { traffic.requests }

    /// How many requests were received.
    public var requestCount: Int { traffic.requestCount }

    /// How many connections were accepted.
    public var connectionCount: Int { traffic.connectionCount }

    /// How many connections neither side has closed.
    public var openConnectionCount: Int { traffic.openConnectionCount }

    /// Waits until so many requests were received, and returns them all. Returns early when the task is cancelled (as the
    /// time limit of a test does) or the server stops.
    @discardableResult
    public func received(_ count: Int) async -> [ReceivedRequest] {
        await traffic.wait { $0.requestCount >= count }
        return requests
    }

    /// Waits until every connection that was accepted is closed. Returns early, with false, when the task is cancelled or
    /// the server stops.
    @discardableResult
    public func closedAllConnections() async -> Bool {
        await traffic.wait { $0.openConnectionCount == 0 }
        return openConnectionCount == 0
    }

    // MARK: Serving

    private static func serve(
        _ socket: Socket, _ traffic: Traffic, _ keepsBodies: Bool, _ handler: @escaping Handler
    ) {
        guard let number = traffic.opened(socket) else { return }
        let thread = Thread {
            let connection = Connection(socket)
            var reader = RequestReader(socket, connection: number, keepsBodies: keepsBodies)
            do {
                while let request = try reader.next() {
                    traffic.received(request)
                    connection.begin(request)
                    handler(request, connection)
                    if connection.isOver { break }
                }
            } catch {
                connection.respond(400, headers: ["Connection": "close"], body: "not an HTTP/1.1 request")
            }
            connection.close()
            traffic.closed(number)
        }
        thread.name = "LoopbackServer connection \(number)"
        thread.start()
    }
}
