import FingerpostFiles
import FingerpostShared
public import Foundation

/// A store for tools, servers and tests. The store keeps its token in a file that only the current user can read. In an
/// app, keep the token in the Keychain, with your own ``/Fingerpost/CredentialStore``.
///
/// The file contains only the token. Each change replaces the file atomically, so other processes read either the old
/// token or the new token. Missing parent folders are created.
///
/// Several stores, even in different processes, can use the same file. The stores change the file one after another.
/// For each change, a store locks a temporary file in the same folder, writes the token to the temporary file, and
/// replaces the old file by the temporary file. A store waits at most two seconds for the lock. If the store does not
/// get the lock, it changes nothing. If a process is killed during a change, the temporary file, perhaps with a token,
/// remains until the next change.
public final class FileCredentialStore: CredentialStore {
    private let file: URL
    /// The temporary file that replaces the file. Only the store that has locked this temporary file may change the
    /// file.
    private let new: URL
    private let patience: Duration
    private let warn: @Sendable (String) -> Void
    private let hasWarned = Locked(false)
    private let queue = DispatchQueue(label: "Fingerpost.FileCredentialStore")
    /// The first wait between two attempts to lock the file, in microseconds. Each later wait is longer.
    private static let pause: useconds_t = 1000
    /// The size of the largest token, in bytes.
    private static let maximumSize = 1 << 20

    /// - Parameter file: the file for the token. The file can be missing until the user signs in.
    public convenience init(_ file: URL) {
        self.init(file, warn: StandardError.warn)
    }

    /// - Parameter patience: how long a change waits for changes of other stores.
    init(_ file: URL, patience: Duration = .seconds(2), warn: @escaping @Sendable (String) -> Void) {
        self.file = file
        new = file.deletingLastPathComponent().appendingPathComponent(".\(file.lastPathComponent).new")
        self.patience = patience
        self.warn = warn
    }

    /// The token; nil while no user is signed in. Spaces and line breaks around the token are ignored.
    ///
    /// If other users can read the file, or if the file is a link, the store reads the file and prints one warning to
    /// standard error. A secret that is mounted into a container is such a file.
    ///
    /// - Throws: ``/Fingerpost/APIError`` of the kind `authorization` if the file cannot be read, if it is not text, or
    ///   if other users can write it.
    public func token() throws -> String? {
        let path = FilePath.display(file)
        guard let data = try contents(path) else { return nil }
        guard let text = String(data: data, encoding: .utf8) else {
            throw APIError(.authorization, "\(path) is not text in UTF-8", fix: "delete it, and sign in again")
        }
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return token.isEmpty ? nil : token
    }

    /// Replaces the token. Call this method when a user signs in.
    ///
    /// - Throws: ``/Fingerpost/APIError`` of the kind `authorization` if the file cannot be locked or written, or if
    ///   the token is larger than 1 MiB. The kind is `timedOut` if another process holds the lock for two seconds.
    ///   After an error, the old token is still in the file.
    public func save(_ token: String) async throws { _ = try await change(to: token) { true } }

    /// Replaces a token, if another store or process has not changed it in the meantime.
    ///
    /// - Parameters:
    ///   - token: the new token.
    ///   - old: the token to replace; nil to save only if there is no token.
    /// - Returns: false if the token in the file is not `old`. In this case, the file does not change.
    /// - Throws: the same errors as ``save(_:)``, and those of ``token()``.
    public func save(_ token: String, replacing old: String?) async throws -> Bool {
        try await change(to: token) { try self.token() == old }
    }

    /// Removes the token, and temporary files that an interrupted save left behind. Call this method at sign-out.
    ///
    /// - Throws: ``/Fingerpost/APIError`` of the kind `authorization` if the file cannot be locked or removed. The kind
    ///   is `timedOut` if another process holds the lock for two seconds.
    public func clear() async throws { _ = try await change(to: nil) { true } }

    /// Changes the file while no other store or process can change it.
    ///
    /// - Parameters:
    ///   - token: the new token. Nil to remove the file.
    ///   - mayChange: is called while the file is locked. If this closure returns false, the file does not change.
    /// - Returns: false if `mayChange` returns false.
    private func change(
        to token: String?, if mayChange: @escaping @Sendable () throws -> Bool
    ) async throws -> Bool {
        if let size = token?.utf8.count, size > Self.maximumSize {
            throw APIError(
                .authorization, "the token is too large to be kept: \(size) bytes",
                fix: "save the token alone, without the response that contained it")
        }
        let end = ContinuousClock.now + patience
        return try await withCheckedThrowingContinuation { continuation in
            // The wait for the lock blocks a thread, so it must not use the threads on which tasks run.
            queue.async { [self] in
                continuation.resume(
                    with: Result { try change(to: token, if: mayChange, until: end) }.mapError { error in
                        let attempt = token == nil ? "removed from" : "written to"
                        return error as? APIError
                            ?? APIError(
                                .authorization,
                                "the token cannot be \(attempt) \(FilePath.display(file)): \(error.fileReason)",
                                fix: (error as? PrivateFile.Refusal).map { "remove \(FilePath.display($0.file))" })
                    })
            }
        }
    }

