/// A folder of files for one test, deleted with the instance.
package final class TemporaryFolder: Sendable {
    /// The folder, with a unique name in the system's temporary directory.
    package let url: URL

    /// Creates the folder and its files.
    ///
    /// - Parameter files: contents by relative path.
    package init(_ files: [String: String] = [:]) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("Fingerpost-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (path, text) in files { try write(Data(text.utf8), to: path) }
    }

    /// Writes a file, and creates the folders of its path.
    package func write(_ data: Data, to path: String) throws {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    /// The names of its files and folders in order, hidden ones included.
    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    /// The URL of a relative path.
    package subscript(path: String) -> URL { url.appendingPathComponent(path) }

    /// Text with paths relative to the folder.
    package func relative(_ text: String) -> String {
        text.replacingOccurrences(of: url.standardizedFileURL.path + "/", with: "")
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
