import FingerpostFiles
import FingerpostShared
import Foundation

/// A private file that one download uses at a time.
///
/// The system holds the lock, and ends it with the process. iOS ends an app that holds a lock in the container of an
/// app group while it is suspended, so there, a list in this process takes the place of the system.
final class FileLock: Sendable {
    let handle: FileHandle
    /// The path in the list; nil if the system holds the lock.
    private let path: String?

    private static let locked = Locked<Set<String>>([])

    #if canImport(Darwin) && !os(macOS)
        static let isOfProcess = true
    #else
        static let isOfProcess = false
    #endif

    /// Opens and locks a file, which is created if it does not exist.
    ///
    /// - Parameter isOfProcess: true for a lock of this process alone. Tests choose it.
    /// - Throws: `POSIXError`, with the code `EWOULDBLOCK` if the file is locked; `PrivateFile.Refusal`.
    init(of file: URL, isOfProcess: Bool = FileLock.isOfProcess) throws {
        guard isOfProcess else {
            guard let locked = try PrivateFile.lock(file) else { throw POSIXError(.EWOULDBLOCK) }
            (handle, path) = (locked, nil)
            return
        }
        let folder = file.deletingLastPathComponent().resolvingSymlinksInPath()
        let path = folder.appendingPathComponent(file.lastPathComponent).path
        guard Self.locked.withLock({ $0.insert(path).inserted }) else { throw POSIXError(.EWOULDBLOCK) }
        // Not `self.path` yet: a complete instance is deinitialized after an error too, and would unlock twice.
        do { handle = try PrivateFile.open(file) } catch {
            Self.locked.withLock { _ = $0.remove(path) }
            throw error
        }
        self.path = path
    }

    deinit {
        // What was written is stored.
        try? PrivateFile.close(handle)
        if let path { Self.locked.withLock { _ = $0.remove(path) } }
    }
}
