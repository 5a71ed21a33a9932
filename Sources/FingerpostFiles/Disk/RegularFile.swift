package import Foundation

/// Reads only regular files, because reading a pipe or a device might never end.
package enum RegularFile {
    /// Reads the bytes of a file. Of a file of ``mappedSize`` bytes or more, a copy is mapped into memory, unless the
    /// file's version is given.
    ///
    /// - Parameters:
    ///   - path: the file's path as shown in messages.
    ///   - version: the only version that is read, of a file that somebody may change meanwhile; nil for any.
    ///   - checkSize: receives the file's size in bytes, and throws an error when the file is too large.
    /// - Throws: an error when the file does not exist, is not a regular file, is too large or cannot be read.
    package static func contents(
        of url: URL, path: @autoclosure () -> String, version: FileStatus.Version? = nil,
        checkSize: (Int64) throws(FileProblem) -> Void
    ) throws(FileProblem) -> Data {
        // Opening the file first and asking the open file for its kind and size needs two system calls; asking the path
        // needs one for each folder in it. Without `O_NONBLOCK`, opening a pipe waits for a writer.
        let file = url.withUnsafeFileSystemRepresentation { path in
            path.map { open($0, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) } ?? -1
        }
        guard file >= 0 else { throw unopened(url, path(), errno) }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        var status = stat()
        guard fstat(file, &status) == 0 else { throw unreadable(path(), errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR:
            throw FileProblem(path: path(), message: "this is a folder, not a file", fix: "replace it with the file")
        default: throw irregular(path())
        }
        if let version, version != FileStatus.Version(status) {
            throw FileProblem(
                path: path(), message: "the file changed before it was read", fix: "try again when nothing changes it")
        }
        try checkSize(Int64(status.st_size))
        do {
            // Without room for a copy, the bytes are in memory.
            if version == nil, status.st_size >= mappedSize, let data = try? mappedCopy(of: handle) { return data }
            try handle.seek(toOffset: 0)
            return try handle.readToEnd() ?? Data()
        } catch {
            throw FileProblem(path: path(), message: "the file cannot be read: \(error.localizedDescription)")
        }
    }

    /// The problem with a file that cannot be opened.
    private static func unopened(_ url: URL, _ path: String, _ code: Int32) -> FileProblem {
        switch code {
        case ENOENT, ENOTDIR, ELOOP:
            let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) != nil
            return FileProblem(
                path: path, message: isLink ? "this is a link to a file that does not exist" : "there is no such file",
                fix: isLink ? "correct or remove it" : nil)
        // A socket cannot be opened.
        case ENXIO, EOPNOTSUPP: return irregular(path)
        default: return unreadable(path, code)
        }
    }

    private static func irregular(_ path: String) -> FileProblem {
        FileProblem(path: path, message: "this is not a regular file", fix: "replace it with the file")
    }

    private static func unreadable(_ path: String, _ code: Int32) -> FileProblem {
        FileProblem(path: path, message: "the file cannot be read: \(String(cString: strerror(code)))")
    }

    /// The minimum size of a file of which a copy is mapped, in bytes. A smaller file is read into memory.
    package static let mappedSize = 16_000_000

    /// The bytes of a copy that has no name, so that nobody can change it. The copy takes room on the disk until the
    /// bytes are released, and the system can free their memory meanwhile.
    private static func mappedCopy(of file: FileHandle) throws -> Data {
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("fingerpost-\(UUID().uuidString)")
        try NewFile.create(at: copy)
        defer { unlink(copy.path) }
        let handle = try FileHandle(forWritingTo: copy)
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty { try handle.write(contentsOf: piece) }
        return try mapped(copy)
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
