import FingerpostFiles
import FingerpostShared
import Foundation

/// Where the hidden files of a download are: beside the target or, if a sandbox permits only the target itself, in a
/// folder of the app for those that a later download goes on with, and of the system for others. In all cases, they
/// replace the target in one step.
struct DownloadPlace: Sendable {
    /// The hidden files, opened for one download.
    struct Opened {
        let handle: FileHandle
        /// Nil if the part is locked by its handle, or if only this download knows it.
        let claim: FileClaim?
    }

    private enum Folder {
        case ofTarget, ofApp
        /// Of this download alone.
        case temporary(URL)
    }

    let target: URL
    let part: URL
    /// Describes the whole that the part belongs to; nil for a part that no later download goes on with.
    let description: URL?
    private let folder: Folder
    private let platform: DownloadPlatform

    private static let suffix = ".fingerpost-part"

    private init(
        _ target: URL, _ part: URL, in folder: Folder = .ofTarget, on platform: DownloadPlatform, isKept: Bool = true
    ) {
        (self.target, self.part, self.folder, self.platform) = (target, part, folder, platform)
        description = isKept ? part.appendingPathExtension("json") : nil
    }

    // MARK: Finding

    /// The place and the opened files of a new download. Creates the part if it does not exist.
    ///
    /// - Parameter resuming: true for a part that a later download finds and goes on with.
    static func open(
        for target: URL, resuming: Bool, on platform: DownloadPlatform
    ) throws -> (DownloadPlace, Opened) {
        let beside = beside(target, resuming: resuming, platform)
        do {
            try platform.create(target.deletingLastPathComponent())
            return (beside, try beside.open())
        } catch {
            guard beside.mayBeElsewhere(after: error),
                let place = try elsewhere(target, resuming: resuming, platform)
            else { throw error }
            if resuming { try place.makeRoom() }
            let opened = try place.open()
            // The date of its last use decides how long an unfinished part is kept.
            futimens(opened.handle.fileDescriptor, nil)
            return (place, opened)
        }
    }

    /// The places where something is kept for a target.
    static func kept(for target: URL, on platform: DownloadPlatform) -> [DownloadPlace] {
        // Without a folder for it, nothing is elsewhere.
        let elsewhere = (try? Self.elsewhere(target, resuming: true, platform)).flatMap { $0 }
        return [beside(target, resuming: true, platform), elsewhere].compactMap { $0 }.filter(\.exists)
    }

    private static func beside(_ target: URL, resuming: Bool, _ platform: DownloadPlatform) -> DownloadPlace {
        let folder = target.deletingLastPathComponent()
        guard resuming else { return DownloadPlace(target, NewFile.hidden(in: folder), on: platform, isKept: false) }
        let name = target.lastPathComponent
        // File systems permit names of 255 bytes.
        let short = name.utf8.count > 200 ? hash(name) : name
        return DownloadPlace(target, folder.appendingPathComponent(".\(short)\(suffix)"), on: platform)
    }

    /// Nil if hidden files are always beside their target.
    private static func elsewhere(
        _ target: URL, resuming: Bool, _ platform: DownloadPlatform
    ) throws -> DownloadPlace? {
        if resuming {
            guard let folder = try platform.kept?() else { return nil }
            let part = folder.appendingPathComponent(".\(hash(target.standardizedFileURL.path))\(suffix)")
            return DownloadPlace(target, part, in: .ofApp, on: platform)
        }
        guard let folder = try platform.temporary?(target) else { return nil }
        return DownloadPlace(
            target, NewFile.hidden(in: folder), in: .temporary(folder), on: platform, isKept: false)
    }

    /// True if an error says that the system permits no file beside the target, unless a part is already there: then
    /// the files are protected, as they are while a device is locked, and the part can go on later.
    private func mayBeElsewhere(after error: any Error) -> Bool {
        if exists { return false }
        // If its mode forbids to change the folder, the target could not be replaced either.
        return error.systemError == .EPERM
            || error.systemError == .EACCES
                && (access(target.deletingLastPathComponent().path, W_OK) == 0 || errno != EACCES)
    }

