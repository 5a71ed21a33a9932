package import FingerpostFiles

extension MediaType {
    /// Creates the media type for a file's extension. Returns nil if the extension is missing or unknown.
    ///
    /// - Parameter fileName: the file's name or path.
    package init?(fileName: String) {
        let name = fileName.parts(between: "/").last ?? ""
        guard let fileExtension = name.parts(between: ".").dropFirst().last,
            let known = Self.known[fileExtension.lowercased()]
        else { return nil }
        self.init(contentType: known)
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
