extension APIClient {
    /// Sends a route, and returns when the session reports the head of the response. On Apple platforms, it may wait
    /// for the first 512 bytes of the body: see “Limits” in <doc:FollowingStreams>. The body is read as it arrives. Use
    /// this method for answers that grow, such as those of an assistant, for feeds, and for logs; use
    /// ``data(for:progress:)`` for bodies that end soon, and ``download(_:to:resuming:progress:)`` for files.
    ///
    /// ```swift
    /// let stream = try await client.stream(Chat.answer(to: question))
    /// for try await event in stream.events { text += event.data }
    /// ```
    ///
    /// A status outside 200...299 is thrown with its body before the stream begins, unless the route asks for it. Until
    /// the head arrives, authorization, middleware, redirects and retries work as for other calls. After that, nothing is
    /// sent again. To connect again when the connection ends, use ``events(_:)``.
    ///
    /// The ``ClientConfiguration/timeout`` covers the time up to the head, ``ClientConfiguration/idleTimeout`` each
    /// silence of the server after it. Among ``ClientConfiguration/maximumCallsPerHost``, the stream counts until it
    /// ends.
    ///
    /// The connection ends with the loop that reads the stream, when the loop's task is cancelled while it waits for the
    /// next element, or when the stream is released.
    ///
    /// - Parameter route: a case of your router, or a ``Route``.
    /// - Throws: ``APIError``. The loop over the stream throws nothing else either.
    public func stream(_ route: some RouteConvertible) async throws(APIError) -> ResponseStream {
        let (response, connection) = try await sender.open(sender.call(route, isStreamed: true))
        return ResponseStream(response, connection, sender.configuration.streamLimits)
    }
}
