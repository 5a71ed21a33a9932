public import Foundation

/// A body that is given as it is, where ``Route/parameters`` are placed by the method.
public indirect enum RequestBody: Sendable {
    /// One encodable value as JSON, by the client's encoder. The content type is `application/json`.
    case json(any Encodable & Sendable)
    /// Bytes. The content type, when given, is set unless the route's headers have one.
    case data(Data, contentType: String? = nil)

    /// Fields and files. Large forms are streamed.
    case multipart(MultipartForm)
    /// Bytes that are read while they are sent.
    case stream(BodyStream)

    /// A file, streamed. It is opened when the request is sent.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - contentType: by default told by the file's extension.
    public static func file(_ url: URL, contentType: String? = nil) -> RequestBody {
        .stream(
            BodyStream(
                contentType: contentType ?? MediaType(fileExtension: url.pathExtension)?.rawValue, file: url))
    }

    /// Text in UTF-8.
    public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> RequestBody {
        .data(Data(text.utf8), contentType: contentType)
    }
}
