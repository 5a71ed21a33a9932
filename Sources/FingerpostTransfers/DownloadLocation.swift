import FingerpostFiles
import FingerpostShared
import Foundation

/// The target of a download, and its hidden files. The hidden files are in the folder of the target. If a sandbox
/// denies access to this folder, the hidden files are in a temporary folder that the system creates for this download.
struct DownloadLocation: Sendable {
    /// The operations on files that a sandbox can deny to a download.
    struct Sandbox: Sendable {
        /// Creates the folder of the target if the folder is missing.
        var createFolder: @Sendable (URL) throws -> Void = {
            try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: true)
        }
        /// Creates a temporary folder on the target's disk for a file that will replace the target. Nil if the system
        /// has no such folder.
        var createReplacementFolder: (@Sendable (_ target: URL) throws -> URL)?

        /// The sandbox of this process.
        static var current: Sandbox {
            #if canImport(Darwin)
                Sandbox(createReplacementFolder: { target in
                    try FileManager.default.url(
                        for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: target, create: true)
                })
            #else
                Sandbox()
            #endif
        }
    }

    let target: URL
    /// The partial file, which contains the received bytes of the body.
    let part: URL
    /// The file that describes the full body. Nil if the partial file is not for later downloads.
    let description: URL?
    /// The temporary folder of this download. Nil if the hidden files are in the target's folder.
    private let folder: URL?

    /// - Parameter isKept: true to name the files so that a later download to the same target finds them.
    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if the target's URL cannot be the URL of a file.
    init(beside target: URL, isKept: Bool = true) throws(APIError) {
        guard target.isFileURL, !target.hasDirectoryPath, !target.isFolder else {
            let path = target.isFileURL ? FilePath.display(target) : Redaction.url(target.absoluteString)
            throw APIError(
                .transport, "\(path) is not a file that the body can be written to, so nothing was sent",
                fix: "pass the URL of a file, including its name")
        }
        (self.target, folder) = (target, nil)
        let parent = target.deletingLastPathComponent()
        guard isKept else {
            (part, description) = (NewFile.hidden(in: parent), nil)
            return
        }
        let name = target.lastPathComponent
        // File systems allow names of at most 255 bytes.
        let short = name.utf8.count > 200 ? String(SeededGenerator.seed(of: name), radix: 16) : name
        part = parent.appendingPathComponent(".\(short).fingerpost-part")
        description = part.appendingPathExtension("json")
    }

    private init(of target: URL, in folder: URL) {
        (self.target, self.folder) = (target, folder)
        (part, description) = (NewFile.hidden(in: folder), nil)
    }

    // MARK: Opening

    /// Opens or creates the hidden files of a download.
    ///
    /// - Parameter isKept: true if a later download must be able to resume this one. If a sandbox denies access to the
    ///   target's folder, no later download can resume this one.
    /// - Returns: the location, the locked description if a later download can resume this one, and the partial file.
    static func open(
        for target: URL, isKept: Bool, in sandbox: Sandbox
    ) throws -> (DownloadLocation, FileLock?, FileHandle) {
        let beside = try DownloadLocation(beside: target, isKept: isKept)
        do {
            try sandbox.createFolder(target.deletingLastPathComponent())
            return try beside.open()
        } catch {
            // If the partial file exists, the error is temporary, for example because the device is locked. For a
            // folder without write permission, the error has another code. In that case, a temporary folder would not
            // help, because the target could not be replaced either.
            guard error.systemError == .EPERM, !beside.exists, let create = sandbox.createReplacementFolder
            else { throw error }
            return try DownloadLocation(of: target, in: create(target)).open()
        }
    }

    private func open() throws -> (DownloadLocation, FileLock?, FileHandle) {
        guard let description else { return (self, nil, try NewFile.create(at: part)) }
        let lock = try FileLock(of: description)
        do { return (self, lock, try PrivateFile.open(part)) } catch let refusal as PrivateFile.Refusal {
            // The mode is wrong if a process was killed after it had given this file the target's mode.
            guard refusal.reason == .mode else { throw refusal }
            return (self, lock, try createPart())
        }
    }

    /// Replaces the partial file by a new, empty file.
    func createPart() throws -> FileHandle {
        try delete(part)
        return try NewFile.create(at: part)
    }

    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if another process has replaced the partial file
    ///   since it was opened.
    func check(_ handle: FileHandle) throws {
        let named = try FileStatus(of: part.path, followsLinks: false)
        guard try named.isSameFile(as: FileStatus(of: handle)) else {
            throw APIError(
                .transport, "another process has replaced \(FilePath.display(part))",
                fix: "download to a file in one process at a time")
        }
    }

    // MARK: Ending

    /// Replaces the target with the partial file atomically. The target's mode does not change. On Apple platforms, the
    /// target's attributes do not change either.
    func replaceTarget() throws {
        #if canImport(Darwin)
            if folder != nil, FileManager.default.fileExists(atPath: target.path) {
                try NewFile.adopt(part, from: target)
                _ = try FileManager.default.replaceItemAt(target, withItemAt: part)
                return
            }
        #endif
        do { try NewFile.move(part, to: target) } catch {
            // The partial file stays, so it must be private again. If `chmod` fails, the next download replaces the
            // file.
            chmod(part.path, 0o600)
            throw error
        }
    }

    /// Deletes the hidden files, if they exist.
    func delete() throws {
        try delete(part)
        if let description { try delete(description) }
        // The system deletes its temporary folder later.
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    private func delete(_ file: URL) throws(POSIXError) {
        if unlink(file.path) != 0, errno != ENOENT { throw .last }
    }

    /// Deletes the hidden files of earlier downloads.
    ///
    /// - Throws: `POSIXError` with the code `EWOULDBLOCK` if a download uses the files; `PrivateFile.Refusal`.
    func discard() throws {
        guard let description, exists else { return }
        let lock = try FileLock(of: description)
        try withExtendedLifetime(lock) { try delete() }
    }

    private var exists: Bool {
        // A file that the process cannot reach counts as missing.
        [part, description].compactMap { $0 }.contains { (try? FileStatus(of: $0.path, followsLinks: false)) != nil }
    }
}
