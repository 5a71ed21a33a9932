import FingerpostFiles
public import Foundation

/// A body that is read while it is sent, for bodies too large for memory. Use ``RequestBody/file(_:contentType:)`` for
/// a file.
///
/// A new stream is opened each time the request is sent, including redirects and retries, and once more for the request
/// that the configuration and middleware see and may read.
public struct BodyStream: Sendable {
    /// The content type, used unless the route's headers set one.
    public let contentType: String?
    /// The name of the stream in error messages.
    let origin: String
    private let make: @Sendable () throws(APIError) -> InputStream?

    /// - Parameters:
    ///   - contentType: the value of `Content-Type`; nil sends none.
    ///   - open: creates an unopened stream at the start of the body. Returning nil fails the call with an ``APIError``
    ///     of the kind `encoding`.
    public init(contentType: String? = nil, open: @escaping @Sendable () -> InputStream?) {
        self.init(contentType: contentType, origin: "the body's stream", open: open)
    }

    /// - Parameter file: checked and opened each time the request is sent.
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
        return stream
    }
}
