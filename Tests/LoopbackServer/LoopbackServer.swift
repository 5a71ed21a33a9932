public import Foundation
import TestSupport

/// An HTTP/1.1 server on 127.0.0.1 for tests, on a port that the system assigns. A handler controls every byte it
/// sends.
///
/// ```swift
/// let server = try LoopbackServer { request, connection in
///     switch request.path {
///     case "/user": connection.respond(200, headers: ["ETag": "\"1\""], body: #"{"login": "octocat"}"#)
///     case "/broken": connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"); connection.close()
///     default: connection.respond(404)
///     }
/// }
/// let client = APIClient(baseURL: server.baseURL)
/// …
/// #expect(server.requests.map(\.target) == ["/user"])
/// ```
///
/// Every connection has its own thread, which the handler may block. The server stops at the end of the test. In an
/// exit test, the server stops when it is released: keep it with `defer { server.stop() }`.
public final class LoopbackServer: Sendable {
    /// Handles a request, with or without a response: see ``Connection``. Called on the connection's thread.
    public typealias Handler = @Sendable (ReceivedRequest, Connection) -> Void

    /// `http://127.0.0.1:<port>`
    public let baseURL: URL
    /// The port that the system assigned.
    public let port: UInt16
    private let traffic: Traffic
    private let listener: Listener

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - recording: whether requests are kept in ``requests``. Requests are always counted.
    ///   - keepingBodies: whether requests contain their bodies; if not, the bytes are only counted: see
    ///     ``ReceivedRequest/bodySize``.
    ///   - head: called with every request before its body is read. The request has no body yet, and nothing reads the
    ///     body while this handler runs. If the handler responds, the body is still read, until the client closes the
    ///     connection.
    ///   - handler: called with every complete request.
    /// - Throws: if the system provides no socket.
    public init(
        recording: Bool = true, keepingBodies: Bool = true, head: @escaping Handler = { _, _ in },
        handler: @escaping Handler
    ) throws {
        let traffic = Traffic(isRecording: recording)
        let socket = try Socket.bound()
        try socket.startListening()
        port = try socket.port()
        baseURL = URL(string: "http://127.0.0.1:\(port)")!
        self.traffic = traffic
        listener = try Listener(socket) { Self.serve($0, traffic, keepingBodies, head, handler) }
        TurnTrait.atEnd { self.stop() }
    }

    deinit { stop() }

    /// Closes the port and all connections. Handlers that wait on a connection continue as if the peer had closed it.
    public func stop() {
        listener.stop()
        traffic.stop()
    }

    // MARK: Traffic

    /// The requests received so far, in the order in which they were complete.
    public var requests: [ReceivedRequest] { traffic.requests }

    /// The number of received requests.
    public var requestCount: Int { traffic.requestCount }

    /// The number of accepted connections.
    public var connectionCount: Int { traffic.connectionCount }

    /// Waits until `count` requests were received, and returns all requests. Returns early if the task is cancelled,
    /// for example by the time limit of a test, or if the server stops.
    @discardableResult
    public func received(_ count: Int) async -> [ReceivedRequest] {
        await traffic.wait { $0.requestCount >= count }
        return requests
    }

    /// Waits until all accepted connections are closed. Returns false early if the task is cancelled or the server
    /// stops.
    @discardableResult
    public func closedAllConnections() async -> Bool {
        await traffic.wait { $0.openConnectionCount == 0 }
        return traffic.openConnectionCount == 0
    }

    // MARK: Serving

    private static func serve(
        _ socket: Socket, _ traffic: Traffic, _ keepsBodies: Bool, _ head: @escaping Handler,
        _ handler: @escaping Handler
    ) {
        guard let number = traffic.opened(socket) else { return }
        let thread = Thread {
            let connection = Connection(socket)
            var reader = RequestReader(socket, connection: number, keepsBodies: keepsBodies)
            do {
                let begin = { (request: ReceivedRequest) in
                    connection.begin(request)
                    head(request, connection)
                }
                while let request = try reader.next(head: begin) {
                    traffic.received(request)
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
