package import Foundation

/// A folder of environment files.
package struct EnvironmentFolder: Sendable {
    /// The environments folder's name in a package or target.
    package static let name = FilePath.environments
    /// The target whose values all other targets inherit. `Base` itself cannot be selected.
    package static let base = "Base"

    package let url: URL
    /// The committed files, followed by the secrets files, each sorted by name.
    package let files: [EnvironmentFile]
    /// The search for the secrets files.
    let secrets: SecretsSearch

    /// - Parameter secrets: the folders to search for secrets files if the folder is a copy; nil for a folder that
    ///   contains the secrets files itself. A copy in a bundle contains no secrets files, so that secrets do not leave
    ///   the developer's machine. All secrets files are taken from the first folder that contains any.
    /// - Throws: an error when the folder cannot be listed.
    package init(url: URL, secrets: [URL]? = nil) throws(FileProblem) {
        self.url = url
        let listed = try EnvironmentFile.files(in: url)
        self.secrets = SecretsSearch(secrets ?? [url], copy: secrets == nil ? nil : url, listed: listed)
        files = listed.filter(\.isCommitted) + self.secrets.files
    }

    /// The targets that can be selected: all targets with a committed file, except `Base`.
    package var targets: [String] {
        var seen: Set = [Self.base]
        return files.filter(\.isCommitted).map(\.target).filter { seen.insert($0).inserted }
    }

    /// Suggests an environment for a name that no environment has. The name may be that of a file: `Staging-Env.json`.
    package func hint(for name: String) -> String {
        let target = EnvironmentFile.target(ofFileNamed: name)
        return NearestName.hint(targets.contains(target) ? target : NearestName.find(target, in: targets))
    }

    /// True if a file for an environment with this name can be added to the folder.
    func canAdd(_ name: String) -> Bool {
        !name.isEmpty && !name.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "/") }
            && EnvironmentFile.target(ofFileNamed: name) == name
            && !(targets + [Self.base]).contains { $0.lowercased() == name.lowercased() }
    }

    /// A target's committed file or secrets file; nil when the target has no such file.
    ///
    /// - Parameter isCommitted: true for the target's committed file, false for its secrets file.
    /// - Throws: an error when the target has both a property list and a JSON file.
    package func file(for target: String, isCommitted: Bool = true) throws(FileProblem) -> EnvironmentFile? {
        let found = files.filter { $0.isCommitted == isCommitted && $0.target == target }
        guard found.count < 2 else {
            let names = found.map(\.url.lastPathComponent).inOrder
            throw FileProblem(
                path: FilePath.display(found[0].url.deletingLastPathComponent()),
                message: "the environment \"\(target)\" has two files: \(names.joined(separator: " and "))",
                fix: "keep one of them")
        }
        return found.first
    }
}

/// Searches for the secrets files of an environments folder, and describes the search for messages.
struct SecretsSearch: Sendable {
    /// The secrets files that were found, sorted by name.
    private(set) var files: [EnvironmentFile] = []
    /// The paths of the searched folders. If a folder could not be searched, the reason follows the folder's path.
    private(set) var places: [String] = []
    /// The folder in which secrets files should be created: the folder with the found files, or the first folder that
    /// exists. The property is nil if no folder exists except the copy.
    private(set) var home: URL?

    /// Searches folders in order, up to the first that contains secrets files.
    ///
    /// - Parameters:
    ///   - copy: a folder that must not contain secrets, because its files are copies.
    ///   - listed: the files of the only folder, if there is no copy. The caller passes these files so that the folder
    ///     is not listed twice.
    init(_ folders: [URL], copy: URL?, listed: [EnvironmentFile]) {
        var seen: Set<String> = []
        for folder in folders where files.isEmpty {
            let path = folder.standardizedFileURL.path
            guard seen.insert(path).inserted else { continue }
            // A source folder exists only on the machine that built the app, and apps in a sandbox cannot read it. A
            // folder that is missing or unreadable is an error only if a secret is missing. The error for the secret
            // then shows the reason.
            do {
                guard try folder.isExistingFolder() else {
                    places.append("\(path) (no such folder)")
                    continue
                }
                files = try (copy == nil ? listed : EnvironmentFile.files(in: folder)).filter { !$0.isCommitted }
                places.append(path)
                if folder != copy, home == nil || !files.isEmpty { home = folder }
            } catch {
                places.append("\(path) (cannot be read)")
            }
        }
    }

    /// Returns where the missing secrets of an environment are expected.
    ///
    /// - Parameter targets: the environment, followed by the environments whose secrets it inherits.
    func hint(for targets: [String]) -> SecretsHint {
        let names = targets.map { $0 + EnvironmentFile.secretsSuffix }
        let own = files.first { $0.target == targets.first }?.url.lastPathComponent
        let file = home?.appendingPathComponent(own ?? "\(names[0]).json")
        return SecretsHint(
            lookedIn: "\(places.joined(separator: ", ")) for \(names.joined(separator: ", "))",
            file: file?.standardizedFileURL.path)
    }
}

/// Describes for messages where missing secrets are expected.
struct SecretsHint: Sendable {
    /// The folders, and the names of the files that may contain a secret.
    let lookedIn: String
    /// The path of the file that should contain the secret; nil if this machine has no folder for the file.
    let file: String?
}
