package import FingerpostFiles
package import Foundation

extension RegularFile {
    /// Opens a file that somebody may change meanwhile.
    ///
    /// - Parameters:
    ///   - path: the file's path as shown in messages.
    ///   - version: the only version that is read.
    /// - Throws: the same errors as ``init(_:path:)``, and an error for another version.
    package init(
        _ url: URL, path: @autoclosure @escaping () -> String, version: FileStatus.Version
    ) throws(FileProblem) {
        try self.init(url, path: path())
        // A file whose version is unknown is another one.
        if (try? FileStatus(of: handle))?.version != version {
            throw FileProblem(
                path: path(), message: "the file changed before it was read", fix: "try again when nothing changes it")
        }
    }

    /// The bytes of a file that is mapped into memory and read on access. Access ends the process if the file is
    /// shorter by then, so nobody else may write it, or if it is unreadable, as files with complete protection are
    /// while a device is locked.
    ///
    /// - Throws: Foundation's error when the file cannot be read.
    package static func mapped(_ url: URL) throws -> Data {
        // `alwaysMapped` is used because `mappedIfSafe` reads the whole file into memory on Linux. If the file system
        // does not support mapping, the file has to be read into memory.
        if let data = try? Data(contentsOf: url, options: .alwaysMapped) { return data }
        return try Data(contentsOf: url)
    }
}
