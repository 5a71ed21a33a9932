import FingerpostFiles
import FingerpostShared
import Foundation

/// A private file that only one download uses at a time.
///
/// The system holds the lock until the process ends or unlocks the file. iOS kills a suspended app that holds a file
/// lock in an app group's container. On iOS, the lock is therefore an entry in a list of this process.
final class FileLock: Sendable {
    let handle: FileHandle
    /// The file's path in this process's list of locked files. Nil if the system holds the lock.
    private let path: String?

    private static let locked = Locked<Set<String>>([])

    #if canImport(Darwin) && !os(macOS)
        static let isOfProcess = true
    #else
        static let isOfProcess = false
    #endif

    /// Opens and locks a file. A missing file is created.
    ///
    /// - Parameter isOfProcess: true for a lock that excludes only other downloads of this process. Tests set this
    ///   parameter.
    /// - Throws: `POSIXError` with the code `EWOULDBLOCK` if the file is locked; `PrivateFile.Refusal`.
    init(of file: URL, isOfProcess: Bool = FileLock.isOfProcess) throws {
        guard isOfProcess else {
            guard let locked = try PrivateFile.lock(file) else { throw POSIXError(.EWOULDBLOCK) }
            (handle, path) = (locked, nil)
            return
        }
        let folder = file.deletingLastPathComponent().resolvingSymlinksInPath()
        let path = folder.appendingPathComponent(file.lastPathComponent).path
        guard Self.locked.withLock({ $0.insert(path).inserted }) else { throw POSIXError(.EWOULDBLOCK) }
        // If the file cannot be opened, `handle` is never set, so `deinit` does not run. The path must be unlocked
        // here.
        do { handle = try PrivateFile.open(file) } catch {
            Self.locked.withLock { _ = $0.remove(path) }
            throw error
        }
        self.path = path
    }

    deinit {
        // Ignore the error: the written bytes are already on the disk.
        try? PrivateFile.close(handle)
        if let path { Self.locked.withLock { _ = $0.remove(path) } }
    }
}

extension PrivateFile {
    /// Flushes a file to the disk without closing the file, because closing it would end the lock.
    ///
    /// - Throws: `POSIXError`. Network file systems report a full disk only here.
    static func store(_ handle: FileHandle) throws(POSIXError) {
        let copy = dup(handle.fileDescriptor)
        guard copy >= 0, Foundation.close(copy) == 0 else { throw .last }
    }

    /// Ends the lock of a file and closes the file. Closing alone would not end the lock if a forked process has a copy
    /// of the handle: the lock would last until that process starts another program.
    static func close(_ handle: FileHandle) throws {
        flock(handle.fileDescriptor, LOCK_UN)
        try handle.close()
    }
}
