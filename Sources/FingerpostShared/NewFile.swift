import FingerpostFiles
package import Foundation

/// Creates new files, and replaces files by new files. By default, only this user can read a new file, because its
/// content may be private.
package enum NewFile {
    /// Creates an empty file, and opens it for writing.
    ///
    /// - Parameter mode: 0o666 for a file that others may read, as far as the process's umask permits.
    /// - Throws: `POSIXError` if the file cannot be created, and if anything with this name exists, even a link.
    ///   Otherwise another user who guesses the name could make this process write to another file.
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
        // The content must be on the disk before the file gets its final name, or a crash could leave an empty file.
        try handle.synchronize()
        try handle.close()
    }

    /// Replaces a file in one step: other processes see either the old content or the new one. Only this user can read
    /// the new file.
    ///
    /// - Throws: `POSIXError` or Foundation's error if the file cannot be written.
    package static func replace(_ url: URL, with data: Data) throws {
        let new = hidden(in: url.deletingLastPathComponent())
        defer { unlink(new.path) }
        try write(data, to: new)
        guard rename(new.path, url.path) == 0 else { throw POSIXError.last }
    }

    /// Gives a file what the file of `target` has, as ``adopt(_:from:)`` does. Then renames the file to `target`, which
    /// is replaced in one step.
    package static func move(_ url: URL, to target: URL) throws(POSIXError) {
        try adopt(url, from: target)
        guard rename(url.path, target.path) == 0 else { throw .last }
    }

    /// Gives a file the mode of another file and, on Apple platforms, its attributes. Without another file, the mode is
    /// the mode of a new file that others may read.
    package static func adopt(_ url: URL, from other: URL) throws(POSIXError) {
        let existing = try? FileStatus(of: other.path)
        #if canImport(Darwin)
            // Before the mode, which may forbid to write the file.
            if existing != nil { copyAttributes(of: other, to: url) }
        #endif
        let mode = if let existing { existing.mode } else { try modeOfNewFiles(beside: url) }
        guard chmod(url.path, mode) == 0 else { throw .last }
    }

    #if canImport(Darwin)
        /// Copies the extended attributes of another file, its protection while the device is locked, and its exclusion
        /// from backups. Errors are ignored: a file without attributes is better than none.
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

    /// A new name for a hidden file.
    package static func hidden(in folder: URL) -> URL {
        folder.appendingPathComponent(".fingerpost-\(UUID().uuidString)")
    }

    /// The process's umask can be read only by changing it, which other threads would notice. So create a file and look
    /// at its mode.
    private static func modeOfNewFiles(beside url: URL) throws(POSIXError) -> mode_t {
        let probe = hidden(in: url.deletingLastPathComponent())
        let handle = try create(at: probe, mode: 0o666)
        defer { unlink(probe.path) }
        return try FileStatus(of: handle).mode
    }
}

extension Error {
    /// Why the system could not read or write a file, for example "No space left on device".
    ///
    /// Foundation on Linux describes most of these errors as "The operation could not be completed". The error of the
    /// system is below.
    package var fileReason: String {
        systemError.map { String(cString: strerror($0.rawValue)) } ?? (self as NSError).localizedDescription
    }

    /// The error of the system, which may be below an error of Foundation; nil for any other error.
    package var systemError: POSIXErrorCode? {
        let error = self as NSError
        // On Linux, this may be a Swift error, which cannot be cast to `NSError`.
        let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? error
        return cause.domain == NSPOSIXErrorDomain ? POSIXErrorCode(rawValue: Int32(cause.code)) : nil
    }
}