    private var exists: Bool {
        // What cannot be reached does not exist for this process.
        [part, description].compactMap { $0 }.contains { (try? FileStatus(of: $0.path, followsLinks: false)) != nil }
    }

    private static func hash(_ text: String) -> String { String(SeededGenerator.seed(of: text), radix: 16) }

    // MARK: Opening

    func open() throws -> Opened {
        let claim = platform.claims && description != nil ? try FileClaim(of: part) : nil
        return Opened(handle: try openPart(), claim: claim)
    }

    /// Opens the part again after it was deleted. A claim holds on.
    func openPart() throws -> FileHandle {
        let opened: FileHandle?
        if description == nil {
            opened = try NewFile.create(at: part)
        } else {
            opened = platform.claims ? try PrivateFile.open(part) : try PrivateFile.lock(part)
        }
        guard let handle = opened else { throw POSIXError(.EWOULDBLOCK) }
        FileAttributes.exclude(true, fromBackups: part)
        return handle
    }

    // MARK: Ending

    /// Replaces the target with the part in one step. The target keeps its mode and its attributes.
    func replaceTarget() throws { try replaceTarget(with: part) }

    /// Replaces the target with other data in one step, and deletes the part.
    func replaceTarget(with data: Data) throws {
        let new = NewFile.hidden(in: part.deletingLastPathComponent())
        defer { unlink(new.path) }
        try NewFile.write(data, to: new)
        try replaceTarget(with: new)
        try delete(part)
    }

    private func replaceTarget(with file: URL) throws {
        switch folder {
        case .ofTarget: try NewFile.move(file, to: target)
        case .temporary: try exchangeTarget(with: file)
        case .ofApp:
            guard let makeFolder = platform.temporary else { throw POSIXError(.EPERM) }
            // The target may be on another disk. If it cannot be replaced, the part is still there.
            let folder = try makeFolder(target)
            // The system deletes what is left in this folder.
            defer { try? FileManager.default.removeItem(at: folder) }
            let copy = folder.appendingPathComponent("new")
            try FileManager.default.copyItem(at: file, to: copy)
            try exchangeTarget(with: copy)
            unlink(file.path)
        }
    }

    /// Replaces a target that is the only file in its folder that this process may write.
    private func exchangeTarget(with file: URL) throws {
        #if canImport(Darwin)
            if FileManager.default.fileExists(atPath: target.path) {
                try NewFile.adopt(file, from: target)
                _ = try FileManager.default.replaceItemAt(target, withItemAt: file)
                return
            }
        #endif
        try NewFile.move(file, to: target)
    }

    /// Deletes the hidden files, if they are still there.
    func delete() throws(POSIXError) {
        try deleteDescription()
        try delete(part)
    }

    func deleteDescription() throws(POSIXError) { if let description { try delete(description) } }

    private func delete(_ file: URL) throws(POSIXError) {
        if unlink(file.path) != 0, errno != ENOENT { throw .last }
    }

    /// Deletes the folder of this download alone, if it has one.
    func deleteFolder() {
        // The system deletes what is left in this folder.
        if case .temporary(let folder) = folder { try? FileManager.default.removeItem(at: folder) }
    }

    // MARK: The folder of the app

    /// How long a part in the folder of the app is kept without being used, in seconds. Nobody sees it there.
    private static let lifetime = 30 * 86_400

    /// Creates the folder of the app, and deletes the parts in it that nobody has used for long.
    private func makeRoom() throws {
        let folder = part.deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for name in names where name.ends(with: Self.suffix) {
            let part = folder.appendingPathComponent(name)
            let place = DownloadPlace(part, part, on: platform)
            // Only an old part is opened, because no other download can use it meanwhile. What cannot be opened is in
            // use, or not a file of this user alone.
            guard place.isUnused, let opened = try? place.open() else { continue }
            withExtendedLifetime(opened) {
                // What cannot be deleted stays for the next time.
                if place.isUnused { try? place.delete() }
            }
        }
    }

    private var isUnused: Bool {
        // What is gone is in no need of deletion.
        guard let status = try? FileStatus(of: part.path, followsLinks: false) else { return false }
        return Int64(time(nil)) - status.changed > Self.lifetime
    }
}
