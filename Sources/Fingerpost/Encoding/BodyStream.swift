import FingerpostFiles
public import Foundation

/// A body that is read while it is being sent, for content that is too large for memory. For a file, use
/// ``RequestBody/file(_:contentType:)`` instead.
///
/// A new stream is opened each time the request is sent, including for redirects and retries. The configuration and
/// middleware may read the body of a request, so the stream that they receive is not the stream that is sent.
public struct BodyStream: Sendable {
    /// The content type, used unless the route's headers set one.
    public let contentType: String?
    /// The name of the stream in error messages.
    let origin: String
    private let make: @Sendable () throws(APIError) -> InputStream?

    /// - Parameters:
    ///   - contentType: the value of the header `Content-Type`; `application/octet-stream` if neither this argument nor
    ///     a header sets it.
    ///   - open: creates an unopened stream that starts at the beginning of the body: `InputStream(url:)`,
    ///     `InputStream(data:)`, or the input of `Stream.getBoundStreams(withBufferSize:inputStream:outputStream:)`. If
    ///     the closure returns nil, the call fails with an ``APIError`` of the kind `encoding`. It also fails on Apple
    ///     platforms for a subclass of your own, because `URLSession` calls private methods of streams there.
    public init(contentType: String? = nil, open: @escaping @Sendable () -> InputStream?) {
        self.init(contentType: contentType, origin: "the body's stream", open: open)
    }

    /// - Parameter file: the file to send. The file is checked and opened each time the request is sent.
    init(contentType: String?, file: URL) {
        self.init(contentType: contentType, origin: "the file \(FilePath.display(file))") { () throws(APIError) in
            InputStream(url: try BodyFile(file).url)
        }
    }

    init(
        contentType: String?, origin: String, open: @escaping @Sendable () throws(APIError) -> InputStream?
    ) {
        self.contentType = contentType
        self.origin = origin
        make = open
    }

    func open() throws(APIError) -> InputStream {
        guard let stream = try make() else { throw APIError(.encoding, "\(origin) cannot be opened") }
        #if !canImport(FoundationNetworking)
            if let error = Self.refusal(of: type(of: stream), origin) { throw error }
        #endif
        return stream
    }

    /// The error for a stream class that CFNetwork cannot read; nil for Foundation's classes. CFNetwork calls methods
    /// that `InputStream` does not declare, such as `_scheduleInCFRunLoop:forMode:`, so a subclass crashes the process.
    ///
    /// Only classes written in Swift have the name of a module in their name. A class written in Objective-C cannot be
    /// distinguished from a private class of Foundation.
    static func refusal(of type: InputStream.Type, _ origin: String) -> APIError? {
        let parts = String(reflecting: type).split(separator: ".")
        guard parts.count > 1, parts[0] != "Foundation", parts[0] != "__C" else { return nil }
        return APIError(
            .encoding, "\(origin) is a \(type), a subclass of InputStream that URLSession cannot read",
            fix: "use InputStream(url:), InputStream(data:) or the input of Stream.getBoundStreams")
    }
}
