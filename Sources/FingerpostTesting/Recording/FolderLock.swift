import Foundation

/// Lets one process at a time work in a folder. The system releases the lock when the process ends.
enum FolderLock {
    /// Runs a closure while no other process that asks for the lock works in the folder. On a file system without
    /// locks, the closure runs without one.
    static func hold<Result>(_ folder: URL, _ body: () throws -> Result) rethrows -> Result {
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        while descriptor >= 0, flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        return try body()
    }
}
