import FingerpostFiles
package import Foundation

/// Where the hidden file is that replaces the target of a download: beside it or, if a sandbox permits only the target
/// itself, in a folder of the system for such files.
package struct TargetFolder: Sendable {
    /// Creates a folder for a file that replaces a target, on the same disk; nil if such files are always beside it.
    package var temporary: (@Sendable (_ target: URL) throws -> URL)?
    /// Creates the folder beside a target if it is missing.
    package var create: @Sendable (URL) throws -> Void = {
        try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: true)
    }

    /// That of this platform.
    package static var current: TargetFolder {
        #if canImport(Darwin)
            TargetFolder(temporary: {
                try FileManager.default.url(
                    for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: $0, create: true)
            })
        #else
            TargetFolder()
        #endif
    }

    /// True if an error says that the system permits no file beside a target.
    package static func forbids(_ target: URL, after error: any Error) -> Bool {
        // If its mode forbids to change the folder, the target could not be replaced either.
        error.systemError == .EPERM
            || error.systemError == .EACCES
                && (access(target.deletingLastPathComponent().path, W_OK) == 0 || errno != EACCES)
    }

    /// Replaces a target that is the only file in its folder that this process may write.
    package static func exchange(_ target: URL, with file: URL) throws {
        #if canImport(Darwin)
            if FileManager.default.fileExists(atPath: target.path) {
                try NewFile.adopt(file, from: target)
                _ = try FileManager.default.replaceItemAt(target, withItemAt: file)
                return
            }
        #endif
        try NewFile.move(file, to: target)
    }
}
