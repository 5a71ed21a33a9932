import Foundation

/// A media type (RFC 9110 section 8.3.1), derived from a file extension.
package struct MediaType: RawRepresentable, Sendable {
    /// The type and subtype: `image/png`.
    package let rawValue: String

    /// Creates a media type from its text.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The media type of a `Content-Type`, in lower case and without parameters, as in `text/html; charset=utf-8`.
    package init(contentType: String) {
        rawValue = contentType.prefix(before: ";").trimmingCharacters(in: .whitespaces).lowercased()
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
        guard let known = Self.known(fileExtension.lowercased()) else { return nil }
        rawValue = known
    }

    private static func known(_ fileExtension: String) -> String? {
        switch fileExtension {
        case "css": "text/css"
        case "csv": "text/csv"
        case "events": "text/event-stream"
        case "gif": "image/gif"
        case "gz": "application/gzip"
        case "heic": "image/heic"
        case "html": "text/html"
        case "jpeg", "jpg": "image/jpeg"
        case "js": "text/javascript"
        case "json": "application/json"
        case "m4a": "audio/mp4"
        case "md": "text/markdown"
        case "mov": "video/quicktime"
        case "mp3": "audio/mpeg"
        case "mp4": "video/mp4"
        case "ndjson", "jsonl": "application/x-ndjson"
        case "pdf": "application/pdf"
        case "png": "image/png"
        case "svg": "image/svg+xml"
        case "txt": "text/plain"
        case "wav": "audio/wav"
        case "webp": "image/webp"
        case "xml": "application/xml"
        case "zip": "application/zip"
        default: nil
        }
    }
}
