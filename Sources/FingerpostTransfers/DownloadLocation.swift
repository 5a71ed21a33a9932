import FingerpostFiles
import FingerpostShared
import Foundation

/// The target of a download, and its hidden files. They are beside the target or, if a sandbox permits only the target
/// itself, in a folder of the system for this download alone.
struct DownloadLocation: Sendable {
    /// What a sandbox permits beside a target.
    struct Sandbox: Sendable {
        /// Creates the folder of a target if it is missing.
        var createFolder: @Sendable (URL) throws -> Void = {
            try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: true)
        }
        /// Creates a folder of the system for a file that replaces a target, on the same disk; nil for none.
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
    /// What has arrived of the body.
    let part: URL
    /// Describes the whole that the part belongs to; nil for a part that no later download finds.
    let description: URL?
    /// The folder of this download alone; nil if the files are beside the target.
    private let folder: URL?

    /// - Parameter isKept: true for names that a later download to the same target finds.
    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if no file can have the target's URL.
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
        // File systems permit names of 255 bytes.
        let short = name.utf8.count > 200 ? String(SeededGenerator.seed(of: name), radix: 16) : name
        part = parent.appendingPathComponent(".\(short).fingerpost-part")
        description = part.appendingPathExtension("json")
    }

    private init(of target: URL, in folder: URL) {
        (self.target, self.folder) = (target, folder)
        (part, description) = (NewFile.hidden(in: folder), nil)
    }

    // MARK: Opening

    /// Opens the hidden files of a download. What does not exist is created.
    ///
    /// - Parameter isKept: true for a part that a later download resumes, if nothing forbids files beside the
    ///   target.
    /// - Returns: the location, the locked description of a part that is kept, and the part.
    static func open(
        for target: URL, isKept: Bool, in sandbox: Sandbox
    ) throws -> (DownloadLocation, FileLock?, FileHandle) {
        let beside = try DownloadLocation(beside: target, isKept: isKept)
        do {
            try sandbox.createFolder(target.deletingLastPathComponent())
            return try beside.open()
        } catch {
            // If a part is there, it is protected for now, as while a device is locked. A folder that its mode protects
            // is another error: it forbids to replace the target too.
            guard error.systemError == .EPERM, !beside.exists, let create = sandbox.createReplacementFolder
            else { throw error }
            return try DownloadLocation(of: target, in: create(target)).open()
        }
    }

    private func open() throws -> (DownloadLocation, FileLock?, FileHandle) {
        guard let description else { return (self, nil, try NewFile.create(at: part)) }
        let lock = try FileLock(of: description)
        do { return (self, lock, try PrivateFile.open(part)) } catch let refusal as PrivateFile.Refusal {
            // A process was killed after it had given a complete part the mode of the target.
            guard refusal.reason == .mode else { throw refusal }
            return (self, lock, try createPart())
        }
    }

    /// Replaces the part by a new, empty file.
    func createPart() throws -> FileHandle {
        try delete(part)
        return try NewFile.create(at: part)
    }

    /// - Throws: ``/Fingerpost/APIError`` of the kind `transport` if an opened file is not the part any more.
    func check(_ handle: FileHandle) throws {
        let named = try FileStatus(of: part.path, followsLinks: false)
        guard try named.isSameFile(as: FileStatus(of: handle)) else {
            throw APIError(
                .transport, "another process has replaced \(FilePath.display(part))",
                fix: "download to a file in one process at a time")
        }
    }

    // MARK: Ending

    /// Replaces the target with the part in one step. The target keeps its mode and, on Apple platforms, its
    /// attributes.
    func replaceTarget() throws {
        #if canImport(Darwin)
            if folder != nil, FileManager.default.fileExists(atPath: target.path) {
                try NewFile.adopt(part, from: target)
                _ = try FileManager.default.replaceItemAt(target, withItemAt: part)
                return
            }
        #endif
        do { try NewFile.move(part, to: target) } catch {
            // The part is kept, so it stays private. If that fails, the next download replaces it.
            chmod(part.path, 0o600)
            throw error
        }
    }

    /// Deletes the hidden files, if they are still there.
    func delete() throws {
        try delete(part)
        if let description { try delete(description) }
        // The system deletes what is left in its folder.
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    private func delete(_ file: URL) throws(POSIXError) {
        if unlink(file.path) != 0, errno != ENOENT { throw .last }
    }

    /// Deletes what earlier downloads have kept.
    ///
    /// - Throws: `POSIXError`, with the code `EWOULDBLOCK` if a download uses it; `PrivateFile.Refusal`.
    func discard() throws {
        guard let description, exists else { return }
        let lock = try FileLock(of: description)
        try withExtendedLifetime(lock) { try delete() }
    }

    private var exists: Bool {
        // What cannot be reached does not exist for this process.
        [part, description].compactMap { $0 }.contains { (try? FileStatus(of: $0.path, followsLinks: false)) != nil }
    }
}
