/// The files of this repository.
package enum RepositoryFiles {
    package static let root = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    package static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The files below a folder with this extension, in order.
    package static func below(_ path: String, _ fileExtension: String = "swift") -> [URL] {
        let folder = root.appendingPathComponent(path)
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".\(fileExtension)") }.sorted().map(folder.appendingPathComponent)
    }
}
