package import Foundation

/// Files of this user alone that a later process goes on with. Use ``NewFile`` for files that nobody opens again.
package enum PrivateFile {
    /// A file that the system would open, but that is not this user's alone.
    package struct Refusal: Error, Equatable {
        package enum Reason: String, Sendable {
            case link = "it is a link"
            case kind = "it is not a regular file"
            case owner = "it belongs to another user"
            case mode = "its mode lets other users read or write it"
            case names = "it is a hard link, so it is also a file of another name"
        }

        package let file: URL
        let reason: Reason
    }

    /// Opens a file for reading and writing, and locks it until the handle is closed. The file is created if it does
    /// not exist.
    ///
    /// - Parameter locks: false for a file that this process has a ``FileClaim`` to.
    /// - Throws: ``Refusal`` for anything else than a regular file that only this user can read and write, and that has
    ///   no other name; `POSIXError` of the system, `EWOULDBLOCK` if the file is locked.
    package static func open(_ url: URL, locks: Bool = true) throws -> FileHandle {
        if !locks { return try opened(url, O_RDWR | O_CREAT) }
        guard let handle = try openUnlocked(url) else { throw POSIXError(.EWOULDBLOCK) }
        return handle
    }

    /// Opens a file as ``open(_:locks:)`` does, for code that asks again and again: nil if the file is locked.
    package static func openUnlocked(_ url: URL) throws -> FileHandle? {
        while true {
            let handle = try opened(url, O_RDWR | O_CREAT)
            guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else {
                if errno == EWOULDBLOCK { return nil }
                throw POSIXError.last
            }
            // Between opening and locking, the last owner of the lock may have renamed or deleted the file.
            if names(url, handle) { return handle }
        }
    }

    /// The content of a file; nil if there is none.
    ///
    /// - Parameter limit: the maximum size in bytes. The rest of a larger file is not read.
    /// - Throws: the same errors as ``open(_:locks:)``, and Foundation's error if the file cannot be read.
    package static func contents(of url: URL, limit: Int) throws -> Data? {
        do {
            return try opened(url, O_RDONLY).read(upToCount: limit) ?? Data()
        } catch let error as POSIXError where error.code == .ENOENT {
            return nil
        }
    }

    /// Appends to a file, which is created if it does not exist.
    ///
    /// - Returns: how many bytes were written; fewer than `data` has if the disk is full.
    /// - Throws: the same errors as ``open(_:)``, but a locked file is written too.
    package static func append(_ data: Data, to url: URL) throws -> Int {
        let handle = try opened(url, O_WRONLY | O_APPEND | O_CREAT)
        let count = withExtendedLifetime(handle) {
            data.withUnsafeBytes { write(handle.fileDescriptor, $0.baseAddress, $0.count) }
        }
        guard count >= 0 else { throw POSIXError.last }
        return count
    }

    /// Makes sure that what was written is stored, as closing the file does, but keeps the lock.
    ///
    /// - Throws: `POSIXError`. Network file systems report a full disk only now.
    package static func store(_ handle: FileHandle) throws(POSIXError) {
        let copy = dup(handle.fileDescriptor)
        guard copy >= 0, Foundation.close(copy) == 0 else { throw .last }
    }

    /// Ends the lock of a file and closes it. Closing alone would not end the lock while a process that was forked
    /// meanwhile has a copy of the handle, which it closes only when it begins another program.
    package static func close(_ handle: FileHandle) throws {
        flock(handle.fileDescriptor, LOCK_UN)
        try handle.close()
    }

    private static func opened(_ url: URL, _ flags: Int32) throws -> FileHandle {
        let file = Foundation.open(url.path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let error = POSIXError.last
            // The system does not follow a link.
            if error.code == .ELOOP { throw Refusal(file: url, reason: .link) }
            throw error
        }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        var status = stat()
        guard fstat(file, &status) == 0 else { throw POSIXError.last }
        if let reason = reason(against: status) { throw Refusal(file: url, reason: reason) }
        return handle
    }

    private static func reason(against status: stat) -> Refusal.Reason? {
        if status.st_mode & S_IFMT != S_IFREG { return .kind }
        if status.st_uid != geteuid() { return .owner }
        if status.st_mode & 0o077 != 0 { return .mode }
        // A file that was replaced or deleted meanwhile has no name any more.
        return status.st_nlink > 1 ? .names : nil
    }

    private static func names(_ url: URL, _ handle: FileHandle) -> Bool {
        var (named, opened) = (stat(), stat())
        return lstat(url.path, &named) == 0 && fstat(handle.fileDescriptor, &opened) == 0
            && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev
    }
}
