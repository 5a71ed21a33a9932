import FingerpostFiles
public import Foundation

/// A body that is read while it is sent, for bodies too large for memory.
///
/// It is opened anew for every time the request is sent, redirects and retries included, and once before: that one is in the
/// request which the configuration and middleware look at, and they may read it.
public struct BodyStream: Sendable {
    /// The content type, set unless the route's headers have one.
    public let contentType: String?
    /// What errors call it.
    let origin: String
    private let make: @Sendable () throws(APIError) -> InputStream?

    /// - Parameters:
    ///   - contentType: the content type, if it has one.
    ///   - open: makes a stream from the beginning, not opened yet; nil fails the call with an ``APIError`` of the kind `encoding`.
    public init(contentType: String? = nil, open: @escaping @Sendable () -> InputStream?) {
        self.init(contentType: contentType, origin: "the body's stream", open: open)
    }

    /// - Parameter file: opened, and looked at, for each sending.
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
