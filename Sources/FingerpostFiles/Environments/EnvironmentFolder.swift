package import Foundation

/// A folder of environment files.
package struct EnvironmentFolder: Sendable {
    /// The name of the folder that is looked for.
    package static let name = FolderName.environments
    /// The target whose values the others inherit. It is never selected by itself.
    package static let base = "Base"

    package let url: URL
    /// The files, in alphabetical order of their names.
    package let files: [EnvironmentFile]

    /// - Parameter secrets: another folder, whose files of secrets count too where this one has none. The copy that is bundled with
    ///   an app has none, so that they never leave the machine.
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
        // Away from the sources there is no such folder. A secret that is missing is told by its key.
        if let secrets, files.allSatisfy(\.isCommitted),
            let names = try? FileManager.default.contentsOfDirectory(atPath: secrets.path)
        {
            files += names.sorted().compactMap { EnvironmentFile(url: secrets.appendingPathComponent($0)) }
                .filter { !$0.isCommitted }
        }
        self.files = files
    }

    /// The targets that can be selected.
    package var targets: [String] {
        var seen: Set = [Self.base]
        return files.filter(\.isCommitted).map(\.target).filter { seen.insert($0).inserted }
    }

    /// The file of a target, nil when there is none.
    /// - Throws: a problem when the target has a property list and a JSON file.
    ///
    /// - Parameter isCommitted: false for its file of secrets.
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
