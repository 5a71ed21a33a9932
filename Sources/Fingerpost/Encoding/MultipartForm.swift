public import Foundation

/// A body of the content type `multipart/form-data` (RFC 7578): fields, data and files.
///
/// ```swift
/// let form = MultipartForm()
///     .field("title", "Holiday")
///     .file("photo", photoURL)
///     .data("thumbnail", png, fileName: "small.png")
/// try await client.send(Route.post("photos").multipart(form))
/// ```
///
/// The client streams what is large, so that a file of any size takes little memory. Names and file names are escaped as browsers do
/// (WHATWG HTML, section 4.10.21.8): a quote is `%22`, a line break `%0D%0A`.
public struct MultipartForm: Sendable {
    /// Where the bytes of a part are.
    enum Content: Sendable {
        case data(Data)
        case file(URL)
    }

    /// One part.
    struct Part: Sendable {
        var name: String
        var fileName: String?
        var contentType: String?
        var content: Content
    }

    private(set) var parts: [Part] = []
    /// What separates the parts; random, so that no content holds it.
    public let boundary: String

    /// An empty form.
    ///
    /// - Parameter boundary: up to 70 letters, digits and hyphens (RFC 2046 section 5.1.1); by default 32 random ones.
    public init(boundary: String? = nil) {
        self.boundary = boundary ?? "fingerpost-" + UUID().uuidString.replacingOccurrences(of: "-", with: "").prefix(24)
    }

    /// Adds a text field.
    public func field(_ name: String, _ value: String) -> MultipartForm {
        adding(Part(name: name, content: .data(Data(value.utf8))))
    }

    /// Adds bytes.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - data: its bytes.
    ///   - fileName: makes the part a file; without it the part is a field.
    ///   - contentType: by default told by the extension of the file name, or `application/octet-stream`.
    public func data(
        _ name: String, _ data: Data, fileName: String? = nil, contentType: String? = nil
    ) -> MultipartForm {
        let type = contentType ?? fileName.map { Self.contentType(of: $0) } ?? "application/octet-stream"
        return adding(Part(name: name, fileName: fileName, contentType: type, content: .data(data)))
    }

    /// Adds a file, which is read when the form is sent.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - url: the file.
    ///   - fileName: by default the file's own.
    ///   - contentType: by default told by the extension of the file name, or `application/octet-stream`.
    public func file(
        _ name: String, _ url: URL, fileName: String? = nil, contentType: String? = nil
    ) -> MultipartForm {
        let fileName = fileName ?? url.lastPathComponent
        return adding(
            Part(
                name: name, fileName: fileName, contentType: contentType ?? Self.contentType(of: fileName),
                content: .file(url)))
    }

    /// The content type of the whole body.
    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    private func adding(_ part: Part) -> MultipartForm {
        var copy = self
        copy.parts.append(part)
        return copy
    }

    private static func contentType(of fileName: String) -> String {
        let fileExtension = fileName.split(separator: ".").last.map(String.init) ?? ""
        return MediaType(fileExtension: fileExtension)?.rawValue ?? "application/octet-stream"
    }
}
