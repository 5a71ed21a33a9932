import FingerpostFiles
package import Foundation

/// Opens files that only this user can access, and that an earlier process may have created. For a file that is always
/// new, use ``NewFile``.
package enum PrivateFile {
    /// The error for a file that exists but is not private.
    package struct Refusal: LocalizedError, Equatable {
        package enum Reason: String, Sendable {
            case link = "it is a link"
            case kind = "it is not a regular file"
            case owner = "it belongs to another user"
            case mode = "its mode lets other users read or write it"
            case names = "it is a hard link, so it is also a file of another name"
        }

        package let file: URL
        package let reason: Reason

        package var errorDescription: String? {
            "\(FilePath.display(file)) is not a file of this user alone: \(reason.rawValue)"
        }
    }

    /// Opens a file, by default for reading and writing. The file is created if it does not exist.
    ///
    /// - Parameter flags: the flags of the system's `open`.
    /// - Throws: ``Refusal`` if the file is not a regular file, has several names, or can be read or written by other
    ///   users; `POSIXError` of the system.
    package static func open(_ url: URL, _ flags: Int32 = O_RDWR | O_CREAT) throws -> FileHandle {
        let handle: FileHandle
        do throws(POSIXError) { handle = try FileHandle(opening: url, flags | O_NOFOLLOW) } catch {
            // `O_NOFOLLOW` makes the system refuse a link.
            if error.code == .ELOOP { throw Refusal(file: url, reason: .link) }
            throw error
        }
        if let reason = reason(against: try FileStatus(of: handle)) { throw Refusal(file: url, reason: reason) }
        return handle
    }

    /// Opens a file for reading and writing, and locks the file until the handle is closed. Returns nil if the file is
    /// already locked.
    ///
    /// - Throws: the same errors as ``open(_:_:)``.
    package static func lock(_ url: URL) throws -> FileHandle? {
        while true {
            let handle = try open(url)
            guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else {
                if errno == EWOULDBLOCK { return nil }
                throw POSIXError.last
            }
            // Between opening and locking, the last owner of the lock may have renamed or deleted the file.
            let named = try? FileStatus(of: url.path, followsLinks: false)
            if try named?.isSameFile(as: FileStatus(of: handle)) == true { return handle }
        }
    }

    private static func reason(against status: FileStatus) -> Refusal.Reason? {
        if status.kind != .file { return .kind }
        if status.owner != geteuid() { return .owner }
        if status.mode & 0o077 != 0 { return .mode }
        // A file that was replaced or deleted in the meantime has no name any more.
        return status.isHardLink ? .names : nil
    }
}
