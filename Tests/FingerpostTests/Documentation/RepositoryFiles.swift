import Foundation

/// The files of this repository.
nonisolated enum RepositoryFiles {
    static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The files below a folder with this extension, in order.
    static func below(_ path: String, _ fileExtension: String = "swift") -> [URL] {
        let folder = root.appendingPathComponent(path)
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".\(fileExtension)") }.sorted().map(folder.appendingPathComponent)
    }
}
