package import Foundation

/// A folder of environment files.
package struct EnvironmentFolder: Sendable {
    /// The environments folder's name in a package or target.
    package static let name = FolderName.environments
    /// The target whose values all other targets inherit. `Base` itself cannot be selected.
    package static let base = "Base"

    package let url: URL
    /// The files, sorted by name, followed by any secrets files taken from the folder passed as `secrets`.
    package let files: [EnvironmentFile]

    /// - Parameter secrets: a second folder, from which the secrets files are taken when the first folder contains
    ///   none. The copy of the environments folder in an app's bundle never contains secrets files, so that secrets do
    ///   not leave the developer's machine.
    /// - Throws: an error when the folder cannot be listed.
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
        // The source folder exists only on the machine that built the app. On other machines, each missing secret is
        // reported by its key.
        if let secrets, files.allSatisfy(\.isCommitted),
            let names = try? FileManager.default.contentsOfDirectory(atPath: secrets.path)
        {
            files += names.sorted().compactMap { EnvironmentFile(url: secrets.appendingPathComponent($0)) }
                .filter { !$0.isCommitted }
        }
        self.files = files
    }

    /// The targets that can be selected: all targets with a committed file, except `Base`.
    package var targets: [String] {
        var seen: Set = [Self.base]
        return files.filter(\.isCommitted).map(\.target).filter { seen.insert($0).inserted }
    }

    /// A target's committed file or secrets file; nil when the target has no such file.
    ///
    /// - Parameter isCommitted: true for the target's committed file, false for its secrets file.
    /// - Throws: an error when the target has both a property list and a JSON file.
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
