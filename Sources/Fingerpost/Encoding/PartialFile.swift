import FingerpostFiles
import Foundation

/// What has come of a body that goes into a file. It stands beside that file, under a hidden name, until it is whole, and goes when nobody
/// needs it any more.
final class PartialFile: Sendable {
    private let target: URL
    private let url: URL
    private let handle = Locked<FileHandle?>(nil)
    /// The whole of it, mapped into memory.
    private let body = Locked<Data?>(nil)

    /// - Throws: ``APIError`` when no file can be made there.
    init(for target: URL) throws(APIError) {
        guard target.isFileURL, !target.hasDirectoryPath, !target.isFolder else {
            let path = target.isFileURL ? FilePath.display(target) : Redaction.url(target.absoluteString)
            throw APIError(
                .transport, "\(path) is no file that a body can be written to, so nothing was sent",
                fix: "give the URL of a file, by its own name")
        }
        self.target = target
        let folder = target.deletingLastPathComponent()
        url = folder.appendingPathComponent(".fingerpost-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data().write(to: url)
        } catch {
            throw failure(error, "so nothing was sent")
        }
    }

    deinit {
        discard()
    }

    /// Leaves nothing behind, although somebody may still be writing.
    func discard() {
        // It is gone when it has become the target, and was never there when it could not be made.
        try? FileManager.default.removeItem(at: url)
    }

    /// Begins anew, for every time that the request is sent.
    func begin() throws(APIError) {
        do {
            // Another file of that name: middleware may still look at what came before, which is mapped.
            try FileManager.default.removeItem(at: url)
            try Data().write(to: url)
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

    /// - Returns: all that came, which is not read into memory.
    func end() throws(APIError) -> Data {
        do {
            try handle.withLock { try $0.take()?.close() }
            return try mapped()
        } catch {
            throw failure(error)
        }
    }

    /// Takes the content of another file, which is not read into memory either.
    func copy(_ file: URL) throws(APIError) {
        do {
            try FileManager.default.removeItem(at: url)
            try FileManager.default.copyItem(at: file.resolvingSymlinksInPath(), to: url)
        } catch {
            throw failure(error)
        }
    }

    private func mapped() throws -> Data {
        let data = try RegularFile.mapped(url)
        body.withLock { $0 = data }
        return data
    }

    /// Takes the place of the target in one step.
    ///
    /// - Parameter data: what is to be in it: what came, unless a mock answered or middleware made something else of it.
    func become(_ data: Data) throws(APIError) {
        do {
            // It may be a part of what came, so nothing is written over that.
            guard holds(data) else { return try data.write(to: target, options: .atomic) }
            guard rename(url.path, target.path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        } catch {
            throw failure(error)
        }
    }

    /// True for the very bytes that came, which need no comparison.
    private func holds(_ data: Data) -> Bool {
        guard let body = body.withLock({ $0 }), body.count == data.count else { return false }
        return body.withUnsafeBytes { body in data.withUnsafeBytes { $0.baseAddress == body.baseAddress } }
    }

    private func failure(_ error: any Error, _ consequence: String? = nil) -> APIError {
        let path = FilePath.display(target)
        let reason = (error as? any LocalizedError)?.errorDescription ?? error.localizedDescription
        return APIError(
            .transport, "the body cannot be written to \(path): \(reason)" + (consequence.map { ", \($0)" } ?? ""),
            fix: "give a file in a folder that can be written to and has room", underlying: error)
    }
}
