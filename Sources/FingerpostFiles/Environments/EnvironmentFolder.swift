package import Foundation

/// A folder of environment files.
package struct EnvironmentFolder: Sendable {
    /// The name of the folder in a package or target.
    package static let name = FolderName.environments
    /// The target whose values all others inherit. It cannot be selected.
    package static let base = "Base"

    package let url: URL
    /// The files, in the order of their names, then any secrets files taken from the other folder.
    package let files: [EnvironmentFile]

    /// - Parameter secrets: a second folder that secrets files are taken from when this folder has none. The copy
    ///   bundled with an app never contains secrets files, so that they do not leave the machine.
    /// - Throws: a problem when the folder cannot be listed.
    package init(url: URL, secrets: URL? = nil) throws(FileProblem) {
        self.url = url
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        } catch {
            throw FileProblem(
                path: FilePath.display(url), message: "the folder cannot be read: \(error.localizedDescription)")
        }
        var files = names.sorted().compactMap { EnvironmentFile(url: url.appendingPathComponent($0)) }
        // On other machines the source folder does not exist. Missing secrets are then reported by key.
        if let secrets, files.allSatisfy(\.isCommitted),
            let names = try? FileManager.default.contentsOfDirectory(atPath: secrets.path)
        {
            files += names.sorted().compactMap { EnvironmentFile(url: secrets.appendingPathComponent($0)) }
                .filter { !$0.isCommitted }
        }
        self.files = files
    }

    /// The targets that can be selected: all that have a committed file, except `Base`.
    package var targets: [String] {
        var seen: Set = [Self.base]
        return files.filter(\.isCommitted).map(\.target).filter { seen.insert($0).inserted }
    }

    /// The file of a target, or nil when it has none.
    ///
    /// - Parameter isCommitted: false for the target's secrets file.
    /// - Throws: a problem when the target has both a property list and a JSON file.
    package func file(for target: String, isCommitted: Bool = true) throws(FileProblem) -> EnvironmentFile? {
        let found = files.filter { $0.target == target && $0.isCommitted == isCommitted }
        guard found.count < 2 else {
            let names = found.map(\.url.lastPathComponent).sorted()
            throw FileProblem(
                path: FilePath.display(url),
                message: "the environment \"\(target)\" has two files: \(names.joined(separator: " and "))",
                fix: "keep one of them")
        }
        return found.first
    }
}
