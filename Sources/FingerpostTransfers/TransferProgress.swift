public import Foundation

/// The progress of a call's upload or download. To receive the progress, pass a closure as the last argument of
/// `send(_:as:progress:)`, `response(for:as:progress:)`, `data(for:progress:)` or `download(_:to:resuming:progress:)`.
///
/// ```swift
/// try await client.download(route, to: file) { progress in
///     print(progress.completedBytes, progress.totalBytes ?? "of an unknown size", progress.remaining ?? "")
/// }
/// ```
///
/// Reports arrive in order and one at a time. For each request, the reports of the upload come first, then the reports
/// of the download. There are at most 20 reports per second, and one additional report at the end of each body. The
/// last report of a successful call is the end of the download, even if the response has no body.
///
/// A redirect, a retry and a refreshed token send the request again. For the new request, the counts start at zero, and
/// ``attempt`` increases by one. Only the body of a response with a status of 200...299 counts as a download. The
/// bodies of redirects and errors cause no reports.
///
/// The closure runs on any thread, in the call's ``/Fingerpost/APIScope``. After the call has returned or its task was
/// cancelled, the closure is not called again. A slow closure does not delay the transfer over the network: when the
/// closure is ready, it receives the latest report. The call returns only after the closure has returned.
///
/// A mock reports the progress of each body in ten chunks, which are the same in every run. A mock's delay is spread
/// over the chunks, on the clock of the scope. With your own ``/Fingerpost/Transport``, the reports of downloads follow
/// the chunks that the transport pushes into its ``/Fingerpost/BodySink``, and uploads have no reports.
public struct TransferProgress: Hashable, Sendable {
    /// What is transferred.
    public enum Direction: Hashable, Sendable {
        /// The body of the request.
        case upload
        /// The body of the response.
        case download
    }

    /// Whether this is the progress of the request's body or of the response's body.
    public var direction: Direction
    /// The number of the request within its call, from 1. Each redirect, retry, refreshed token and repeated signature
    /// adds one. The counts of a new request start at zero.
    public var attempt: Int
    /// The number of bytes transferred so far. For a compressed download, these are the bytes after decompression. The
    /// bytes of an upload are counted when the system accepts them, shortly before the server receives them. A resumed
    /// download also counts the bytes of the earlier download.
    public var completedBytes: Int64
    /// The size of the whole body in bytes; nil if the size is not known. The size of a ``/Fingerpost/BodyStream`` is
    /// not known, and neither is the size of a response that is compressed or sent in chunks (RFC 9112 section 7.1).
    public var totalBytes: Int64?
    /// The speed over the last five seconds, in bytes per second; zero until time has passed on the call's clock.
    public var bytesPerSecond: Double
    /// True if the whole body has been transferred. No report follows for this body.
    public var isFinished: Bool

    /// Creates a value, for example for the preview of a view that shows progress.
    ///
    /// - Parameters:
    ///   - direction: whether the value is the progress of the upload or of the download.
    ///   - attempt: the number of the request within its call, from 1.
    ///   - completedBytes: the number of bytes transferred so far.
    ///   - totalBytes: the size of the body; nil if it is not known.
    ///   - bytesPerSecond: the speed.
    ///   - isFinished: true if the whole body has been transferred.
    public init(
        _ direction: Direction = .download, attempt: Int = 1, completedBytes: Int64, totalBytes: Int64?,
        bytesPerSecond: Double = 0, isFinished: Bool = false
    ) {
        self.direction = direction
        self.attempt = attempt
        self.completedBytes = completedBytes
        self.totalBytes = totalBytes
        self.bytesPerSecond = bytesPerSecond
        self.isFinished = isFinished
    }

    /// The transferred part of the body, from 0 to 1; nil if the size of the body is not known. An empty body counts as
    /// transferred.
    public var fractionCompleted: Double? {
        guard let totalBytes else { return nil }
        return totalBytes <= 0 ? 1 : min(1, max(0, Double(completedBytes) / Double(totalBytes)))
    }

    /// The time that the rest of the body takes at the current speed; nil if the size of the body or the speed is not
    /// known.
    public var remaining: Duration? {
        if isFinished { return .zero }
        guard let totalBytes else { return nil }
        let seconds = Double(max(0, totalBytes - completedBytes)) / bytesPerSecond
        // At a speed of almost zero, the time could be longer than a duration can contain.
        return seconds < 1e9 ? .seconds(seconds) : nil
    }

    /// Updates a `Progress` object of Foundation. Views can show this object, and it can be a child of another
    /// `Progress`.
    ///
    /// Create the object without a total: `let bar = Progress(totalUnitCount: -1)`. The object's units are bytes. As
    /// long as the size of the body is not known, the object is indeterminate. When the request is sent again, the
    /// object's count starts at zero.
    ///
    /// - Parameter progress: the object to update. Cancelling this object does not cancel the call.
    public func update(_ progress: Progress) {
        progress.kind = .file
        progress.totalUnitCount = totalBytes ?? (isFinished ? completedBytes : -1)
        progress.completedUnitCount = completedBytes
        progress.setUserInfoObject(Int(clamping: Int64(bytesPerSecond)), forKey: .throughputKey)
        progress.setUserInfoObject(remaining.map { $0 / .seconds(1) }, forKey: .estimatedTimeRemainingKey)
    }
}
