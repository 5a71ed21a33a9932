import FingerpostFiles
public import Foundation

/// A body that is read while it is being sent, for content that is too large for memory. The product
/// `FingerpostTransfers` provides bodies for files and for forms with files.
///
/// A new stream is opened each time the request is sent, including for redirects and retries. Middleware and the
/// configuration's closures may read a request's stream, because the library sends another stream.
public struct BodyStream: Sendable {
    /// An unopened stream, and its length if the length is known.
    package typealias Content = (stream: InputStream?, length: BodyLength?)

    /// The content type of the body, unless the route's headers set the content type.
    public let contentType: String?
    /// The name of the stream in error messages.
    let origin: String
    private let make: @Sendable () throws(APIError) -> Content
    /// The body, such as a form, that is written to a file or to memory before the request is built. The property is
    /// nil for a stream that the app creates, and for a file.
    let written: (any WrittenBody)?

    /// - Parameters:
    ///   - contentType: the value of the `Content-Type` header. If neither this argument nor a header sets the type,
    ///     the type is `application/octet-stream`.
    ///   - length: the number of bytes of the whole body, sent as the `Content-Length` header; nil if the number is not
    ///     known. Without a length, the body is sent in chunks (RFC 9112 section 7.1), which some servers refuse. If
    ///     the stream has more or fewer bytes than this number, the call fails with an ``APIError`` of the kind
    ///     `encoding`. On Apple platforms, `URLSession` notices the wrong length, so the kind can also be `transport`.
    ///   - open: creates an unopened stream that starts at the beginning of the body: `InputStream(url:)`,
    ///     `InputStream(data:)`, or the input of `Stream.getBoundStreams(withBufferSize:inputStream:outputStream:)`. If
    ///     the closure returns nil, or a stream that has been opened before, the call fails with an ``APIError`` of the
    ///     kind `encoding`. On Apple platforms, the call also fails for a custom subclass of `InputStream`, because
    ///     `URLSession` calls private methods of streams there.
    public init(
        contentType: String? = nil, length: Int64? = nil, open: @escaping @Sendable () -> InputStream?
    ) {
        let origin = "the body's stream"
        self.init(contentType: contentType, called: origin) { () throws(APIError) in
            guard let length else { return (open(), nil) }
            let fix = "pass the number of bytes of the stream as length, or leave it out"
            if length < 0 { throw APIError(.encoding, "the length of \(origin) is \(length) bytes", fix: fix) }
            let unreadable = APIError(.encoding, "\(origin) cannot be read")
            let changed = APIError(
                .encoding, "\(origin) is longer or shorter than its length of \(length) bytes", fix: fix)
            return (open(), BodyLength(length, unreadable: unreadable, changed: changed, if: { false }))
        }
    }

    /// - Parameters:
    ///   - origin: the name of the stream in error messages.
    ///   - open: opens the body, each time the request is sent.
    package init(
        contentType: String?, called origin: String, open: @escaping @Sendable () throws(APIError) -> Content
    ) {
        self.contentType = contentType
        self.origin = origin
        make = open
        written = nil
    }

    /// Creates a body that is written before its request is built.
    package init(writing body: any WrittenBody) {
        contentType = body.contentType
        origin = body.description
        make = { () throws(APIError) in (nil, nil) }
        written = body
    }

