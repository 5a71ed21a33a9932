import Foundation

/// What a platform permits downloads to do with hidden files.
struct DownloadPlatform: Sendable {
    /// True if a part is claimed, false if it is locked: iOS ends an app that holds a lock in the container of an app
    /// group while it is suspended.
    var claims: Bool
    /// The folder of this app for what later downloads go on with, if a sandbox permits no file beside the target; nil
    /// if hidden files are always there.
    var kept: (@Sendable () throws -> URL)?
    /// Creates a folder of the system for files that replace a target, on the same disk, if a sandbox permits no file
    /// beside the target; nil if hidden files are always there.
    var temporary: (@Sendable (_ target: URL) throws -> URL)?
    /// Creates the folder beside a target if it is missing.
    var create: @Sendable (URL) throws -> Void = {
        try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: true)
    }

    /// The platform of this process.
    static var current: DownloadPlatform {
        #if os(macOS)
            DownloadPlatform(claims: false, kept: folderOfApp, temporary: folderOfSystem)
        #elseif canImport(Darwin)
            DownloadPlatform(claims: true, kept: folderOfApp, temporary: folderOfSystem)
        #else
            DownloadPlatform(claims: false)
        #endif
    }

    #if canImport(Darwin)
        @Sendable private static func folderOfApp() throws -> URL {
            // Outside of a sandbox, all apps of the user share the first folder.
            let name = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
            return try FileManager.default
                .url(for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: false)
                .appendingPathComponent(name).appendingPathComponent("fingerpost-downloads", isDirectory: true)
        }

        @Sendable private static func folderOfSystem(for target: URL) throws -> URL {
            try FileManager.default.url(
                for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: target, create: true)
        }
    #endif
}
