package import Foundation

/// Reads only regular files, because reading a pipe or a device might never end.
package enum RegularFile {
    /// Reads the bytes of a file. A file of ``mappedSize`` bytes or more is mapped into memory.
    ///
    /// - Parameters:
    ///   - path: the file's path as shown in messages.
    ///   - checkSize: receives the file's size in bytes, and throws an error when the file is too large.
    /// - Throws: an error when the file does not exist, is not a regular file, is too large or cannot be read.
    static func contents(
        of url: URL, path: @autoclosure () -> String, checkSize: (Int) throws(FileProblem) -> Void
    ) throws(FileProblem) -> Data {
        // Without a status, the file or a folder in the path is missing, or the path is not accessible.
        guard let status = try? FileStatus(of: url.path) else {
            let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) != nil
            throw FileProblem(
                path: path(),
                message: isLink ? "this is a link to a file that does not exist" : "there is no such file",
                fix: isLink ? "correct or remove it" : nil)
        }
        switch status.kind {
        case .file: break
        case .folder:
            throw FileProblem(path: path(), message: "this is a folder, not a file", fix: "replace it with the file")
        default:
            throw FileProblem(path: path(), message: "this is not a regular file", fix: "replace it with the file")
        }
        try checkSize(status.size)
        do {
            return try status.size < mappedSize ? Data(contentsOf: url) : mapped(url)
        } catch {
            throw FileProblem(path: path(), message: "the file cannot be read: \(error.localizedDescription)")
        }
    }

    /// The minimum size of a file that is mapped into memory, in bytes. A smaller file is copied to memory, so that it
    /// can change later without affecting the copy.
    package static let mappedSize = 16_000_000

    /// The bytes of a file that is mapped into memory and read on access. The file must not be truncated while the
    /// result is in use.
    ///
    /// - Throws: Foundation's error when the file cannot be read.
    package static func mapped(_ url: URL) throws -> Data {
        // `alwaysMapped` is used because `mappedIfSafe` reads the whole file into memory on Linux. If the file system
        // does not support mapping, the file has to be read into memory.
        if let data = try? Data(contentsOf: url, options: .alwaysMapped) { return data }
        return try Data(contentsOf: url)
    }
}
