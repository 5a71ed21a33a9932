import FingerpostFiles
public import Foundation

/// A body that is read while it is being sent, for content that is too large for memory. For a file, use
/// ``RequestBody/file(_:contentType:)`` instead, which is sent with its length. A stream is sent in chunks.
///
/// A new stream is opened each time the request is sent, including for redirects and retries. The configuration and
/// middleware may read the body of a request, so the stream that they receive is not the stream that is sent.
public struct BodyStream: Sendable {
    private enum Source: Sendable {
        case file(URL)
        /// The temporary file is deleted with the last copy of the stream.
        case form(TemporaryFile)
        case stream(@Sendable () -> InputStream?)
    }

    /// The content type, used unless the route's headers set one.
    public let contentType: String?
    /// The name of the stream in error messages.
    let origin: String
    private let source: Source

    /// - Parameters:
    ///   - contentType: the value of the header `Content-Type`; `application/octet-stream` if neither this argument nor
    ///     a header sets it.
    ///   - open: creates an unopened stream that starts at the beginning of the body: `InputStream(url:)`,
    ///     `InputStream(data:)`, or the input of `Stream.getBoundStreams(withBufferSize:inputStream:outputStream:)`. If
    ///     the closure returns nil, or a stream that has been opened before, the call fails with an ``APIError`` of the
    ///     kind `encoding`. It also fails on Apple platforms for a subclass of your own, because `URLSession` calls
    ///     private methods of streams there.
    public init(contentType: String? = nil, open: @escaping @Sendable () -> InputStream?) {
        self.init(contentType, "the body's stream", .stream(open))
    }

    /// - Parameter file: the file to send. The file is checked and opened each time the request is sent.
    init(contentType: String?, file: URL) {
        self.init(contentType, "the file \(FilePath.display(file))", .file(file))
    }

    /// - Parameter form: a file with the body of a multipart form.
    init(contentType: String, form: TemporaryFile) {
        self.init(contentType, "the multipart form", .form(form))
    }

    private init(_ contentType: String?, _ origin: String, _ source: Source) {
        self.contentType = contentType
        self.origin = origin
        self.source = source
    }

    /// Opens the body again, and makes it the body of a request.
    func open(in request: inout URLRequest) throws(APIError) {
        switch source {
        case .file(let url): try request.setBody(BodyFile(url))
        case .form(let file): try request.setBody(BodyFile(file.url))
        case .stream(let make): request.httpBodyStream = try checked(make())
        }
    }

    private func checked(_ stream: InputStream?) throws(APIError) -> InputStream {
        guard let stream else { throw APIError(.encoding, "\(origin) cannot be opened") }
        guard !stream.wasOpened else {
            throw APIError(
                openedBefore: origin, fix: "return a new stream each time the closure of BodyStream is called")
        }
        #if canImport(FoundationNetworking)
            return CheckedStream(stream)
        #else
            if let error = Self.refusal(of: type(of: stream), origin) { throw error }
            return stream
        #endif
    }

    /// The error for a stream class that CFNetwork cannot read; nil for Foundation's classes. CFNetwork calls methods
    /// that `InputStream` does not declare, such as `_scheduleInCFRunLoop:forMode:`, so a subclass crashes the process.
    ///
    /// Only classes written in Swift have the name of a module in their name. A class written in Objective-C cannot be
    /// distinguished from a private class of Foundation.
    static func refusal(of type: InputStream.Type, _ origin: String) -> APIError? {
        let parts = String(reflecting: type).words(between: ".")
        guard parts.count > 1, parts[0] != "Foundation", parts[0] != "__C" else { return nil }
        return APIError(
            .encoding, "\(origin) is a \(type), a subclass of InputStream that URLSession cannot read",
            fix: "use InputStream(url:), InputStream(data:) or the input of Stream.getBoundStreams")
    }
}

extension InputStream {
    /// True if the stream has been opened. Its rest, or nothing, would be sent as if it were the whole body.
    var wasOpened: Bool { streamStatus != .notOpen }
}

extension APIError {
    /// The error for a body stream that has been opened before it is sent.
    init(openedBefore origin: String, fix: String) {
        self.init(.encoding, "\(origin) has been opened before, so it may be used up", fix: fix)
    }
}

#if canImport(FoundationNetworking)
    /// Reads another stream, and fails if it cannot be opened. Foundation on Linux would take such a stream, for
    /// example of a file that is missing, for an empty one, and send an empty body that looks complete.
    final class CheckedStream: InputStream {
        let stream: InputStream

        init(_ stream: InputStream) {
            self.stream = stream
            super.init(data: Data())
        }

        private var hasFailed: Bool { stream.streamStatus == .error }

        override func open() { stream.open() }
        override func close() { stream.close() }
        override var streamStatus: Stream.Status { stream.streamStatus }
        /// Foundation's property must not be read while there is no error: it would end the process.
        override var streamError: (any Error)? { hasFailed ? stream.streamError : nil }
        /// True also after a failure, so that it is read, and noticed.
        override var hasBytesAvailable: Bool { hasFailed || stream.hasBytesAvailable }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
            let count = hasFailed ? -1 : stream.read(buffer, maxLength: length)
            return count <= 0 && hasFailed ? -1 : count
        }
    }
#endif

/// The right of one call to send a stream. Two calls that read one stream would each send a part of it.
final class BodyStreamClaim: Sendable {
    private let id: ObjectIdentifier
    private let claimed: Locked<Set<ObjectIdentifier>>

    /// - Parameter claimed: the streams that the client's calls are sending.
    /// - Throws: ``APIError`` of the kind `encoding` if another call is sending the stream.
    init(_ stream: InputStream, among claimed: Locked<Set<ObjectIdentifier>>) throws(APIError) {
        let id = ObjectIdentifier(stream.original)
        guard claimed.withLock({ $0.insert(id).inserted }) else {
            throw APIError(
                .encoding, "the body's stream is being sent by another call",
                fix: "give each call a stream of its own: let the closure of BodyStream return a new one")
        }
        self.id = id
        self.claimed = claimed
    }

    deinit { _ = claimed.withLock { $0.remove(id) } }
}

extension InputStream {
    /// The stream that the app has created.
    fileprivate var original: InputStream {
        #if canImport(FoundationNetworking)
            (self as? CheckedStream)?.stream ?? self
        #else
            self
        #endif
    }
}
