package import Foundation

/// The kind, the size, the times and the owner of a file. `FingerpostShared` reads most of it.
///
/// It takes the place of Foundation's `attributesOfItem`, which also looks up the names of the file's owner and group.
/// For these names the system opens a socket, and may ask a directory server on another machine.
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
        /// While the device is locked, how a file is protected; nil if it is unknown. This module asks for it, because
        /// the module that does needs a privacy manifest.
        package static func protection(of path: String) -> FileProtectionType? {
            // What has no attributes is not protected.
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

    /// True when a folder exists at this URL, like ``isFolder``, for searches in which a folder must not be overlooked.
    ///
    /// - Throws: an error when it is unknown whether the folder exists, for example because a folder in its path cannot
    ///   be read, and when this URL is a link to a folder that does not exist.
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
