package import Foundation

extension Error {
    /// Why the system could not read or write a file, for example "No space left on device".
    ///
    /// Foundation on Linux describes most of these errors as "The operation could not be completed". The error of the
    /// system is below.
    package var fileReason: String {
        systemError.map { String(cString: strerror($0.rawValue)) } ?? (self as NSError).localizedDescription
    }

    /// The error of the system, which may be below an error of Foundation; nil for any other error.
    package var systemError: POSIXErrorCode? {
        let error = self as NSError
        // On Linux, this may be a Swift error, which cannot be cast to `NSError`.
        let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? error
        return cause.domain == NSPOSIXErrorDomain ? POSIXErrorCode(rawValue: Int32(cause.code)) : nil
    }
}
