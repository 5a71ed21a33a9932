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
