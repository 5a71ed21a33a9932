package import Foundation

/// The kind and the size of a file, and what other users may do with it.
///
/// It takes the place of Foundation's `attributesOfItem`, which also looks up the names of the file's owner and group.
/// For these names the system opens a socket, and may ask a directory server on another machine.
package struct FileStatus: Sendable {
    package enum Kind: Sendable {
        case file, folder, link
        /// A pipe, a socket or a device.
        case other
    }

    /// Tells apart files, and versions of one file.
    package struct Version: Hashable, Sendable {
        private let device, file: UInt64
        private let size: Int64
        /// When the content, and when anything of the file, last changed, in nanoseconds.
        private let contentTime, time: Int64

        init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            (file, size) = (UInt64(status.st_ino), Int64(status.st_size))
            let times = status.times
            (contentTime, time) = (Self.nanoseconds(times.content), Self.nanoseconds(times.any))
        }

        private static func nanoseconds(_ time: timespec) -> Int64 {
            // A file may have any time, and a number that wraps around is still one of its own.
            Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
        }
    }

    package let kind: Kind
    package let version: Version
    /// The size in bytes.
    package let size: Int64
    /// When the content was last changed, in seconds since 1970.
    package let changed: Int64
    /// True if another user than this one, or the administrator, may read the file.
    package let othersMayRead: Bool
    /// True if another user than this one, or the administrator, may write the file, or owns it.
    package let othersMayWrite: Bool

    /// - Parameter followsLinks: false for the status of a link itself.
    /// - Throws: the system's error when the file does not exist or cannot be reached.
    package init(of path: String, followsLinks: Bool = true) throws(POSIXError) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
            throw .last
        }
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        version = Version(status)
        size = Int64(status.st_size)
        changed = Int64(status.times.content.tv_sec)
        let isForeign = status.st_uid != geteuid() && status.st_uid != 0
        othersMayRead = isForeign || status.st_mode & 0o044 != 0
        othersMayWrite = isForeign || status.st_mode & 0o022 != 0
    }
}

extension stat {
    /// When the content, and when anything of the file, last changed.
    fileprivate var times: (content: timespec, any: timespec) {
        #if canImport(Darwin)
            (st_mtimespec, st_ctimespec)
        #else
            (st_mtim, st_ctim)
        #endif
    }
}

extension URL {
    /// True when a folder exists at this URL. Links are followed.
    package var isFolder: Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
    }

    /// True when a folder exists at this URL, like ``isFolder``, for searches in which a folder must not be overlooked.
    ///
    /// - Throws: an error when it is unknown whether the folder exists, for example because a folder in its path cannot
    ///   be read, and when this URL is a link to a folder that does not exist.
    package func isExistingFolder() throws(FileProblem) -> Bool {
        do throws(POSIXError) {
            return try FileStatus(of: path).kind == .folder
        } catch {
            // If the link itself cannot be reached either, the error explains why.
            let isLink = (try? FileStatus(of: path, followsLinks: false))?.kind == .link
            if !isLink, error.code == .ENOENT || error.code == .ENOTDIR { return false }
            throw FileProblem(
                path: FilePath.display(self),
                message: "\(isLink ? "the target of this link" : "the folder") cannot be reached: "
                    + error.localizedDescription,
                fix: isLink ? "correct or remove it" : "make the folders in its path readable")
        }
    }
}
