import Foundation

/// A folder of files for one test, removed when the test lets go of it.
final class TemporaryFolder: Sendable {
    let url: URL

    /// - Parameter files: contents by relative path.
    init(_ files: [String: String] = [:]) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("Fingerpost-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (path, text) in files { try write(Data(text.utf8), to: path) }
    }

    func write(_ data: Data, to path: String) throws {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    subscript(path: String) -> URL { url.appendingPathComponent(path) }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
