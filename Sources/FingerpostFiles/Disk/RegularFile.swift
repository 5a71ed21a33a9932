package import Foundation

/// A regular file, opened for reading. Reading a pipe or a device might never end.
package struct RegularFile {
    package let handle: FileHandle
    /// The size in bytes.
    package let size: Int64
    private let path: () -> String

    /// - Parameter path: the file's path as shown in messages.
    /// - Throws: an error when the file does not exist, is not a regular file, or cannot be read.
    package init(_ url: URL, path: @autoclosure @escaping () -> String) throws(FileProblem) {
        self.path = path
        let status: FileStatus
        // Opening the file and reading the status of the open file takes two system calls. Reading the status by the
        // path would take one call for each folder in the path.
        do throws(POSIXError) {
            handle = try FileHandle(opening: url, O_RDONLY)
            status = try FileStatus(of: handle)
        } catch {
            throw Self.problem(url, path(), error.code)
        }
        switch status.kind {
        case .file: size = status.size
        case .folder:
            throw FileProblem(path: path(), message: "this is a folder, not a file", fix: "replace it with the file")
        default: throw Self.irregular(path())
        }
    }

    /// The bytes of the file.
    package func contents() throws(FileProblem) -> Data {
        do {
            try handle.seek(toOffset: 0)
            return try handle.readToEnd() ?? Data()
        } catch {
            throw FileProblem(path: path(), message: "the file cannot be read: \(error.localizedDescription)")
        }
    }

    /// The problem with a file that cannot be opened.
    private static func problem(_ url: URL, _ path: String, _ code: POSIXErrorCode) -> FileProblem {
        switch code {
        case .ENOENT, .ENOTDIR, .ELOOP:
            let isLink = (try? FileStatus(of: url.path, followsLinks: false))?.kind == .link
            return FileProblem(
                path: path, message: isLink ? "this is a link to a file that does not exist" : "there is no such file",
                fix: isLink ? "correct or remove it" : nil)
        // A socket cannot be opened.
        case .ENXIO, .EOPNOTSUPP: return irregular(path)
        default:
            return FileProblem(
                path: path, message: "the file cannot be read: \(String(cString: strerror(code.rawValue)))")
        }
    }

    private static func irregular(_ path: String) -> FileProblem {
        FileProblem(path: path, message: "this is not a regular file", fix: "replace it with the file")
    }
}

extension FileHandle {
    /// Opens a file without waiting for the other end of a pipe. Programs that this process starts do not inherit the
    /// handle.
    ///
    /// - Parameters:
    ///   - flags: the flags of the system's `open`.
    ///   - mode: the mode of a file that is created. The process's umask can restrict the mode.
    package convenience init(opening url: URL, _ flags: Int32, mode: mode_t = 0o600) throws(POSIXError) {
        let file = url.withUnsafeFileSystemRepresentation { path in
            path.map { open($0, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode) } ?? -1
        }
        guard file >= 0 else { throw .last }
        self.init(fileDescriptor: file, closeOnDealloc: true)
    }
}

extension POSIXError {
    /// The error of the last system call.
    package static var last: POSIXError { @inline(never) get { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) } }
}
