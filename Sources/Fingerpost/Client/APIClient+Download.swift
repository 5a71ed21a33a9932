public import Foundation

extension APIClient {
    /// Sends a route and writes the body to a file as it arrives. Use this method for bodies that are too large for
    /// memory, and ``data(for:)`` for all other bodies.
    ///
    /// ```swift
    /// configuration.timeout = .seconds(3600)          // covers the whole call; a route can set its own
    /// let film = try await client.download(Films.file(id: 7), to: folder.appendingPathComponent("film.mp4"))
    /// print(film.headers[.contentType] ?? "", film.value)
    /// ```
    ///
    /// An existing file is replaced atomically when the whole body has arrived, and the new one keeps its mode and its
    /// extended attributes. If the call fails or its task is cancelled, the existing file is unchanged and no partial
    /// file is left behind. Missing parent folders are created. Only the body of a successful response is written to
    /// the file; for any other status, the body is in the ``APIError``.
    ///
    /// A download that breaks starts over. The product `FingerpostTransfers` has one that goes on where it stopped:
    /// `download(_:to:resuming:)`.
    ///
    /// Authorization, middleware, redirects and mocks work as in ``data(for:)``. Middleware and `validate` get
    /// the body mapped from the file, and must copy what they keep of it. Access ends the process if the file is
    /// shorter by then, or has complete protection while the device is locked.
    ///
    /// On Linux, `URLSession` has no flow control: data that arrives faster than the disk accepts it is kept in memory.
    /// A custom ``Transport`` that implements only ``Transport/send(_:for:)`` returns the whole body as `Data`, in
    /// memory.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``Route``.
    ///   - file: the file to write.
    /// - Returns: the response. The response's value is the file URL, and its ``Response/data`` is empty.
    /// - Throws: ``APIError``; its kind is `transport` when the file cannot be written.
    @discardableResult
    public func download(_ route: some RouteConvertible, to file: URL) async throws(APIError) -> Response<URL> {
        let sink = FileSink(for: file, maximumErrorSize: configuration.maximumResponseSize, in: .current)
        return try await transfer(route, by: sink, finish: sink.finish).map { file }
    }

    /// Sends a route whose body goes into a sink.
    ///
    /// - Parameter finish: does the last step of the sink, with the response that the call returns.
    /// - Returns: the response without its body.
    package func transfer(
        _ route: some RouteConvertible, by sink: any CallSink, finish: (Response<Data>) throws -> Void
    ) async throws(APIError) -> Response<Void> {
        try await sender.run(sender.call(route, into: sink, decodes: false)) { response in
            try finish(response)
            return response.with(body: Data()).map { _ in }
        }
    }
}
