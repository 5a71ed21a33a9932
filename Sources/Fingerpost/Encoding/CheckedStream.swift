import Foundation

#if canImport(FoundationNetworking)
    /// Reads another stream, and fails if it cannot be opened. Foundation on Linux would take such a stream, for example
    /// of a file that is missing, for an empty one, and send an empty body that looks complete.
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
