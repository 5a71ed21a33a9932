package import Foundation

extension FileHandle {
    /// Opens a file without waiting for the other end of a pipe. No program that this process begins gets the handle.
    ///
    /// - Parameters:
    ///   - flags: those of the system's `open`.
    ///   - mode: the mode of a file that is created, as far as the process's umask permits.
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
