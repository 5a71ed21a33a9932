import Foundation

/// A media type (RFC 9110 section 8.3.1), derived from a file extension.
package struct MediaType: Sendable {
    /// The type and subtype: `image/png`.
    package let rawValue: String

    /// The media type of a `Content-Type`, in lower case and without parameters, as in `text/html; charset=utf-8`.
    package init(contentType: String) {
        rawValue = contentType.prefix(before: ";").trimmingCharacters(in: .whitespaces).lowercased()
    }

    /// The parameter `charset` of a `Content-Type`, without quotes; nil if there is none (RFC 9110 section 8.3.2).
    package static func charset(of contentType: String) -> String? {
        var rest = contentType[contentType.prefix(before: ";").endIndex...]
        while let (name, value) = HTTPSyntax.parameter(in: &rest) {
            if name.isSame(as: "charset"), let value { return value }
        }
        return nil
    }

    /// True for JSON, and for a format that is written in JSON (RFC 6839 section 3.1).
    package var isJSON: Bool {
        ["application/json", "text/json"].contains(rawValue) || rawValue.ends(with: "+json")
    }

    /// The media type of a file's extension; nil if the name has none, or an unknown one.
    ///
    /// - Parameter fileName: the file's name or path.
    package init?(fileName: String) {
        let name = fileName.parts(between: "/").last ?? ""
        guard let fileExtension = String(name).parts(between: ".").dropFirst().last else { return nil }
        self.init(fileExtension: String(fileExtension))
    }

    /// The media type of a file extension; nil if the extension is unknown.
    ///
    /// - Parameter fileExtension: the extension in any letter case, without the dot.
    package init?(fileExtension: String) {
        guard let known = Self.known[fileExtension.lowercased()] else { return nil }
        rawValue = known
    }

    private static let known = [
        "css": "text/css",
        "csv": "text/csv",
        "events": "text/event-stream",
        "gif": "image/gif",
        "gz": "application/gzip",
        "heic": "image/heic",
        "html": "text/html",
        "jpeg": "image/jpeg",
        "jpg": "image/jpeg",
        "js": "text/javascript",
        "json": "application/json",
        "m4a": "audio/mp4",
        "md": "text/markdown",
        "mov": "video/quicktime",
        "mp3": "audio/mpeg",
        "mp4": "video/mp4",
        "ndjson": "application/x-ndjson",
        "jsonl": "application/x-ndjson",
        "pdf": "application/pdf",
        "png": "image/png",
        "svg": "image/svg+xml",
        "txt": "text/plain",
        "wav": "audio/wav",
        "webp": "image/webp",
        "xml": "application/xml",
        "zip": "application/zip",
    ]
}
