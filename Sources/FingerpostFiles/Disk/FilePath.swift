package import Foundation

/// Converts file URLs to the paths shown in messages.
package enum FilePath {
    /// The names of the folders that contain the user's files.
    static let environments = "Environments"
    package static let mocks = "Mocks"

    /// A file's path as shown in messages. For a file below the working directory, this path is relative to the working
    /// directory; for any other file, it is the full path. A copy in a resource bundle is shown as its original in the
    /// source folder, because the original is the file to fix.
    package static func display(_ url: URL) -> String {
        let path = url.standardizedFileURL.path
        if let original = original(ofCopy: path) { return original }
        let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).standardizedFileURL.path
        return path.hasPrefix(here + "/") ? String(path.dropFirst(here.count + 1)) : path
    }

    /// The path of the original file from which a file in a resource bundle was copied: `Environments/Testing-Env.json`
    /// for `…/App_App.resources/Environments/Testing-Env.json`.
    private static func original(ofCopy path: String) -> String? {
        guard path.contains(".resources/") || path.contains(".bundle/") else { return nil }
        let parts = path.words(between: "/")
        let bundle = parts.lastIndex { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }
        guard let bundle else { return nil }
        let inside = parts[(bundle + 1)...]
        let content = inside.starts(with: ["Contents", "Resources"]) ? inside.dropFirst(2) : inside
        guard let folder = content.first, [environments, mocks].contains(String(folder)) else { return nil }
        return content.joined(separator: "/")
    }
}
