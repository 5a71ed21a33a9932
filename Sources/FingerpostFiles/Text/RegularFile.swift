package import Foundation

/// Reads files that are files: a pipe or a device could be endless.
package enum RegularFile {
    /// The bytes of a file, mapped into memory where there are many.
    ///
    /// - Parameters:
    ///   - path: the file as shown to people.
    ///   - checkSize: throws when there are too many bytes.
    static func contents(
        of url: URL, path: String, checkSize: (Int) throws(FileProblem) -> Void
    ) throws(FileProblem) -> Data {
        let files = FileManager.default
        let resolved = url.resolvingSymlinksInPath()
        // What cannot be looked at is not there for this process: a folder on the way is missing, or closed to it.
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

    /// In bytes. What is smaller may as well be in memory, where it stays whatever happens to the file.
    package static let mappedSize = 16_000_000

    /// The bytes of a file that stay on the disk until they are looked at. Nobody may cut the file short meanwhile.
    package static func mapped(_ url: URL) throws -> Data {
        // `mappedIfSafe` reads everything into memory on Linux. Where a file system cannot map, that is what is left.
        if let data = try? Data(contentsOf: url, options: .alwaysMapped) { return data }
        return try Data(contentsOf: url)
    }
}
