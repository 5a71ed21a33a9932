import Fingerpost
package import FingerpostFiles
package import Foundation

extension MockFolder {
    /// The folder that code of tests means when it names none: `Mocks/` beside the file or in a folder above it, up to
    /// the package's own; else the one that the client finds.
    ///
    /// - Parameter filePath: the calling file.
    package static func url(near filePath: String) throws(FileProblem) -> URL {
        var above: [URL] = []
        var folder = URL(fileURLWithPath: filePath).deletingLastPathComponent()
        while folder.path != "/", !folder.path.isEmpty {
            above.append(folder.appendingPathComponent(name))
            // Further up are the folders of other packages.
            if FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) { break }
            folder.deleteLastPathComponent()
        }
        let search = FolderSearch(name)
        if let found = above.first(where: \.isFolder) ?? search.found { return found }
        let lookedIn = above.map(FilePath.display) + search.lookedIn
        throw FileProblem(
            path: name, message: "there is no such folder; looked in \(lookedIn.joined(separator: ", "))",
            fix: "add \(name)/<name>.json at the top of the package, or name the folder in the call")
    }
}
