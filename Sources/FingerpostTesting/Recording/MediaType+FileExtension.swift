import FingerpostFiles

extension MediaType {
    /// True for the media type of URL-encoded forms.
    var isForm: Bool { rawValue == "application/x-www-form-urlencoded" }

    var isText: Bool { rawValue.begins(with: "text/") }

    /// The file extension for this media type; nil if the media type has no extension.
    var fileExtension: String? {
        let special = [
            "image/jpeg": "jpg", "text/plain": "txt", "text/html": "html", "text/javascript": "js",
            "image/svg+xml": "svg", "text/event-stream": "events", "audio/mpeg": "mp3", "audio/mp3": "mp3",
            "audio/mp4": "m4a", "audio/x-m4a": "m4a", "audio/x-wav": "wav", "audio/wave": "wav", "audio/flac": "flac",
            "audio/ogg": "ogg", "audio/opus": "opus", "audio/aac": "aac", "audio/webm": "webm", "video/webm": "webm",
            "video/quicktime": "mov", "text/markdown": "md", "text/calendar": "ics", "text/vcard": "vcf",
            "text/tab-separated-values": "tsv", "text/xml": "xml", "application/xhtml+xml": "xhtml",
            "application/x-plist": "plist", "application/yaml": "yaml", "application/x-yaml": "yaml",
            "text/yaml": "yaml", "application/gzip": "gz", "application/x-gzip": "gz", "application/x-tar": "tar",
            "application/wasm": "wasm", "application/rtf": "rtf", "application/epub+zip": "epub",
            "image/avif": "avif", "image/bmp": "bmp", "image/tiff": "tiff", "image/x-icon": "ico",
            "image/vnd.microsoft.icon": "ico", "font/woff2": "woff2", "font/woff": "woff", "font/ttf": "ttf",
            "application/atom+xml": "xml", "application/rss+xml": "xml", "application/javascript": "js",
        ]
        if let known = special[rawValue] { return known }
        let subtype = rawValue.words(between: "/").last.map(String.init) ?? ""
        return MediaType(fileName: "body.\(subtype)")?.rawValue == rawValue ? subtype : nil
    }
}
