package import FingerpostBuilding
import FingerpostFiles
import FingerpostMockFiles
package import Foundation

extension CheckedFolders {
    /// Reads and checks the folders `Environments` and `Mocks` in a package or target folder.
    package init(below root: URL) {
        self.init(
            environments: root.appendingPathComponent(EnvironmentFolder.name),
            mocks: root.appendingPathComponent(MockIndex.name))
    }

    /// Reads and checks the folders `Environments` and `Mocks` in a package or project and in its targets.
    ///
    /// - Parameter targets: the folders of the targets. If it names none but the root, they are the folders in
    ///   `Sources` and in `Tests`.
    /// - Returns: what was found, the root first, and all folders that were looked at.
    static func all(below root: URL, targets: [URL]) -> (found: [CheckedFolders], folders: [URL]) {
        var seen: Set<String> = [root.standardizedFileURL.path]
        let named = targets.filter { !seen.contains($0.standardizedFileURL.path) }
        let targets = (named.isEmpty ? ["Sources", "Tests"].flatMap { folders(in: root, $0) } : named).filter {
            $0.isFolder && seen.insert($0.standardizedFileURL.path).inserted
        }
        let found = targets.compactMap { target -> CheckedFolders? in
            let places = [EnvironmentFolder.name, MockIndex.name].map { name -> URL? in
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