    /// Opens the stream again as the body of a request.
    func open(in request: inout URLRequest) throws(APIError) {
        let (stream, length) = try make()
        guard let stream else { throw APIError(.encoding, "\(origin) cannot be opened") }
        guard !stream.wasOpened else {
            throw APIError(
                openedBefore: origin, fix: "return a new stream each time the closure of BodyStream is called")
        }
        #if !canImport(FoundationNetworking)
            if let error = Self.refusal(of: type(of: stream), origin) { throw error }
        #endif
        request.setBody(stream, length: length)
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

extension APIError {
    /// The error for a body stream that has been opened before it is sent.
    init(openedBefore origin: String, fix: String) {
        self.init(.encoding, "\(origin) has been opened before, so it may be used up", fix: fix)
    }
}

/// Ensures that only one call sends a stream. If two calls sent the stream, each call would send only a part of the
/// bytes.
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

/// The length that the body of a request should have.
package struct BodyLength: Sendable {
    /// The length in bytes.
    let bytes: Int64
    /// The error for a body that cannot be read.
    let unreadable: APIError
    /// The error for a body whose length differs from the expected length.
    let changed: APIError
    /// Returns true if the body's length certainly differs from the expected length. On Linux, the streams check their
    /// length themselves.
    let hasChanged: @Sendable () -> Bool

    package init(
        _ bytes: Int64, unreadable: APIError, changed: APIError, if hasChanged: @escaping @Sendable () -> Bool
    ) {
        self.bytes = bytes
        self.unreadable = unreadable
        self.changed = changed
        self.hasChanged = hasChanged
    }
}

// The length of a body is stored with its stream. `URLSessionTransport` reads the length, and other code uses only the
// stream.
extension URLRequest {
    #if canImport(FoundationNetworking)
        /// The length of the body's stream; nil if the length is unknown, or if the body is not a stream with a length.
        var bodyLength: BodyLength? { (httpBodyStream as? CheckedStream)?.length }

        /// The error if the body has the wrong length.
        var bodyFailure: APIError? { (httpBodyStream as? CheckedStream)?.failure }

        mutating func setBody(_ stream: InputStream, length: BodyLength?) {
            httpBodyStream = CheckedStream(stream, length: length)
        }
    #else
        /// A unique address that identifies the associated object. The byte is never read.
        nonisolated(unsafe) private static let bodyLengthKey = UnsafeRawPointer(
            UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

        /// The length of the body's stream; nil if the length is unknown, or if the body is not a stream with a length.
        var bodyLength: BodyLength? {
            httpBodyStream.flatMap { objc_getAssociatedObject($0, Self.bodyLengthKey) as? BodyLength }
        }

        /// The error if the body has the wrong length.
        var bodyFailure: APIError? { bodyLength.flatMap { $0.hasChanged() ? $0.changed : nil } }

        mutating func setBody(_ stream: InputStream, length: BodyLength?) {
            // CFNetwork cannot read a subclass of `InputStream`, so the stream cannot hold the length.
            if let length {
                objc_setAssociatedObject(stream, Self.bodyLengthKey, length, .OBJC_ASSOCIATION_RETAIN)
            }
            httpBodyStream = stream
        }
    #endif
}

#if canImport(FoundationNetworking)
    /// Reads another stream, and fails if that stream cannot be opened or has the wrong length.
    ///
    /// If a stream cannot be opened, for example because a file is missing, Foundation on Linux sends an empty body
    /// that looks complete. If a stream is too short, the server waits for the missing bytes; if a stream is too long,
    /// the server reads the surplus bytes as the next request. This class therefore returns the last chunk only if the
    /// stream ends after that chunk: a server never receives the whole body of a stream with the wrong length.
    final class CheckedStream: InputStream {
        let stream: InputStream
        let length: BodyLength?
        /// The number of bytes that have not been read yet, if the stream has a length.
        private var rest: Int64
        /// True when the stream has ended after the expected number of bytes.
        private var isComplete = false
        private(set) var failure: APIError?

        init(_ stream: InputStream, length: BodyLength?) {
            self.stream = stream
            self.length = length
            rest = length?.bytes ?? 0
            super.init(data: Data())
        }

        private var hasFailed: Bool { failure != nil || stream.streamStatus == .error }

        override func open() { stream.open() }
        override func close() { stream.close() }
        override var streamStatus: Stream.Status { failure == nil ? stream.streamStatus : .error }
        /// If there is no error, reading Foundation's property crashes the process.
        override var streamError: (any Error)? { failure ?? (hasFailed ? stream.streamError : nil) }
        /// The property is also true after a failure, because Foundation would treat a stream without bytes as
        /// complete.
        override var hasBytesAvailable: Bool { hasFailed || (length == nil ? stream.hasBytesAvailable : !isComplete) }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength size: Int) -> Int {
            guard failure == nil, size > 0 else { return failure == nil ? 0 : -1 }
            guard let length else {
                let count = hasFailed ? -1 : stream.read(buffer, maxLength: size)
                return count <= 0 && hasFailed ? -1 : count
            }
            let count = rest == 0 ? 0 : stream.read(buffer, maxLength: Int(min(Int64(size), rest)))
            guard count > 0 || count == 0 && rest == 0 else {
                return fail(count < 0 ? length.unreadable : length.changed)
            }
            rest -= Int64(count)
            if rest == 0, !isComplete {
                var surplus: UInt8 = 0
                guard stream.read(&surplus, maxLength: 1) == 0 else { return fail(length.changed) }
                isComplete = true
            }
            return count
        }

        private func fail(_ error: APIError) -> Int {
            failure = error
            return -1
        }
    }
#endif

extension InputStream {
    /// True if the stream has been opened. An opened stream must not be sent, because its first bytes may be missing.
    var wasOpened: Bool { streamStatus != .notOpen }

    /// The stream that the app has created.
    var original: InputStream {
        #if canImport(FoundationNetworking)
            (self as? CheckedStream)?.stream ?? self
        #else
            self
        #endif
    }
}
