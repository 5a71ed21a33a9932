public import Foundation

extension APIClient {
    /// Sends a route and writes the body to a file as it arrives, as `download(_:to:)` does, and goes on where an
    /// earlier download to the same file stopped.
    ///
    /// A download that breaks can go on where it stopped. With true for `resuming`, the part that has arrived is kept
    /// in a hidden file beside `file`, or in Application Support if a sandbox permits no file there, and an attempt of
    /// the route's ``/Fingerpost/RetryPolicy``, a later call, or one after a restart of the process asks only for the
    /// rest (RFC 9110 section 14). The server must have sent a strong `ETag`, or a `Last-Modified` date, and a
    /// `Content-Length`; otherwise, and if the file has changed on the server, the download starts from the beginning.
    /// A call that fails at other places, such as with the status 404, leaves the part. Delete it with
    /// `discardPartialDownload(at:)` if you do not want to go on.
    ///
    /// - Parameters:
    ///   - route: a case of your router, or a ``/Fingerpost/Route``.
    ///   - file: the file to write.
    ///   - resuming: true to go on where an earlier download to the same file stopped; false for a plain download.
    ///   - progress: called while bodies are transferred.
    /// - Returns: the response. The response's value is the file URL, and its data is empty.
    /// - Throws: ``/Fingerpost/APIError``; its kind is `transport` when the file cannot be written.
    @discardableResult
    public func download(
        _ route: some RouteConvertible, to file: URL, resuming: Bool,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(APIError) -> Response<URL> {
        let client = progress.map(measured) ?? self
        if !resuming { return try await client.download(route, to: file) }
        return try await client.download(route, to: file, on: .current)
    }

    /// - Parameter platform: where hidden files may be. Tests choose another one.
    @discardableResult
    func download(
        _ route: some RouteConvertible, to file: URL, on platform: DownloadPlatform
    ) async throws(APIError) -> Response<URL> {
        let sink = ResumingSink(
            for: file, maximumErrorSize: configuration.maximumResponseSize, on: platform)
        return try await transfer(route, by: sink, finish: sink.finish).map { file }
    }

    /// Deletes what a download with `resuming` has kept of a file, beside it or in Application Support. Does nothing if
    /// it has kept nothing.
    ///
    /// - Parameter file: the file that the download would have written.
    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if a download to the file is in progress, or if what
    ///   it has kept cannot be deleted.
    public static func discardPartialDownload(at file: URL) throws(APIError) {
        try DownloadFile.discard(at: file)
    }
}
