import FingerpostFiles
import Foundation

/// What a platform permits downloads to do with hidden files.
struct DownloadPlatform: Sendable {
    /// Folders for the hidden files of a target that the user chose: a sandbox permits no other file beside it.
    struct Sandbox: Sendable {
        /// The folder of this app for what later downloads go on with.
        var kept: @Sendable () throws -> URL
        /// Creates a folder for files that replace a target, on the same disk.
        var temporary: @Sendable (_ target: URL) throws -> URL
    }

    /// True if a part is claimed, false if it is locked: iOS ends an app that holds a lock in the container of an app
    /// group while it is suspended.
    var claims: Bool
    /// Nil if hidden files are always beside their target.
    var sandbox: Sandbox?
    /// Creates the folder for the hidden files beside a target if it is missing.
    var createFolder: @Sendable (URL) throws -> Void = {
        try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: true)
    }

    /// The platform of this process.
    static var current: DownloadPlatform {
        #if os(macOS)
            DownloadPlatform(claims: false, sandbox: sandbox)
        #elseif canImport(Darwin)
            DownloadPlatform(claims: true, sandbox: sandbox)
        #else
            DownloadPlatform(claims: false)
        #endif
    }

    #if canImport(Darwin)
        private static let sandbox = Sandbox {
            // Outside of a sandbox, all apps of the user share the first folder.
            let name = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
            return try FileManager.default
                .url(for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: false)
                .appendingPathComponent(name).appendingPathComponent("fingerpost-downloads", isDirectory: true)
        } temporary: {
            try FileManager.default.url(
                for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: $0, create: true)
        }
    #endif
}
