/// A media type (RFC 9110 section 8.3.1), derived from a file extension.
package struct MediaType: RawRepresentable {
    /// The type and subtype: `image/png`.
    package let rawValue: String

    /// Creates a media type from its text.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The media type of a file extension; nil if the extension is unknown.
    ///
    /// - Parameter fileExtension: the extension in any letter case, without the dot.
    package init?(fileExtension: String) {
        guard let known = Self.known[fileExtension] ?? Self.known[fileExtension.lowercased()] else { return nil }
        rawValue = known
    }

    private static let known: [String: String] = [
        "css": "text/css", "csv": "text/csv", "gif": "image/gif", "gz": "application/gzip", "heic": "image/heic",
        "html": "text/html", "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript",
        "json": "application/json", "m4a": "audio/mp4", "md": "text/markdown", "mov": "video/quicktime",
        "mp3": "audio/mpeg", "mp4": "video/mp4", "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml",
        "txt": "text/plain", "wav": "audio/wav", "webp": "image/webp", "xml": "application/xml",
        "zip": "application/zip",
    ]
}
