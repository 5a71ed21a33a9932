import FingerpostFiles
import Foundation

/// A file that is sent as a body, or as a part of one.
struct BodyFile {
    let url: URL
    /// In bytes.
    let size: Int

    /// - Throws: ``APIError`` of the kind `encoding` when it is not there, not readable, or no file but a folder or a pipe.
    init(_ url: URL) throws(APIError) {
        let path = FilePath.display(url)
        guard url.isFileURL else {
            throw APIError(.encoding, "\(Redaction.url(url.absoluteString)) is no file", fix: "give a file URL")
        }
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
        } catch {
            throw APIError(
                .encoding, "the file \(path) cannot be read: it is not there, or not readable", underlying: error)
        }
        guard attributes[.type] as? FileAttributeType != .typeDirectory else {
            throw APIError(
                .encoding, "\(path) is a folder, not a file", fix: "send its files one by one, or an archive")
        }
        // A pipe may wait for ever for what is written into it, and every session of the process with it.
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw APIError(.encoding, "\(path) is no regular file", fix: "send its bytes with RequestBody.stream")
        }
        // Foundation on Linux would send an empty body.
        guard FileManager.default.isReadableFile(atPath: url.path) else {
            throw APIError(.encoding, "the file \(path) cannot be read: permission is denied")
        }
        self.url = url
        size = (attributes[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Reads the file in pieces of 64 KiB.
    ///
    /// - Throws: ``APIError`` of the kind `encoding` when it cannot be read to its end, and what the sink throws.
    func read(_ sink: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        guard let stream = InputStream(url: url) else { throw unreadable }
        stream.open()
        defer { stream.close() }
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 65_536)
        defer { buffer.deallocate() }
        guard let start = buffer.baseAddress else { return }
        while true {
            let count = stream.read(start, maxLength: buffer.count)
            if count < 0 { throw unreadable }
            if count == 0 { return }
            try sink(UnsafeBufferPointer(start: start, count: count))
        }
    }

    private var unreadable: APIError {
        APIError(.encoding, "the file \(FilePath.display(url)) cannot be read")
    }
}
