package import Foundation

extension URL {
    /// True when a folder exists at this URL. Links are followed.
    package var isFolder: Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
    }

    /// True when a folder exists at this URL, like ``isFolder``, for searches in which a folder must not be overlooked.
    ///
    /// - Throws: an error when it is unknown whether the folder exists, for example because a folder in its path cannot
    ///   be read, and when this URL is a link to a folder that does not exist.
    package func isExistingFolder() throws(FileProblem) -> Bool {
        var status = stat()
        if stat(path, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR }
        let code = errno
        // Only a link has a destination; anything else makes this call fail.
        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
        if !isLink, code == ENOENT || code == ENOTDIR { return false }
        let reason = NSError(domain: NSPOSIXErrorDomain, code: Int(code)).localizedDescription
        throw FileProblem(
            path: FilePath.display(self),
            message: "\(isLink ? "the link" : "the folder") cannot be followed: \(reason)",
            fix: isLink ? "correct or remove it" : "make the folders in its path readable")
    }
}
