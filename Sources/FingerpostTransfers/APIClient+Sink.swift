extension APIClient {
    /// Sends a route and pushes the body of the response into a sink as it arrives: to hash it, to parse it in pieces,
    /// or to write it where `download(_:to:)` cannot. Use `data(for:)` for bodies that fit into memory.
    ///
    /// ```swift
    /// let head = try await client.send(Backups.latest, into: FileHandleSink(handle: .standardOutput))
    /// ```
    ///
    /// Authorization, middleware, redirects, retries and mocks work as for other calls, but only the body that the call
    /// returns reaches the sink. The bodies of redirects, of attempts that are repeated, and of responses that are
    /// errors do not: the last one is in the ``/Fingerpost/APIError``, up to
    /// ``/Fingerpost/ClientConfiguration/maximumResponseSize``. Once bytes have reached the sink, nothing is sent
    /// again. A body that breaks off then is an error, and so is one that middleware replaces.
    ///
    /// The ``/Fingerpost/ClientConfiguration/timeout`` covers the whole body. Middleware and `validate` get a response
    /// without it.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``/Fingerpost/Route``.
    ///   - sink: receives the body. An error that it throws ends the call and is the
    ///     ``/Fingerpost/APIError/underlying`` one.
    /// - Returns: the response without its body.
    /// - Throws: ``/Fingerpost/APIError``, also for a status outside 200...299.
    @discardableResult
    public func send(_ route: some RouteConvertible, into sink: any BodySink) async throws(APIError) -> Response<Void> {
        try await transfer(route, by: GatedSink(sink, maximumErrorSize: configuration.maximumResponseSize))
    }
}
