import FingerpostFiles
package import Foundation

/// Writes the body of a successful response to a file, which appears whole or not at all. Keeps the body of any other
/// response in memory for the error. Until the body is complete, it is in a hidden file: see ``TargetFolder``.
final class FileSink: CallSink {
    private struct State {
        var part: Part?
        var head: Response<Void>?
        /// The complete body, mapped into memory.
        var body: Data?
    }

    /// The hidden file.
    private struct Part {
        let url: URL
        /// The folder of this download alone; nil beside the target.
        let temporary: URL?
        var handle: FileHandle

        init(for target: URL, in folders: TargetFolder) throws {
            do {
                let folder = target.deletingLastPathComponent()
                try folders.create(folder)
                try self.init(NewFile.hidden(in: folder), nil)
            } catch {
                guard let temporary = folders.temporary, TargetFolder.forbids(target, after: error) else { throw error }
                let folder = try temporary(target)
                try self.init(NewFile.hidden(in: folder), folder)
            }
        }

        private init(_ url: URL, _ temporary: URL?) throws {
            (self.url, self.temporary) = (url, temporary)
            handle = try Self.open(url)
        }

        private static func open(_ url: URL) throws -> FileHandle {
            let handle = try NewFile.create(at: url)
            FileAttributes.exclude(true, fromBackups: url)
            return handle
        }

        mutating func restart() throws {
            // Middleware may still read a body of an earlier attempt, which is mapped from the file.
            if try handle.offset() == 0 { return }
            unlink(url.path)
            try handle.close()
            handle = try Self.open(url)
        }

        func delete() {
            // What was moved is gone, and the system deletes what is left in the folder.
            try? handle.close()
            unlink(url.path)
            if let temporary { try? FileManager.default.removeItem(at: temporary) }
        }
    }

    private let target: URL
    private let folders: TargetFolder
    private let other: MemorySink
    private let state = Locked(State())

    /// - Parameter maximumErrorSize: the maximum size of the body of a response that is not successful, in bytes.
    init(for target: URL, maximumErrorSize: Int, in folders: TargetFolder) {
        (self.target, self.folders) = (target, folders)
        other = MemorySink(maximumSize: maximumErrorSize)
    }

    deinit { discard() }

    var isFile: Bool { true }

    func prepare() throws {
        try target.checkDownload()
        do {
            let part = try Part(for: target, in: folders)
            state.withLock { $0.part = part }
        } catch { throw APIError(unwritable: target, error, "so nothing was sent") }
    }

    func begin(_ head: Response<Void>) throws {
        try change { state in
            (state.head, state.body) = (head, nil)
            if head.isSuccess { try state.part?.restart() } else { other.begin(head) }
        }
    }

    func receive(_ bytes: Data) throws {
        try change { state in
            if state.head?.isSuccess == true {
                try state.part?.handle.write(contentsOf: bytes)
            } else {
                try other.receive(bytes)
            }
        }
    }

    /// The data of a successful response is the file, mapped into memory.
    func response() throws -> Response<Data> {
        try change { state in
            guard let head = state.head, head.isSuccess, let part = state.part else { return try other.response() }
            try PrivateFile.store(part.handle)
            let body = try RegularFile.mapped(part.url)
            state.body = body
            return Response(head, data: body)
        }
    }

    /// Moves the body to the target file, which is replaced in one step and keeps its mode and its attributes.
    ///
    /// - Parameter response: with the received body, unless middleware replaced it.
    func finish(_ response: Response<Data>) throws {
        // Redirects and a 304 have no body for the file.
        guard response.isSuccess else { return discard() }
        let data = response.data
        try change { state in
            guard let part = state.part else { return }
            let isReceived = state.body?.isMapped(as: data) == true
            let file = isReceived ? part.url : NewFile.hidden(in: part.url.deletingLastPathComponent())
            // What was moved is gone.
            defer { unlink(file.path) }
            if !isReceived { try NewFile.write(data, to: file) }
            if part.temporary == nil {
                try NewFile.move(file, to: target)
            } else {
                try TargetFolder.exchange(target, with: file)
            }
            part.delete()
            state.part = nil
        }
    }

    func discard() {
        state.withLock { state in
            state.part?.delete()
            state.part = nil
        }
    }

    private func change<Value>(_ body: (inout State) throws -> Value) throws -> Value {
        do { return try state.withLock { try body(&$0) } } catch {
            throw error is APIError || error is URLError ? error : APIError(unwritable: target, error)
        }
    }
}

extension Data {
    /// True if both are the same bytes in memory. This function compares addresses, not bytes.
    package func isMapped(as other: Data) -> Bool {
        guard count == other.count else { return false }
        return withUnsafeBytes { own in other.withUnsafeBytes { $0.baseAddress == own.baseAddress } }
    }
}

extension URL {
    /// - Throws: ``APIError`` of the kind `transport` if no file can have this URL.
    package func checkDownload() throws(APIError) {
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
    package init(unwritable target: URL, _ error: any Error, _ consequence: String? = nil) {
        // iOS permits no protected file while the device is locked, and a sandbox permits no file outside of it.
        let isForbidden = error.systemError == .EPERM
        self.init(
            .transport,
            "the body cannot be written to \(FilePath.display(target)): \(error.fileReason)"
                + (consequence.map { ", \($0)" } ?? ""),
            fix: isForbidden
                ? "use a file that this process may write; on iOS, unlock the device first"
                : "use a file in a writable folder on a disk with free space",
            underlying: error)
    }
}
