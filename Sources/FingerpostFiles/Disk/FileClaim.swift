package import Foundation

/// The right to use a file, which one user has at a time. Unlike a lock, a claim is nothing that the system holds: iOS
/// ends an app that holds a lock while it is suspended.
///
/// A claim is a symbolic link beside the file whose text names the process. The system creates a link with its text in
/// one step, so no process sees half a claim. The claim of a process that has ended is stale. To replace one is a right
/// that is claimed in the same way, so two processes never replace the same one, or one that is no longer stale.
package final class FileClaim: Sendable {
    private let path: String
    private let owner: String

    /// Claims a file, which need not exist.
    ///
    /// - Throws: `POSIXError`, `EWOULDBLOCK` if the file is claimed by this process or another one that runs.
    package convenience init(of file: URL) throws(POSIXError) {
        try self.init(of: file, as: .current)
    }

    /// - Parameter process: the owner of the claim.
    init(of file: URL, as process: ProcessIdentity) throws(POSIXError) {
        let (path, owner) = (file.path + ".claim", process.text)
        guard try Self.take(path, owner) else { throw POSIXError(.EWOULDBLOCK) }
        // Not before: an instance with all properties is deinitialized after an error too, and would end the claim of
        // another user in this process.
        (self.path, self.owner) = (path, owner)
    }

    deinit { if Self.text(path) == owner { unlink(path) } }

    /// - Returns: false if a process that runs has the claim.
    private static func take(_ path: String, _ owner: String) throws(POSIXError) -> Bool {
        while true {
            if symlink(owner, path) == 0 { return true }
            guard errno == EEXIST else { throw .last }
            // If it is gone, try again.
            guard let text = text(path) else { continue }
            guard isStale(text) else { return false }
            let right = path + "~"
            guard try take(right, owner) else { return false }
            // Another process may have replaced the stale claim before this one had the right to.
            guard Self.text(path).map(isStale) == true else {
                unlink(right)
                continue
            }
            if rename(right, path) == 0 { return true }
            let error = POSIXError.last
            unlink(right)
            throw error
        }
    }

    private static func isStale(_ text: String) -> Bool { ProcessIdentity(text)?.isRunning != true }

    /// The text of a link; empty for anything else, and nil if there is nothing.
    private static func text(_ path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 256)
        let count = readlink(path, &bytes, bytes.count)
        if count < 0 { return errno == ENOENT ? nil : "" }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
