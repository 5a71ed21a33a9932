import FingerpostFiles
import Foundation

/// Passes to the app's sink the body of the response that a call returns. The bodies of redirects, retried attempts and
/// errors do not reach this sink.
final class GatedSink: CallSink {
    private let sink: any BodySink
    /// Whether the last response is a success, and whether the app's sink has received bytes. After the sink has
    /// received bytes, no other response can replace the body.
    private let state = Locked((isSuccess: false, hasPassed: false))

    init(_ sink: any BodySink) { self.sink = sink }

    var hasDelivered: Bool { state.withLock { $0.hasPassed } }

    /// - Throws: ``APIError`` if the app's sink has already received bytes of another response.
    func begin(_ head: Response<Void>) throws {
        try state.withLock { state throws(APIError) in
            if state.hasPassed {
                throw APIError(
                    .transport, "another response came after a part of the body",
                    fix: "let the server send one response")
            }
            state.isSuccess = head.isSuccess
        }
        if head.isSuccess { try sink.begin(head) }
    }

    func receive(_ bytes: Data) throws {
        state.withLock { $0.hasPassed = true }
        try sink.receive(bytes)
    }

    func receive(contentsOf file: URL) throws {
        state.withLock { $0.hasPassed = true }
        try sink.receive(contentsOf: file)
    }

    /// If the body has not yet reached the app's sink, passes the body to that sink. Such a body belongs to an error
    /// response that the route accepts, or to a response that middleware created.
    ///
    /// - Throws: ``APIError`` if middleware has replaced a body that the app's sink has already received, and the
    ///   errors of the sink.
    func finish(_ response: Response<Data>) throws {
        if state.withLock({ $0.isSuccess }), response.data.isEmpty { return }
        if hasDelivered {
            throw APIError(
                .transport, "middleware replaced a body that had gone into the sink",
                fix: "let the middleware pass on the response, or use data(for:)")
        }
        try sink.begin(response.head)
        if !response.data.isEmpty { try sink.receive(response.data) }
    }
}

extension APIClient {
    /// Sends a route and pushes the body of the response into a sink as the body arrives. Use this method to hash a
    /// body, to parse it in chunks, or to write it to a place that `download(_:to:)` cannot write to. For bodies that
    /// fit into memory, use `data(for:)`.
    ///
    /// ```swift
    /// let head = try await client.send(Backups.latest, into: FileHandleSink(handle: .standardOutput))
    /// ```
    ///
    /// Authorization, middleware, redirects, retries and mocks work as for other calls. The sink receives only the body
    /// of the response that the call returns. The bodies of redirects, retried attempts and error responses do not
    /// reach the sink. The body of an error response is in the ``/Fingerpost/APIError``, up to
    /// ``/Fingerpost/ClientConfiguration/maximumResponseSize``. Once bytes have reached the sink, nothing is sent
    /// again. From then on, the call fails if the body breaks off or if middleware replaces the body.
    ///
    /// The ``/Fingerpost/ClientConfiguration/timeout`` covers the whole body. Middleware and `validate` receive the
    /// response without its body.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``/Fingerpost/Route``.
    ///   - sink: receives the body. An error that the sink throws ends the call, and becomes the
    ///     ``/Fingerpost/APIError/underlying`` error.
    /// - Returns: the response without its body.
    /// - Throws: ``/Fingerpost/APIError``, also for a status outside 200...299.
    @discardableResult
    public func send(_ route: some RouteConvertible, into sink: any BodySink) async throws(APIError) -> Response<Void> {
        try await transfer(route, by: GatedSink(sink))
    }
}
