public import Foundation

extension APIClient {
    /// Sends a route and puts the body into a file as it comes, for bodies too large for memory. Use ``data(for:)`` for those that are not.
    ///
    /// ```swift
    /// configuration.timeout = .seconds(3600)          // or the route's: the time is for the whole call
    /// let film = try await client.download(Films.file(id: 7), to: folder.appendingPathComponent("film.mp4"))
    /// print(film.headers[.contentType] ?? "", film.value)
    /// ```
    ///
    /// A file that stands there already stays as it is until the whole body has come, and is then replaced in one step; where the call
    /// fails, or its task is cancelled, nothing is left behind. Folders on the way are made. Only the body of a success goes into the
    /// file: that of any other status is in the ``APIError``.
    ///
    /// Everything else is as with ``data(for:)``: authorization, middleware and redirects, and mocks under a sealed environment.
    ///
    /// On Linux `URLSession` cannot be told to wait: what comes faster than it can be written is in memory meanwhile. A ``Transport`` of
    /// your own gives bodies as `Data`, which are then written as a whole.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``Route``.
    ///   - file: where the body goes.
    /// - Returns: the response, whose value is the file. Its ``Response/data`` is empty.
    /// - Throws: ``APIError``, of the kind `transport` also where the file cannot be written.
    @discardableResult
    public func download(_ route: some RouteConvertible, to file: URL) async throws(APIError) -> Response<URL> {
        let sink = FileSink(for: file)
        var response = try await sender.run(Route(route), into: sink) { try sink.finish($0.data) }.response
        response.data = Data()
        return response.map { _ in file }
    }
}
