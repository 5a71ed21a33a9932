public import Foundation

/// A port on 127.0.0.1 that refuses connections.
///
/// It is kept from everyone else for as long as this lives: a port that was merely free a moment ago may be a server's by
/// the time it is used.
public final class ClosedPort: Sendable {
    private let socket: Socket
    /// `http://127.0.0.1:<port>`
    public let baseURL: URL

    public init() throws {
        // Bound, but not listening.
        socket = try Socket.bound()
        baseURL = URL(string: "http://127.0.0.1:\(try socket.port())")!
    }
}
