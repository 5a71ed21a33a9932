package import FingerpostFiles
package import Foundation

extension RegularFile {
    /// Maps a file into memory. The bytes are read on access. An access crashes the process if the file has become
    /// shorter, so other code must not write to the file. An access also crashes the process if the file has become
    /// unreadable: files with complete protection are unreadable while the device is locked.
    ///
    /// - Throws: Foundation's error when the file cannot be read.
    package static func mapped(_ url: URL) throws -> Data {
        // `alwaysMapped` is used because `mappedIfSafe` reads the whole file into memory on Linux. If the file system
        // does not support mapping, the file has to be read into memory.
        if let data = try? Data(contentsOf: url, options: .alwaysMapped) { return data }
        return try Data(contentsOf: url)
    }
}

extension FileStatus {
    /// Identifies a file and its version. The first two numbers identify the device and the file. The others are the
    /// file's size, the time of the last change of the content, and the time of the last change of the content or the
    /// attributes.
    package typealias Version = [Int64]

    package var version: Version {
        let ids = [Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino)]
        return ids + [size] + [times.content, times.any].flatMap { [Int64($0.tv_sec), Int64($0.tv_nsec)] }
    }

    /// The permissions of the owner, the group and others.
    package var mode: mode_t { status.st_mode & 0o777 }
    package var owner: uid_t { status.st_uid }
    /// True if the file has more than one name.
    var isHardLink: Bool { status.st_nlink > 1 }

    package func isSameFile(as other: FileStatus) -> Bool {
        status.st_ino == other.status.st_ino && status.st_dev == other.status.st_dev
    }

    /// The last change of the content, and the last change of the content or the attributes.
    private var times: (content: timespec, any: timespec) {
        #if canImport(Darwin)
            (status.st_mtimespec, status.st_ctimespec)
        #else
            (status.st_mtim, status.st_ctim)
        #endif
    }
}
