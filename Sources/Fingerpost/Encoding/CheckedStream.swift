import FingerpostFiles

#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking

    /// Reads another stream, and fails if it cannot be opened or has another length than it should have.
    ///
    /// Foundation on Linux would take a stream that cannot be opened, for example of a file that is missing, for an
    /// empty one, and send an empty body that looks complete. Of a stream that has another length, the server would
    /// wait for the missing bytes, or read the surplus bytes as the next request. The last piece is only returned when
    /// the stream ends with it, so a server never receives the whole body of such a stream.
    final class CheckedStream: InputStream {
        let stream: InputStream
        let length: BodyLength?
        /// The number of bytes that have not been read, of a stream with a length.
        private var rest: Int64
        /// True when the last byte was read, and the stream ended with it.
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
        /// Foundation's property must not be read while there is no error: it would end the process.
        override var streamError: (any Error)? { failure ?? (hasFailed ? stream.streamError : nil) }
        /// True also after a failure, because Foundation takes a stream without bytes for one that is complete.
        override var hasBytesAvailable: Bool {
            hasFailed || (length == nil ? stream.hasBytesAvailable : !isComplete)
        }

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
#else
    package import Foundation
#endif

/// The length that the body of a request should have.
package struct BodyLength: Sendable {
    /// The length in bytes.
    package let bytes: Int64
    /// The error for a body that cannot be read.
    let unreadable: APIError
    /// The error for a body that has another length.
    let changed: APIError
    /// True if the body is known to have another length. The streams of Linux notice it themselves.
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

// A body with a length: a stream whose length is known to `URLSessionTransport`. Other code sees a stream.
extension URLRequest {
    #if canImport(FoundationNetworking)
        /// The length of the body's stream; nil for one without a length, and for any other body.
        var bodyLength: BodyLength? { (httpBodyStream as? CheckedStream)?.length }

        /// The error if the body has not the length that it should have.
        var bodyFailure: APIError? { (httpBodyStream as? CheckedStream)?.failure }

        mutating func setBody(_ stream: InputStream, length: BodyLength?) {
            httpBodyStream = CheckedStream(stream, length: length)
        }
    #else
        /// An address that nothing else uses. The byte is never read.
        nonisolated(unsafe) private static let bodyLengthKey = UnsafeRawPointer(
            UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

        /// The length of the body's stream; nil for one without a length, and for any other body.
        var bodyLength: BodyLength? {
            httpBodyStream.flatMap { objc_getAssociatedObject($0, Self.bodyLengthKey) as? BodyLength }
        }

        /// The error if the body has not the length that it should have.
        var bodyFailure: APIError? { bodyLength.flatMap { $0.hasChanged() ? $0.changed : nil } }

        mutating func setBody(_ stream: InputStream, length: BodyLength?) {
            // CFNetwork cannot read a subclass of `InputStream`, so the stream cannot hold the length.
            if let length {
                objc_setAssociatedObject(stream, Self.bodyLengthKey, length, .OBJC_ASSOCIATION_RETAIN)
            }
            httpBodyStream = stream
        }
    #endif

    /// The size of the body in bytes: zero without a body; nil for a stream whose size is not known.
    package var bodySize: Int64? {
        if httpBodyStream == nil { return Int64(httpBody?.count ?? 0) }
        return bodyLength?.bytes
    }
}

extension InputStream {
    /// True if the stream has been opened. Its rest, or nothing, would be sent as if it were the whole body.
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
