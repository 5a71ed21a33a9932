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
    /// When the whole body has arrived, the new file replaces an existing file atomically. The new file keeps the mode
    /// of the old file. On Apple platforms, the new file also keeps the extended attributes, the protection and the
    /// exclusion from backups. If the call fails or its task is cancelled, the existing file does not change. Without
    /// `resuming`, no partial file is left behind. Missing parent folders are created. Only the body of a successful
    /// response is written to the file. For any other status, the ``/Fingerpost/APIError`` contains the body.
    ///
    /// A download that breaks off starts over, unless `resuming` is true. With `resuming`, the received bytes stay in a
    /// hidden partial file beside `file`. The next request asks only for the missing bytes (RFC 9110 section 14). This
    /// request can be a retry of the route's ``/Fingerpost/RetryPolicy``, or a later call, even after a restart of the
    /// process. If a sandbox permits no other file beside `file`, the partial file is deleted at the end of the call.
    ///
    /// A download can resume if the server has sent a `Content-Length`, and either a strong `ETag` or a `Last-Modified`
    /// date. Otherwise, the download starts from the beginning. The download also starts from the beginning if the file
    /// has changed on the server. If the call fails, for example because of the status 404, the partial file is not
    /// deleted. If you do not want to resume the download, delete the partial file with `discardPartialDownload(at:)`.
    ///
    /// Authorization, middleware, redirects and mocks work as in `data(for:)`. Middleware and `validate` receive the
    /// body as data that is mapped from the file. If your code stores some of this data, copy the bytes. A later access
    /// to the mapped data ends the process if the file has become shorter, or if the file has complete protection and
    /// the device is locked.
    ///
    /// On Linux, `URLSession` has no flow control: if data arrives faster than the disk accepts it, the data waits in
    /// memory. A custom ``/Fingerpost/Transport`` that implements only ``/Fingerpost/Transport/send(_:for:)`` returns
    /// the whole body as `Data`, in memory.
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
            return try await transfer(route, by: DownloadSink(for: file, resuming: resuming)).map { file }
        }
        return try await measured(progress) { client throws(APIError) in
            try await client.download(route, to: file, resuming: resuming)
        }
    }

    /// Deletes the partial download that `resuming` has kept beside a file. This method does nothing if there is no
    /// partial download.
    ///
    /// - Parameter file: the file that the download would have written.
    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if a download to the file is in progress, or if the
    ///   partial download cannot be deleted.
    public static func discardPartialDownload(at file: URL) throws(APIError) {
        try DownloadFile.discard(at: file)
    }
}
