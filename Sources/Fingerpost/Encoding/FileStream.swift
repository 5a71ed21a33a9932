import Foundation

#if canImport(FoundationNetworking)
    /// Reads a file that is sent with its length, and fails if the file has become shorter or longer since its size was
    /// taken. Otherwise the server would wait for the missing bytes, or read the surplus bytes as the next request.
    ///
    /// The last piece is only returned when the file ends with it. So a server never receives the whole body of a file
    /// that changed its size.
    final class FileStream: InputStream {
        let file: BodyFile
        /// The number of bytes that have not been read.
        private var rest: Int64
        /// True when the last byte was read, and the file ended with it.
        private var isComplete = false
        private(set) var failure: APIError?

        init?(_ file: BodyFile) {
            self.file = file
            rest = file.size
            super.init(url: file.url)
        }

        /// Foundation's property must not be read while there is no error: it would end the process.
        override var streamError: (any Error)? { failure }
        override var streamStatus: Stream.Status { failure == nil ? super.streamStatus : .error }
        /// True also after a failure, because Foundation takes a stream without bytes for one that is complete.
        override var hasBytesAvailable: Bool { !isComplete }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
            guard failure == nil, maxLength > 0 else { return failure == nil ? 0 : -1 }
            let count = rest == 0 ? 0 : super.read(buffer, maxLength: Int(min(Int64(maxLength), rest)))
            guard count >= 0 else { return fail(file.unreadable) }
            guard count > 0 || rest == 0 else { return fail(file.changed) }
            rest -= Int64(count)
            if rest == 0, !isComplete {
                var surplus: UInt8 = 0
                guard super.read(&surplus, maxLength: 1) == 0 else { return fail(file.changed) }
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
