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
        private static let bodyFileKey = "Fingerpost.bodyFile"

        /// The file that the body's stream reads; nil for any other body.
        var bodyFile: BodyFile? {
            guard let opened = URLProtocol.property(forKey: Self.bodyFileKey, in: self) as? OpenedFile,
                opened.stream === httpBodyStream
            else { return nil }
            return opened.file
        }

        /// The error if the body's file changed its size while it was sent.
        var bodyFailure: APIError? { bodyFile.flatMap { $0.hasChanged ? $0.changed : nil } }

        mutating func setBody(_ file: BodyFile) throws(APIError) {
            guard let stream = InputStream(url: file.url) else { throw file.unreadable }
            httpBodyStream = stream
            // CFNetwork cannot read a subclass of `InputStream`, so the stream cannot hold the file.
            guard let request = (self as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return }
            URLProtocol.setProperty(OpenedFile(stream, file), forKey: Self.bodyFileKey, in: request)
            self = request as URLRequest
        }
    }

    /// A file and the stream that reads it. Code that replaces the stream does not send this file.
    private final class OpenedFile {
        let stream: InputStream
        let file: BodyFile

        init(_ stream: InputStream, _ file: BodyFile) {
            self.stream = stream
            self.file = file
        }
    }
#endif
