public import Foundation

/// A port on 127.0.0.1 that refuses connections.
///
/// The port stays reserved for the lifetime of the instance. A port that is only free may belong to another server by
/// the time it is used.
public final class ClosedPort: Sendable {
    private let socket: Socket
    /// `http://127.0.0.1:<port>`
    public let baseURL: URL

    /// Reserves a port.
    ///
    /// - Throws: if the system provides no socket.
    public init() throws {
        // A bound port without a listener refuses connections.
        socket = try Socket.bound()
        baseURL = URL(string: "http://127.0.0.1:\(try socket.port())")!
    }
}
