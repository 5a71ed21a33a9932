import Fingerpost
package import FingerpostFiles
package import Foundation

extension MockFolder {
    /// The default mocks folder of test code: `Mocks/` beside the calling file or in a folder above that file, up to
    /// the package root; else the folder that the client finds.
    ///
    /// - Parameter filePath: the path of the calling file.
    /// - Throws: `FileProblem` if no mocks folder exists. The error lists the searched folders.
    package static func url(near filePath: String) throws(FileProblem) -> URL {
        var above: [URL] = []
        var folder = URL(fileURLWithPath: filePath).deletingLastPathComponent()
        while folder.path != "/", !folder.path.isEmpty {
            above.append(folder.appendingPathComponent(name))
            // The search stops at the package root, because the folders above the root belong to other packages.
            if FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) { break }
            folder.deleteLastPathComponent()
        }
        let search = try FolderSearch(name)
        if let found = above.first(where: \.isFolder) ?? search.found { return found }
        let lookedIn = above.map(FilePath.display) + search.lookedIn
        throw FileProblem(
            path: name, message: "the folder does not exist; searched \(lookedIn.joined(separator: ", "))",
            fix: "add \(name)/<name>.json at the package root, or pass the folder in the call")
    }
}
