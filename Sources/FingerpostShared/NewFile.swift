import FingerpostFiles
package import Foundation

/// Creates files, and replaces existing files by new ones. By default, only this user can read a new file, because the
/// content may be private.
package enum NewFile {
    /// Creates an empty file, and opens it for writing.
    ///
    /// - Parameter mode: 0o666 for a file that others may read, as far as the process's umask permits.
    /// - Throws: `POSIXError` if the file cannot be created, or if a file or a link with this name exists. If an
    ///   existing file or link were not an error, another user who guesses the name could make this process write to a
    ///   file of that user's choice.
    @discardableResult
    package static func create(at url: URL, mode: mode_t = 0o600) throws(POSIXError) -> FileHandle {
        try FileHandle(opening: url, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
    }

    /// Creates a file and writes its content.
    ///
    /// - Throws: the same errors as ``create(at:mode:)``, and Foundation's error if the content cannot be written.
    package static func write(_ data: Data, to url: URL, mode: mode_t = 0o600) throws {
        let handle = try create(at: url, mode: mode)
        try handle.write(contentsOf: data)
        // Flush the content to the disk before the file gets its final name. Otherwise, the file could be empty after a
        // crash.
        try handle.synchronize()
        try handle.close()
    }

    /// Gives a file the mode and the attributes of `target` (see ``adopt(_:from:)``), and then replaces `target` with
    /// the file atomically.
    package static func move(_ url: URL, to target: URL) throws(POSIXError) {
        try adopt(url, from: target)
        guard rename(url.path, target.path) == 0 else { throw .last }
    }

    /// Gives a file the mode of another file. On Apple platforms, the file also gets the other file's attributes. If
    /// the other file does not exist, the file gets the mode that the process's umask gives to new files.
    package static func adopt(_ url: URL, from other: URL) throws(POSIXError) {
        let existing = try? FileStatus(of: other.path)
        #if canImport(Darwin)
            // The attributes are copied before the mode is set, because the mode may forbid writing.
            if existing != nil { copyAttributes(of: other, to: url) }
        #endif
        let mode = if let existing { existing.mode } else { try modeOfNewFiles(beside: url) }
        guard chmod(url.path, mode) == 0 else { throw .last }
    }

    #if canImport(Darwin)
        /// Copies the extended attributes of another file, its protection while the device is locked, and its exclusion
        /// from backups. Errors are ignored, because the content of the file is more important than the attributes.
        private static func copyAttributes(of other: URL, to url: URL) {
            copyfile(other.path, url.path, nil, copyfile_flags_t(COPYFILE_XATTR))
            #if !os(macOS)
                if let protection = FileStatus.protection(of: other.path) {
                    // Errors are ignored, as above.
                    try? FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: url.path)
                }
            #endif
            // Errors are ignored, as above.
            let excluded = try? other.resourceValues(forKeys: [.isExcludedFromBackupKey]).isExcludedFromBackup
            guard excluded == true else { return }
            var (url, values) = (url, URLResourceValues())
            values.isExcludedFromBackup = true
            // Errors are ignored, as above.
            try? url.setResourceValues(values)
        }
    #endif

    /// Returns a new name for a hidden file.
    package static func hidden(in folder: URL) -> URL {
        folder.appendingPathComponent(".fingerpost-\(UUID().uuidString)")
    }

    /// Returns the mode of new files, which the process's umask determines. A process can read its umask only by
    /// changing it, and the change would affect other threads. This method therefore creates a file and reads the
    /// file's mode.
    private static func modeOfNewFiles(beside url: URL) throws(POSIXError) -> mode_t {
        let probe = hidden(in: url.deletingLastPathComponent())
        let handle = try create(at: probe, mode: 0o666)
        defer { unlink(probe.path) }
        return try FileStatus(of: handle).mode
    }
}

extension Error {
    /// The reason why the system could not read or write a file, for example "No space left on device".
    ///
    /// Foundation on Linux describes most of these errors as "The operation could not be completed". The underlying
    /// error of the system contains the reason.
    package var fileReason: String {
        systemError.map { String(cString: strerror($0.rawValue)) } ?? (self as NSError).localizedDescription
    }

    /// The error of the system, which an error of Foundation may contain. Nil for any other error.
    package var systemError: POSIXErrorCode? {
        let error = self as NSError
        // On Linux, the underlying error may be a Swift error, which cannot be cast to `NSError`.
        let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? error
        return cause.domain == NSPOSIXErrorDomain ? POSIXErrorCode(rawValue: Int32(cause.code)) : nil
    }
}
