import Foundation

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
}
