import FingerpostFiles
import Foundation
import LoopbackServer

/// A server with one file, which sends ranges of it (RFC 9110 section 14) and breaks connections.
final class RangeServer: Sendable {
    private struct State {
        var body: [UInt8]
        var tag: String
        /// The positions in the file at which the next responses end. Then the server closes the connection.
        var breaks: [Int]
    }

    private let server: LoopbackServer
    private let state: Locked<State>

    var baseURL: URL { server.baseURL }
    var requests: [ReceivedRequest] { server.requests }
    /// The `Range` of each request.
    var asked: [String?] { requests.map { $0["Range"] } }

    /// - Parameters:
    ///   - breaks: the positions at which the next responses end.
    ///   - tag: the validator that `If-Range` is compared with.
    ///   - sendsTag: true if the validator is sent as `ETag`.
    ///   - waits: true if a response that ends too early waits until the client closes the connection.
    init(
        _ body: [UInt8], breaks: [Int] = [], headers: [(String, String)] = [], tag: String = "\"v1\"",
        sendsTag: Bool = true, waits: Bool = false
    ) throws {
        let state = Locked(State(body: body, tag: tag, breaks: breaks))
        self.state = state
        server = try LoopbackServer { request, connection in
            let (file, end) = state.withLock { state in
                (state, state.breaks.isEmpty ? state.body.count : state.breaks.removeFirst())
            }
            let asked = request["Range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
            let start = request["If-Range"] == file.tag ? asked ?? 0 : 0
            let whole = file.body.count
            var lines = sendsTag ? "ETag: \(file.tag)\r\n" : ""
            for (name, value) in headers { lines += "\(name): \(value)\r\n" }
            if start > 0 { lines += "Content-Range: bytes \(start)-\(whole - 1)/\(whole)\r\n" }
            connection.write("HTTP/1.1 \(start > 0 ? 206 : 200) \r\nContent-Length: \(whole - start)\r\n\(lines)\r\n")
            connection.write(file.body[start..<max(start, end)])
            if end < whole {
                if waits { connection.waitUntilPeerCloses() }
                connection.close()
            }
        }
    }

    /// Replaces the file.
    func change(to body: String, tag: String) { state.withLock { ($0.body, $0.tag) = (Array(body.utf8), tag) } }

    convenience init(
        _ body: String, breaks: [Int] = [], headers: [(String, String)] = [], tag: String = "\"v1\"",
        sendsTag: Bool = true
    ) throws { try self.init(Array(body.utf8), breaks: breaks, headers: headers, tag: tag, sendsTag: sendsTag) }

    /// For exit tests.
    func stop() { server.stop() }
}
