import Fingerpost
import FingerpostFiles
import FingerpostShared
import Foundation

/// A file that is sent as a request body, or as part of a request body.
struct BodyFile {
    let url: URL
    /// The file's size in bytes.
    let size: Int64

    /// - Throws: ``/Fingerpost/APIError`` of the kind `encoding` if the file is missing, is unreadable, or is a folder,
    ///   a pipe or a device.
    init(_ url: URL) throws(APIError) {
        let path = FilePath.display(url)
        guard url.isFileURL else {
            throw APIError(
                .encoding, "a URL with the scheme \((url.scheme ?? "").quoted) is not a file URL",
                fix: "pass a file URL")
        }
        let status: FileStatus
        do { status = try FileStatus(of: url.path) } catch {
            throw APIError(
                .encoding, "the file \(path) cannot be read: it is missing or not readable", underlying: error)
        }
        guard status.kind != .folder else {
            throw APIError(
                .encoding, "\(path) is a folder, not a file", fix: "send its files one by one, or an archive of it")
        }
        // A read from a pipe can block forever, which would stall every URLSession in the process.
        guard status.kind == .file else {
            throw APIError(.encoding, "\(path) is not a regular file", fix: "send its bytes with RequestBody.stream")
        }
        // Foundation on Linux would send an empty body for an unreadable file.
        guard FileManager.default.isReadableFile(atPath: url.path) else {
            throw APIError(.encoding, "the file \(path) cannot be read: permission is denied")
        }
        self.url = url
        size = status.size
    }

    /// Reads the file in chunks of 64 KiB.
    ///
    /// - Throws: ``/Fingerpost/APIError`` of the kind `encoding` if the file cannot be read. An error thrown by the
    ///   closure `sink` is rethrown.
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

    var unreadable: APIError {
        APIError(.encoding, "the file \(FilePath.display(url)) cannot be read")
    }

    /// The error for a file whose size changed while the file was sent.
    var changed: APIError {
        APIError(
            .encoding,
            "the file \(FilePath.display(url)) had \(size) bytes, and changed its size while it was sent",
            fix: "send a file that nothing writes to, such as a copy")
    }

    /// Returns a stream that reads the file, and the number of bytes that the stream should contain.
    func open() throws(APIError) -> BodyStream.Content {
        guard let stream = InputStream(url: url) else { throw unreadable }
        let hasChanged = { @Sendable [url, size] in
            // A deleted file counts as unchanged, because the stream has opened the file and can read it to its end.
            (try? FileStatus(of: url.path)).map { $0.size != size } ?? false
        }
        return (stream, BodyLength(size, unreadable: unreadable, changed: changed, if: hasChanged))
    }
}

/// A new temporary file. The file is deleted when this object is deallocated.
final class TemporaryFile: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("fingerpost-\(UUID().uuidString)")
        do { try NewFile.create(at: url) } catch {
            throw APIError(
                .encoding,
                "cannot create a temporary file in \(url.deletingLastPathComponent().path): \(error.fileReason)")
        }
    }

    deinit {
        // If the file cannot be deleted, the system deletes the file when it clears the temporary folder.
        try? FileManager.default.removeItem(at: url)
    }
}
