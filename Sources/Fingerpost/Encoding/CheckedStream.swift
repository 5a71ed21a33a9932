import FingerpostFiles

#if canImport(FoundationNetworking)
    import Foundation

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
#else
    import Foundation
#endif

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
