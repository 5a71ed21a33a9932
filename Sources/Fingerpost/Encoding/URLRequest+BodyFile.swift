import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// A file in the body of a request: a stream whose length is known to `URLSessionTransport`. Other code sees a stream.
#if canImport(FoundationNetworking)
    extension URLRequest {
        /// The file that the body's stream reads; nil for any other body.
        var bodyFile: BodyFile? { (httpBodyStream as? FileStream)?.file }

        /// The error if the body's file changed its size while it was sent.
        var bodyFailure: APIError? { (httpBodyStream as? FileStream)?.failure }

        mutating func setBody(_ file: BodyFile) throws(APIError) {
            guard let stream = FileStream(file) else { throw file.unreadable }
            httpBodyStream = stream
        }
    }
#else
    extension URLRequest {
        /// An address that nothing else uses. The byte is never read.
        nonisolated(unsafe) private static let bodyFileKey = UnsafeRawPointer(
            UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

        /// The file that the body's stream reads; nil for any other body.
        var bodyFile: BodyFile? {
            httpBodyStream.flatMap { objc_getAssociatedObject($0, Self.bodyFileKey) as? BodyFile }
        }

        /// The error if the body's file has another size than when it was opened.
        var bodyFailure: APIError? { bodyFile.flatMap { $0.hasChanged ? $0.changed : nil } }

        mutating func setBody(_ file: BodyFile) throws(APIError) {
            guard let stream = InputStream(url: file.url) else { throw file.unreadable }
            // CFNetwork cannot read a subclass of `InputStream`, so the stream cannot hold the file.
            objc_setAssociatedObject(stream, Self.bodyFileKey, file, .OBJC_ASSOCIATION_RETAIN)
            httpBodyStream = stream
        }
    }
#endif
