import FingerpostFiles

#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// A file that is sent as a request body, or as part of a request body.
struct BodyFile {
    let url: URL
    /// The file's size in bytes.
    let size: Int64

    /// - Throws: ``APIError`` of the kind `encoding` if the file is missing, is unreadable, or is a folder, a pipe or a
    ///   device.
    init(_ url: URL) throws(APIError) {
        let path = FilePath.display(url)
        guard url.isFileURL else {
            throw APIError(.encoding, "\(Redaction.url(url.absoluteString)) is not a file URL", fix: "pass a file URL")
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
        // Reading a pipe can block forever and would stall every URLSession in the process.
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

    /// Reads the file in pieces of 64 KiB.
    ///
    /// - Throws: ``APIError`` of the kind `encoding` if the file cannot be read. An error thrown by the closure `sink`
    ///   is rethrown.
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

    /// The error for a file that became shorter or longer while it was sent.
    var changed: APIError {
        APIError(
            .encoding,
            "the file \(FilePath.display(url)) had \(size) bytes, and changed its size while it was sent",
            fix: "send a file that nothing writes to, such as a copy")
    }

    #if !canImport(FoundationNetworking)
        /// True if the file has become shorter or longer.
        var hasChanged: Bool { (try? FileStatus(of: url.path)).map { $0.size != size } ?? false }
    #endif
}

// A file in the body of a request: a stream whose length is known to `URLSessionTransport`. Other code sees a stream.
#if canImport(FoundationNetworking)
    extension URLRequest {
        /// The file that the body's stream reads; nil for any other body.
        var bodyFile: BodyFile? { (httpBodyStream as? FileStream)?.file }

        /// The error if the body's file changed its size while it was sent.
        var bodyFailure: APIError? { (httpBodyStream as? FileStream)?.failure }

        mutating func setBody(_ file: BodyFile) throws(APIError) {
            guard let stream = FileStream(file) else { throw file.unreadable }
            httpBodyStream = stream
        }
    }
#else
    extension URLRequest {
        /// An address that nothing else uses. The byte is never read.
        nonisolated(unsafe) private static let bodyFileKey = UnsafeRawPointer(
            UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

        /// The file that the body's stream reads; nil for any other body.
        var bodyFile: BodyFile? {
            httpBodyStream.flatMap { objc_getAssociatedObject($0, Self.bodyFileKey) as? BodyFile }
        }

        /// The error if the body's file has another size than when it was opened.
        var bodyFailure: APIError? { bodyFile.flatMap { $0.hasChanged ? $0.changed : nil } }

        mutating func setBody(_ file: BodyFile) throws(APIError) {
            guard let stream = InputStream(url: file.url) else { throw file.unreadable }
            // CFNetwork cannot read a subclass of `InputStream`, so the stream cannot hold the file.
            objc_setAssociatedObject(stream, Self.bodyFileKey, file, .OBJC_ASSOCIATION_RETAIN)
            httpBodyStream = stream
        }
    }
#endif

extension URLRequest {
    /// The size of the body in bytes: zero without a body; nil for a stream whose size is not known.
    package var bodySize: Int64? {
        if httpBodyStream == nil { return Int64(httpBody?.count ?? 0) }
        return bodyFile?.size
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
        // The file is no longer used. If the file cannot be deleted, the system deletes it when it clears the temporary
        // folder.
        try? FileManager.default.removeItem(at: url)
    }
}
