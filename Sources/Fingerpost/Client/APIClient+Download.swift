public import Foundation

extension APIClient {
    /// Sends a route and writes the body to a file as it arrives. Use this method for bodies that are too large for
    /// memory, and ``data(for:progress:)`` for all other bodies.
    ///
    /// ```swift
    /// configuration.timeout = .seconds(3600)          // covers the whole call; a route can set its own
    /// let film = try await client.download(Films.file(id: 7), to: folder.appendingPathComponent("film.mp4"))
    /// print(film.headers[.contentType] ?? "", film.value)
    /// ```
    ///
    /// An existing file is replaced atomically when the whole body has arrived. If the call fails or its task is
    /// cancelled, the existing file is unchanged and no partial file is left behind. Missing parent folders are
    /// created. Only the body of a successful response is written to the file; for any other status, the body is in the
    /// ``APIError``.
    ///
    /// Authorization, middleware, redirects and mocks work as in ``data(for:progress:)``.
    ///
    /// On Linux, `URLSession` has no flow control: data that arrives faster than the disk accepts it is kept in memory.
    /// A custom ``Transport`` that implements only ``Transport/send(_:for:)`` returns the whole body as `Data`, in
    /// memory.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``Route``.
    ///   - file: the file to write.
    ///   - progress: called while bodies are transferred, as in ``send(_:as:progress:)``.
    /// - Returns: the response. The response's value is the file URL, and its ``Response/data`` is empty.
    /// - Throws: ``APIError``; its kind is `transport` when the file cannot be written.
    @discardableResult
    public func download(
        _ route: some RouteConvertible, to file: URL, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(APIError) -> Response<URL> {
        let sink = FileSink(for: file, maximumErrorSize: sender.configuration.maximumResponseSize)
        return try await sender.run(sender.call(route, into: sink, progress: progress)) { response in
            // Redirects and a 304 have no body for the file.
            if response.isSuccess { try sink.finish(response.data) } else { sink.discard() }
            var response = response
            response.data = Data()
            return response.map { _ in file }
        }
    }
}