    private func change(
        to token: String?, if mayChange: () throws -> Bool, until end: ContinuousClock.Instant
    ) throws -> Bool {
        let folder = file.deletingLastPathComponent()
        if token != nil { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        let handle: FileHandle
        do { handle = try lock(until: end) } catch let error as POSIXError where error.code == .ENOENT && token == nil {
            // If the folder is missing, the token is missing too.
            return true
        }
        var isMoved = false
        defer {
            // If the temporary file was moved, another process may have created a new file with its name.
            if !isMoved { unlink(new.path) }
            // Ignore the error: the written bytes are already on the disk.
            try? PrivateFile.close(handle)
        }
        guard try mayChange() else { return false }
        guard let token else {
            guard unlink(file.path) == 0 || errno == ENOENT else { throw POSIXError.last }
            return true
        }
        // If a process was killed, the file may contain the start of another token.
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(token.utf8))
        // Flush the content to the disk before the rename. Otherwise a crash could leave an empty file.
        try handle.synchronize()
        guard rename(new.path, file.path) == 0 else { throw POSIXError.last }
        isMoved = true
        return true
    }

    private func lock(until end: ContinuousClock.Instant) throws -> FileHandle {
        var pause = Self.pause
        while true {
            if let handle = try PrivateFile.lock(new) { return handle }
            guard ContinuousClock.now < end else {
                throw APIError(
                    .timedOut, "another process has locked \(FilePath.display(new)) for \(patience)",
                    fix: "try again, or end the process", underlying: POSIXError(.EWOULDBLOCK))
            }
            usleep(pause)
            // Each wait is longer than the previous one, so that many waiting stores do not keep the machine busy.
            pause = min(2 * pause, 32 * Self.pause)
        }
    }

    /// Returns the bytes of the file, or nil if the file does not exist.
    private func contents(_ path: String) throws -> Data? {
        while let version = try checkedVersion(path) {
            do throws(FileProblem) {
                let opened = try RegularFile(file, path: path, version: version)
                if opened.size > Self.maximumSize {
                    throw FileProblem(path: path, message: "the file is too large for a token: \(opened.size) bytes")
                }
                return try opened.contents()
            } catch {
                // If another process has replaced or removed the file since its access was checked, the loop checks the
                // new file.
                if (try? FileStatus(of: file.path))?.version == version { throw APIError(.authorization, error) }
            }
        }
        return nil
    }

    /// Returns the version of the file, or nil if the file does not exist. Throws an error if other users can write the
    /// file, because they could then choose the account of all calls.
    private func checkedVersion(_ path: String) throws -> FileStatus.Version? {
        let status: FileStatus
        do throws(POSIXError) { status = try FileStatus(of: file.path) } catch {
            if error.code == .ENOENT || error.code == .ENOTDIR { return nil }
            throw APIError(.authorization, "\(path) cannot be read: \(error.fileReason)")
        }
        // A file that was removed in the meantime is not a link.
        let isLink = (try? FileStatus(of: file.path, followsLinks: false))?.kind == .link
        let isForeign = status.owner != geteuid() && status.owner != 0
        if isForeign || status.mode & 0o022 != 0 {
            throw APIError(
                .authorization, "other users may write \(path), so it may contain a token of somebody else",
                fix: "let this user alone write it, such as with chmod 600")
        }
        guard isLink || status.mode & 0o044 != 0 else { return status.version }
        let isFirst = hasWarned.withLock { hasWarned in
            defer { hasWarned = true }
            return !hasWarned
        }
        if isFirst {
            warn(
                isLink
                    ? "\(path), which contains a token, is a link"
                    : "other users may read \(path), which contains a token")
        }
        return status.version
    }
}

extension RegularFile {
    /// Opens a file that another process may change at the same time.
    ///
    /// - Parameters:
    ///   - path: the file's path as shown in messages.
    ///   - version: the version that must be read.
    /// - Throws: the same errors as ``init(_:path:)``, and an error if the file has another version.
    fileprivate init(
        _ url: URL, path: @autoclosure @escaping () -> String, version: FileStatus.Version
    ) throws(FileProblem) {
        try self.init(url, path: path())
        // A file with an unknown version counts as changed.
        if (try? FileStatus(of: handle))?.version != version {
            throw FileProblem(
                path: path(), message: "the file changed before it was read", fix: "try again when nothing changes it")
        }
    }
}
