public import Foundation

extension APIClient {
    /// Sends a route and writes the body to a file as it arrives. Use this method for bodies that are too large for
    /// memory, and `data(for:)` for all other bodies.
    ///
    /// ```swift
    /// configuration.timeout = .seconds(3600)          // covers the whole call; a route can set its own
    /// let film = try await client.download(Films.file(id: 7), to: folder.appendingPathComponent("film.mp4"))
    /// print(film.headers[.contentType] ?? "", film.value)
    /// ```
    ///
    /// An existing file is replaced atomically when the whole body has arrived, and the new one keeps its mode and, on
    /// Apple platforms, its extended attributes, its protection and its exclusion from backups. If the call fails or
    /// its task is cancelled, the existing file is unchanged and, without `resuming`, no partial file is left behind.
    /// Missing parent folders are created. Only the body of a successful response is written to the file; for any other
    /// status, the body is in the ``/Fingerpost/APIError``.
    ///
    /// A download that breaks starts over, unless `resuming` is true. Then the part that has arrived is kept in a
    /// hidden file beside `file`, and an attempt of the route's ``/Fingerpost/RetryPolicy``, a later call, or one after
    /// a restart of the process asks only for the rest (RFC 9110 section 14). If a sandbox permits no file beside
    /// `file`, the part is kept until the end of the call. The server must have sent a strong `ETag`, or a
    /// `Last-Modified` date, and a `Content-Length`; otherwise, and if the file has changed on the server, the download
    /// starts from the beginning. A call that fails at other places, such as with the status 404, leaves the part.
    /// Delete it with `discardPartialDownload(at:)` if you do not want to resume it.
    ///
    /// Authorization, middleware, redirects and mocks work as in `data(for:)`. Middleware and `validate` get the body
    /// mapped from the file, and must copy what they keep of it. Access ends the process if the file is shorter by
    /// then, or has complete protection while the device is locked.
    ///
    /// On Linux, `URLSession` has no flow control: data that arrives faster than the disk accepts it is kept in memory.
    /// A custom ``/Fingerpost/Transport`` that implements only ``/Fingerpost/Transport/send(_:for:)`` returns the whole
    /// body as `Data`, in memory.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``/Fingerpost/Route``.
    ///   - file: the file to write.
    ///   - resuming: true to resume where an earlier download to the same file stopped.
    ///   - progress: called while bodies are transferred, as in `send(_:as:progress:)`.
    /// - Returns: the response. The response's value is the file URL, and its data is empty.
    /// - Throws: ``/Fingerpost/APIError``; its kind is `transport` when the file cannot be written.
    @discardableResult
    public func download(
        _ route: some RouteConvertible, to file: URL, resuming: Bool = false,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(APIError) -> Response<URL> {
        guard let progress else {
            let sink = DownloadSink(
                for: file, resuming: resuming, maximumErrorSize: configuration.maximumResponseSize)
            return try await transfer(route, by: sink).map { file }
        }
        return try await measured(progress) { client throws(APIError) in
            try await client.download(route, to: file, resuming: resuming)
        }
    }

    /// Deletes what a download with `resuming` has kept beside a file. Does nothing if it has kept nothing.
    ///
    /// - Parameter file: the file that the download would have written.
    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if a download to the file is in progress, or if what
    ///   it has kept cannot be deleted.
    public static func discardPartialDownload(at file: URL) throws(APIError) {
        try DownloadFile.discard(at: file)
    }
}
