package import Foundation

/// Creates files that did not exist before, and replaces others with them. By default, only this user can read them,
/// because they may contain private data.
package enum NewFile {
    /// The mode of a file that others may read, as far as the process's umask permits.
    static let shared: mode_t = 0o666

    /// Creates an empty file.
    ///
    /// - Throws: `POSIXError` if the file cannot be created, and also if something with this name exists already, even
    ///   a link. Otherwise somebody who guesses the name could make this process write to another file.
    package static func create(at url: URL, mode: mode_t = 0o600) throws(POSIXError) {
        let file = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw .last }
        close(file)
    }

    /// Creates a file and writes its content.
    ///
    /// - Throws: the same errors as ``create(at:mode:)``, and Foundation's error if the content cannot be written.
    package static func write(_ data: Data, to url: URL, mode: mode_t = 0o600) throws {
        try create(at: url, mode: mode)
        let handle = try FileHandle(forWritingTo: url)
        try handle.write(contentsOf: data)
        // The content must be on the disk before the file gets its final name, or a crash could leave an empty file.
        try handle.synchronize()
        try handle.close()
    }

    /// Replaces a file in one step: other processes see either the old content or the new one.
    ///
    /// - Parameters:
    ///   - new: the file that has the new content until it gets the name of the old one. It is gone afterwards. By
    ///     default, a hidden file in the same folder.
    ///   - isShared: true for a file that others may read, and that keeps its mode and its attributes. Otherwise only
    ///     this user can read the new file.
    /// - Throws: `POSIXError` or Foundation's error if the file cannot be written.
    package static func replace(_ url: URL, with data: Data, by new: URL? = nil, isShared: Bool = false) throws {
        let new = new ?? hidden(beside: url)
        defer { unlink(new.path) }
        try write(data, to: new, mode: isShared ? shared : 0o600)
        if isShared { return try move(new, to: url) }
        guard rename(new.path, url.path) == 0 else { throw POSIXError.last }
    }

    /// Gives a file what the file of `target` has, as ``adopt(_:from:)`` does. Then renames the file to `target`, which
    /// is replaced in one step.
    package static func move(_ url: URL, to target: URL) throws(POSIXError) {
        try adopt(url, from: target)
        guard rename(url.path, target.path) == 0 else { throw .last }
    }

    /// Gives a file the mode and the attributes of another one or, if there is none, the mode of a new file that others
    /// may read.
    package static func adopt(_ url: URL, from other: URL) throws(POSIXError) {
        let existing = mode(of: other)
        // Before the mode, which may forbid to write the file.
        FileAttributes.replace(of: url, with: existing == nil ? nil : other)
        let mode: mode_t
        if let existing { mode = existing } else { mode = try modeOfNewFiles(beside: url) }
        guard chmod(url.path, mode) == 0 else { throw .last }
    }

    private static func hidden(beside url: URL) -> URL {
        url.deletingLastPathComponent().appendingPathComponent(".fingerpost-\(UUID().uuidString)")
    }

    private static func mode(of url: URL) -> mode_t? {
        var status = stat()
        guard stat(url.path, &status) == 0 else { return nil }
        return status.st_mode & 0o777
    }

    /// The process's umask can be read only by changing it, which other threads would notice. So create a file and look
    /// at its mode.
    private static func modeOfNewFiles(beside url: URL) throws(POSIXError) -> mode_t {
        let probe = hidden(beside: url)
        try create(at: probe, mode: shared)
        defer { unlink(probe.path) }
        guard let mode = mode(of: probe) else { throw .last }
        return mode
    }
}

extension POSIXError {
    /// The error of the last system call.
    package static var last: POSIXError {
        @inline(never) get { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}
