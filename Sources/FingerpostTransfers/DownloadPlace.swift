import FingerpostFiles
import Foundation

/// Where the hidden files of a download are: beside the target or, if a sandbox permits only the target itself, in a
/// folder of the app. In both cases, they replace the target in one step.
struct DownloadPlace: Sendable {
    /// The hidden files, opened for one download.
    struct Opened {
        let handle: FileHandle
        /// Nil if the part is locked by its handle.
        let claim: FileClaim?
    }

    let target: URL
    let part: URL
    /// Describes the whole that the part belongs to.
    let description: URL
    private let platform: DownloadPlatform
    private let isBesideTarget: Bool

    private static let suffix = ".fingerpost-part"

    private init(
        _ target: URL, _ part: URL, on platform: DownloadPlatform, isBesideTarget: Bool = true
    ) {
        (self.target, self.part, self.platform, self.isBesideTarget) = (target, part, platform, isBesideTarget)
        description = part.appendingPathExtension("json")
    }

    // MARK: Finding

    /// The place and the opened files of a new download. Creates the part if it does not exist.
    static func open(for target: URL, on platform: DownloadPlatform) throws -> (DownloadPlace, Opened) {
        let beside = beside(target, platform)
        do {
            try platform.folders.create(target.deletingLastPathComponent())
            return (beside, try beside.open())
        } catch {
            guard beside.mayBeElsewhere(after: error), let place = try elsewhere(target, platform) else { throw error }
            try place.makeRoom()
            let opened = try place.open()
            // The date of its last use decides how long an unfinished part is kept.
            futimens(opened.handle.fileDescriptor, nil)
            return (place, opened)
        }
    }

    /// The places where something is kept for a target.
    static func kept(for target: URL, on platform: DownloadPlatform) -> [DownloadPlace] {
        // Without a folder for it, nothing is elsewhere.
        let elsewhere = (try? Self.elsewhere(target, platform)).flatMap { $0 }
        return [beside(target, platform), elsewhere].compactMap { $0 }.filter(\.exists)
    }

    private static func beside(_ target: URL, _ platform: DownloadPlatform) -> DownloadPlace {
        let folder = target.deletingLastPathComponent()
        let name = target.lastPathComponent
        // File systems permit names of 255 bytes.
        let short = name.utf8.count > 200 ? hash(name) : name
        return DownloadPlace(target, folder.appendingPathComponent(".\(short)\(suffix)"), on: platform)
    }

    /// Nil if hidden files are always beside their target.
    private static func elsewhere(_ target: URL, _ platform: DownloadPlatform) throws -> DownloadPlace? {
        guard let folder = try platform.kept?() else { return nil }
        let part = folder.appendingPathComponent(".\(hash(target.standardizedFileURL.path))\(suffix)")
        return DownloadPlace(target, part, on: platform, isBesideTarget: false)
    }

    /// True if the system permits no file beside the target, unless a part is already there: then the files are
    /// protected, as they are while a device is locked, and the part can go on later.
    private func mayBeElsewhere(after error: any Error) -> Bool {
        !exists && TargetFolder.forbids(target, after: error)
    }

    private var exists: Bool {
        // What cannot be reached does not exist for this process.
        [part, description].contains { (try? FileStatus(of: $0.path, followsLinks: false)) != nil }
    }

    private static func hash(_ text: String) -> String { String(SeededGenerator.seed(of: text), radix: 16) }

    // MARK: Opening

    func open() throws -> Opened {
        let claim = platform.claims ? try FileClaim(of: part) : nil
        return Opened(handle: try openPart(), claim: claim)
    }

    /// Opens the part again after it was deleted. A claim holds on.
    func openPart() throws -> FileHandle {
        let opened = platform.claims ? try PrivateFile.open(part) : try PrivateFile.lock(part)
        guard let handle = opened else { throw POSIXError(.EWOULDBLOCK) }
        FileAttributes.exclude(true, fromBackups: part)
        return handle
    }

    // MARK: Ending

    /// Replaces the target with the part in one step. The target keeps its mode and its attributes.
    func replaceTarget() throws { try replaceTarget(with: part) }

    /// Replaces the target with other data in one step.
    func replaceTarget(with data: Data) throws {
        let new = NewFile.hidden(in: part.deletingLastPathComponent())
        defer { unlink(new.path) }
        try NewFile.write(data, to: new)
        try replaceTarget(with: new)
    }

    private func replaceTarget(with file: URL) throws {
        if isBesideTarget { return try NewFile.move(file, to: target) }
        guard let makeFolder = platform.folders.temporary else { throw POSIXError(.EPERM) }
        // The target may be on another disk. If it cannot be replaced, the part is still there.
        let folder = try makeFolder(target)
        // The system deletes what is left in this folder.
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appendingPathComponent("new")
        try FileManager.default.copyItem(at: file, to: copy)
        try TargetFolder.exchange(target, with: copy)
        unlink(file.path)
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
                guard place.isUnused else { return }
                unlink(place.description.path)
                unlink(part.path)
            }
        }
    }

    private var isUnused: Bool {
        // What is gone is in no need of deletion.
        guard let status = try? FileStatus(of: part.path, followsLinks: false) else { return false }
        return Int64(time(nil)) - status.changed > Self.lifetime
    }
}
