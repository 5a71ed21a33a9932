public import Foundation

/// A request body that is not built from a route's parameters. For named values, use ``Route/parameters`` instead: by
/// default, the HTTP method decides whether parameters go into the query or the body.
public indirect enum RequestBody: Sendable {
    /// One encodable value as JSON, using the client's encoder. The content type is `application/json`.
    case json(any Encodable & Sendable)
    /// Bytes. If the route's headers contain `Content-Type`, the argument `contentType` is ignored. If no header and no
    /// argument sets the type, it is `application/octet-stream`.
    case data(Data, contentType: String? = nil)

    /// A stream that is read while it is being sent, for bodies that are too large for memory. The product
    /// `FingerpostTransfers` adds `.file` for files and `.multipart` for forms.
    case stream(BodyStream)

    /// Text in UTF-8; the content type is `text/plain` by default.
    public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> RequestBody {
        .data(Data(text.utf8), contentType: contentType)
    }
}

extension RequestBody: CustomStringConvertible, CustomReflectable {
    /// The kind of the body. The content is left out because it can be secret.
    public var description: String {
        switch self {
        case .json(let value): "\(type(of: value)) as JSON"
        case .data(let data, let type): "\(data.count) bytes" + (type.map { " of \($0)" } ?? "")
        case .stream(let stream): stream.origin
        }
    }

    /// The kind of the body. The content is left out because it can be secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A body that is written before the request is built, such as a form. A large body is written to a file, and a small
/// body is written to memory.
package protocol WrittenBody: CustomStringConvertible, Sendable {
    /// The content type. A header must not replace this type.
    var contentType: String { get }

    /// The fields of the body. The value of a field is nil if that value is not in memory.
    var fields: [(name: String, value: Data?)] { get }

    /// The whole body in memory.
    ///
    /// - Throws: ``APIError`` of the kind `encoding`.
    func data() throws(APIError) -> Data

    /// Writes a large body to a file, and returns a stream that can be opened repeatedly. Returns nil for a body that
    /// fits into memory.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, otherwise ``APIError`` of the kind `encoding`.
    func spooled() async throws -> BodyStream?
}
