import FingerpostChecks
package import FingerpostFiles
package import FingerpostMockFiles
package import Foundation

/// The folders `Environments` and `Mocks` in a package or target, and all problems found in these folders.
package struct CheckedFolders: Sendable {
    /// The comparison of the environments; nil if the environments folder does not exist or cannot be read.
    package let parity: EnvironmentParity?
    /// The names of the files in the environments folder that apps may contain: the committed environment files that
    /// the library reads, and nothing else. Secrets files, copies and notes must not leave the source folder.
    let bundledEnvironments: Set<String>
    /// The mocks; nil if the mocks folder does not exist or cannot be read.
    package let mocks: MockFolder?
    /// The Swift code generated from both folders.
    package let generated: GeneratedSwift
    /// False if a folder or a file could not be read, so that ``generated`` may lack names.
    package let isComplete: Bool
    /// All errors and warnings found in the folders.
    package let problems: [FileProblem]

    /// Reads and checks an environments folder and a mocks folder.
    ///
    /// - Parameters:
    ///   - environments: the environments folder. The folder is skipped if the argument is nil or the folder does not
    ///     exist. A link that leads to no folder is an error, as it is for apps.
    ///   - mocks: the mocks folder, which is treated in the same way.
    init(environments: URL?, mocks: URL?) {
        var problems: [FileProblem] = []
        func open<Folder>(_ url: URL?, _ make: (URL) throws(FileProblem) -> Folder) -> Folder? {
            do throws(FileProblem) {
                // A file of this name is opened too, which reports that it cannot be read as a folder.
                guard let url, try url.isExistingFolder() || FileManager.default.fileExists(atPath: url.path) else {
                    return nil
                }
                return try make(url)
            } catch {
                problems.append(error)
                return nil
            }
        }
        let folder = open(environments) { url throws(FileProblem) in try EnvironmentFolder(url: url) }
        self.mocks = open(mocks) { url throws(FileProblem) in try MockFolder(url: url) }
        bundledEnvironments = Set(folder?.files.filter(\.isCommitted).map(\.url.lastPathComponent) ?? [])
        parity = folder.map { EnvironmentParity(EnvironmentSchema($0)) }
        isComplete = problems.isEmpty && parity?.schema.isComplete != false
        generated = GeneratedSwift(environments: parity?.schema, mocks: self.mocks)
        problems += folder.map(EnvironmentFolderCheck.problems) ?? []
        problems += parity?.problems ?? []
        problems += parity.map { TestingSealCheck.problems(of: $0.schema) } ?? []
        problems += self.mocks.map { MockFolderCheck.problems(of: $0) } ?? []
        problems += generated.problems
        self.problems = problems
    }

    /// Reads and checks the folders `Environments` and `Mocks` in a package or target folder.
    package init(below root: URL) {
        self.init(
            environments: root.appendingPathComponent(EnvironmentFolder.name),
            mocks: root.appendingPathComponent(MockFolder.name))
    }

    /// Reads and checks the folders `Environments` and `Mocks` in a package or project and in its targets.
    ///
    /// - Parameter targets: the folders of the targets. If it is empty, they are the folders in `Sources` and in
    ///   `Tests`.
    /// - Returns: what was found, the root first, and all folders that were looked at.
    package static func all(below root: URL, targets: [URL]) -> (found: [CheckedFolders], folders: [URL]) {
        var seen: Set<String> = [root.standardizedFileURL.path]
        let targets = (targets.isEmpty ? ["Sources", "Tests"].flatMap { folders(in: root, $0) } : targets).filter {
            $0.isFolder && seen.insert($0.standardizedFileURL.path).inserted
        }
        let found = targets.compactMap { target -> CheckedFolders? in
            let places = [EnvironmentFolder.name, MockFolder.name].map { name -> URL? in
                let folder = target.appendingPathComponent(name)
                return hasSources(folder) ? nil : folder
            }
            let checked = CheckedFolders(environments: places[0], mocks: places[1])
            return checked.parity == nil && checked.mocks == nil && checked.problems.isEmpty ? nil : checked
        }
        return ([CheckedFolders(below: root)] + found, [root] + targets)
    }

    private static func folders(in root: URL, _ name: String) -> [URL] {
        // A package may lack either folder.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(name).path)) ?? []
        return names.sorted().filter { $0.utf8.first != UInt8(ascii: ".") }.map {
            root.appendingPathComponent(name).appendingPathComponent($0)
        }
    }

    /// True for a folder of code that only has the same name, which the plugin ignores too.
    private static func hasSources(_ folder: URL) -> Bool {
        guard let names = FileManager.default.enumerator(atPath: folder.path) else { return false }
        return names.contains { name in
            ["swift", "m", "mm", "h", "c", "cpp"].contains { (name as? String)?.ends(with: "." + $0) == true }
        }
    }
}
