import FingerpostFiles
import Foundation

/// Stores the received part of a body that is downloaded to a file. Until the body is complete, the received part is in
/// a hidden file next to the target. The hidden file is deleted when it is no longer needed.
final class PartialFile: Sendable {
    private let target: URL
    private let url: URL
    private let handle = Locked<FileHandle?>(nil)
    /// The complete body, mapped into memory.
    private let body = Locked<Data?>(nil)

    /// - Throws: ``APIError`` of the kind `transport` if the file cannot be created.
    init(for target: URL) throws(APIError) {
        try target.checkDownload()
        self.target = target
        let folder = target.deletingLastPathComponent()
        url = folder.appendingPathComponent(".fingerpost-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try NewFile.create(at: url)
        } catch {
            throw failure(error, "so nothing was sent")
        }
    }

    deinit {
        discard()
    }

    /// Deletes the partial file, even if a write is still in progress.
    func discard() {
        // The partial file no longer exists once it has been moved to the target, and never existed if it could not be
        // created.
        try? FileManager.default.removeItem(at: url)
    }

    /// Starts over with an empty file. This method is called each time the request is sent.
    func begin() throws(APIError) {
        do {
            // Create a new file instead of truncating the old one: the previous body is mapped from the old file, and
            // middleware may still be reading it.
            try FileManager.default.removeItem(at: url)
            try NewFile.create(at: url)
            let opened = try FileHandle(forWritingTo: url)
            handle.withLock { $0 = opened }
            body.withLock { $0 = nil }
        } catch {
            throw failure(error)
        }
    }

    func append(_ data: Data) throws(APIError) {
        do { try handle.withLock { try $0?.write(contentsOf: data) } } catch { throw failure(error) }
    }

    /// - Returns: the received body, as memory-mapped data.
    func end() throws(APIError) -> Data {
        do {
            try handle.withLock { try $0.take()?.close() }
            return try mapped()
        } catch {
            throw failure(error)
        }
    }

    /// Copies the content of another file without reading it into memory.
    func copy(_ file: URL) throws(APIError) {
        do {
            try FileManager.default.removeItem(at: url)
            try FileManager.default.copyItem(at: file.resolvingSymlinksInPath(), to: url)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        } catch {
            throw failure(error)
        }
    }

    private func mapped() throws -> Data {
        let data = try RegularFile.mapped(url)
        body.withLock { $0 = data }
        return data
    }

    /// Replaces the target with the final body in one step. The target keeps its mode.
    ///
    /// - Parameter data: the final body. The final body consists of the received bytes, unless a mock answered or
    ///   middleware replaced the bytes.
    func become(_ data: Data) throws(APIError) {
        do {
            if body.withLock({ $0 })?.isMapped(as: data) != true {
                // Data that is not the whole mapped body may still be a slice of the mapped file, so write the data to
                // a new file instead of overwriting the mapped file.
                discard()
                try NewFile.write(data, to: url)
            }
            try NewFile.move(url, to: target)
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: any Error, _ consequence: String? = nil) -> APIError {
        APIError(unwritable: target, error, consequence)
    }
}

extension URL {
    /// - Throws: ``APIError`` of the kind `transport` if no file can have this URL.
    func checkDownload() throws(APIError) {
        guard isFileURL, !hasDirectoryPath, !isFolder else {
            let path = isFileURL ? FilePath.display(self) : Redaction.url(absoluteString)
            throw APIError(
                .transport, "\(path) is not a file that the body can be written to, so nothing was sent",
                fix: "pass the URL of a file, including its name")
        }
    }
}

extension APIError {
    /// The error for a target file that cannot be written.
    init(unwritable target: URL, _ error: any Error, _ consequence: String? = nil) {
        self.init(
            .transport,
            "the body cannot be written to \(FilePath.display(target)): \(error.fileReason)"
                + (consequence.map { ", \($0)" } ?? ""),
            fix: "use a file in a writable folder on a disk with free space", underlying: error)
    }
}
