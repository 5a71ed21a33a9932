package import Foundation

/// A temporary folder for one test, removed with the last reference.
package final class TemporaryFolder: Sendable {
    package let url: URL

    /// - Parameter files: file contents by relative path.
    package init(_ files: [String: String] = [:]) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("Fingerpost-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (path, text) in files { try write(Data(text.utf8), to: path) }
    }

    /// Writes a file, and creates its parent folders.
    package func write(_ data: Data, to path: String) throws {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    /// The URL of a file by its relative path.
    package subscript(path: String) -> URL { url.appendingPathComponent(path) }

    /// A text with the paths of the folder's files made relative to the folder.
    package func relative(_ text: String) -> String {
        text.replacingOccurrences(of: url.standardizedFileURL.path + "/", with: "")
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
