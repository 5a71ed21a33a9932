package import Foundation

/// Reads regular files only, because reading a pipe or a device might never end.
package enum RegularFile {
    /// The bytes of a file. Files of ``mappedSize`` bytes or more are mapped into memory.
    ///
    /// - Parameters:
    ///   - path: the path as shown in messages.
    ///   - checkSize: receives the size in bytes, and throws when the file is too large.
    /// - Throws: a problem when the file does not exist, is not a regular file, is too large or cannot be read.
    static func contents(
        of url: URL, path: String, checkSize: (Int) throws(FileProblem) -> Void
    ) throws(FileProblem) -> Data {
        let files = FileManager.default
        let resolved = url.resolvingSymlinksInPath()
        // Attributes that cannot be read mean that a folder in the path is missing or not accessible.
        guard let attributes = try? files.attributesOfItem(atPath: resolved.path), files.fileExists(atPath: url.path)
        else {
            let isLink = (try? files.destinationOfSymbolicLink(atPath: url.path)) != nil
            throw FileProblem(
                path: path, message: isLink ? "this is a link to a file that does not exist" : "there is no such file",
                fix: isLink ? "correct or remove it" : nil)
        }
        switch attributes[.type] as? FileAttributeType {
        case .typeRegular: break
        case .typeDirectory:
            throw FileProblem(path: path, message: "this is a folder, not a file", fix: "replace it with the file")
        default:
            throw FileProblem(path: path, message: "this is not a regular file", fix: "replace it with the file")
        }
        let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
        try checkSize(size)
        do {
            return try size < mappedSize ? Data(contentsOf: url) : mapped(url)
        } catch {
            throw FileProblem(path: path, message: "the file cannot be read: \(error.localizedDescription)")
        }
    }

    /// The size from which files are mapped, in bytes. Smaller files are copied to memory, which is safe when the file
    /// changes later.
    package static let mappedSize = 16_000_000

    /// The bytes of a file, mapped into memory and read on access. The file must not be truncated while it is in use.
    ///
    /// - Throws: the error of Foundation when the file cannot be read.
    package static func mapped(_ url: URL) throws -> Data {
        // `mappedIfSafe` reads everything into memory on Linux. If the file system does not support mapping, reading
        // into memory is the only option.
        if let data = try? Data(contentsOf: url, options: .alwaysMapped) { return data }
        return try Data(contentsOf: url)
    }
}
