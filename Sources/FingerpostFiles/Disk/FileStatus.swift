package import Foundation

/// The kind, the size, the times and the owner of a file.
///
/// Foundation's `attributesOfItem` also looks up the names of the file's owner and group. To look up these names, the
/// system opens a socket, and may ask a directory server on another machine.
package struct FileStatus: Sendable {
    package enum Kind: Sendable {
        case file, folder, link
        /// A pipe, a socket or a device.
        case other
    }

    package let status: stat

    /// - Parameter followsLinks: false for the status of a link itself.
    /// - Throws: the system's error when the file does not exist or cannot be reached.
    package init(of path: String, followsLinks: Bool = true) throws(POSIXError) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { throw .last }
        self.status = status
    }

    package init(of handle: FileHandle) throws(POSIXError) {
        var status = stat()
        guard fstat(handle.fileDescriptor, &status) == 0 else { throw .last }
        self.status = status
    }

    package var kind: Kind {
        switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        case S_IFLNK: .link
        default: .other
        }
    }

    /// The size in bytes.
    package var size: Int64 { Int64(status.st_size) }

    #if canImport(Darwin) && !os(macOS)
        /// The protection of a file while the device is locked; nil if the protection is unknown. Only a module with a
        /// privacy manifest may read this attribute, and this module has a manifest.
        package static func protection(of path: String) -> FileProtectionType? {
            // If the attributes cannot be read, the protection is unknown.
            (try? FileManager.default.attributesOfItem(atPath: path))?[.protectionKey] as? FileProtectionType
        }
    #endif
}

extension URL {
    /// The names of the files in the folder at this URL.
    func fileNames() throws(FileProblem) -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: path) } catch {
            throw FileProblem(
                path: FilePath.display(self), message: "the folder cannot be read: \(error.localizedDescription)")
        }
    }

    /// True when a folder exists at this URL. Links are followed.
    package var isFolder: Bool { (try? FileStatus(of: path))?.kind == .folder }

    /// Returns true if a folder exists at this URL. Unlike ``isFolder``, this method never overlooks a folder.
    ///
    /// - Throws: an error if a folder in the path cannot be read, or if this URL is a link to a folder that does not
    ///   exist.
    package func isExistingFolder() throws(FileProblem) -> Bool {
        do throws(POSIXError) {
            return try FileStatus(of: path).kind == .folder
        } catch {
            // If the link itself cannot be reached either, the error explains why.
            let isLink = (try? FileStatus(of: path, followsLinks: false))?.kind == .link
            if !isLink, error.code == .ENOENT || error.code == .ENOTDIR { return false }
            throw FileProblem(
                path: FilePath.display(self),
                message: "\(isLink ? "the target of this link" : "the folder") cannot be reached: "
                    + error.localizedDescription,
                fix: isLink ? "correct or remove it" : "make the folders in its path readable")
        }
    }
}
