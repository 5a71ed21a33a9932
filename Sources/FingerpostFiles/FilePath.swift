package import Foundation

/// How paths are shown to people.
package enum FilePath {
    /// The path relative to the working directory when it lies below it, and the full path otherwise.
    package static func display(_ url: URL) -> String {
        let path = url.standardizedFileURL.path
        let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).standardizedFileURL.path
        return path.hasPrefix(here + "/") ? String(path.dropFirst(here.count + 1)) : path
    }
}
