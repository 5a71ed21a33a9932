import FingerpostFiles
import Foundation

/// Where `Environments/` and `Mocks/` are looked for when the code names no folder: in the resources of the main bundle,
/// then in the working directory.
struct FolderSearch {
    /// The first that exists.
    let found: URL?
    /// Every place looked at, as shown to people.
    let lookedIn: [String]

    init(_ name: String) {
        let working = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let candidates = [Bundle.main.resourceURL, working].compactMap { $0?.appendingPathComponent(name) }
        found = candidates.first { url in
            var isDirectory: ObjCBool = false
            return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && isDirectory.boolValue
        }
        lookedIn = candidates.map { $0.standardizedFileURL.path }
    }
}
