import Foundation

/// The search for the secrets files of an environments folder, and what messages say about it.
struct SecretsSearch: Sendable {
    /// The secrets files that were found, sorted by name.
    private(set) var files: [EnvironmentFile] = []
    /// The paths of the folders that were searched, each with the reason if it could not be searched.
    private(set) var places: [String] = []
    /// The folder for more secrets files: the folder with the files that were found, or the first folder that exists.
    /// nil if there is no such folder other than the copy.
    private(set) var home: URL?

    /// Searches folders in order, up to the first that contains secrets files.
    ///
    /// - Parameter copy: a folder in which nobody should put secrets, because its files are copies.
    init(_ folders: [URL], copy: URL?) {
        var seen: Set<String> = []
        for folder in folders where files.isEmpty {
            let path = folder.standardizedFileURL.path
            guard seen.insert(path).inserted else { continue }
            // A source folder exists only on the machine that built the app, and apps in a sandbox cannot read it. Both
            // matter only if a secret is missing. The error for the missing secret then shows the reason.
            do {
                guard try folder.isExistingFolder() else {
                    places.append("\(path) (no such folder)")
                    continue
                }
                files = try EnvironmentFile.files(in: folder).filter { !$0.isCommitted }
            } catch {
                places.append("\(path) (cannot be read)")
                continue
            }
            places.append(path)
            if folder != copy, home == nil || !files.isEmpty { home = folder }
        }
    }

    /// What messages say about the missing secrets of an environment.
    ///
    /// - Parameter targets: the environment, followed by those whose secrets it inherits.
    func hint(for targets: [String]) -> Hint {
        let names = targets.map { $0 + EnvironmentFile.secretsSuffix }
        let own = files.first { $0.target == targets.first }?.url.lastPathComponent
        let file = home?.appendingPathComponent(own ?? "\(names[0]).json")
        return Hint(
            lookedIn: "\(places.joined(separator: ", ")) for \(names.joined(separator: ", "))",
            file: file?.standardizedFileURL.path)
    }

    struct Hint: Sendable {
        /// The folders and the names of the files that may contain a secret.
        let lookedIn: String
        /// The path of the file that a secret belongs in; nil if no folder for it exists on this machine.
        let file: String?
    }
}
