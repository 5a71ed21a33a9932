package import FingerpostFiles
package import Foundation

/// The folders `Environments` and `Mocks` of a package or a target, and everything that is wrong with them.
package struct CheckedFolders: Sendable {
    package let parity: EnvironmentParity?
    package let mocks: MockFolder?
    /// The Swift that belongs to them.
    package let generated: GeneratedSwift
    /// Each thing once, errors and warnings.
    package let problems: [FileProblem]

    /// - Parameters:
    ///   - environments: nil, or a folder that does not exist, where there is none.
    ///   - mocks: the same for mocks.
    package init(environments: URL?, mocks: URL?) {
        var problems: [FileProblem] = []
        func open<Folder>(_ url: URL?, _ make: (URL) throws(FileProblem) -> Folder) -> Folder? {
            guard let url, FileManager.default.fileExists(atPath: url.path) else { return nil }
            do throws(FileProblem) { return try make(url) } catch {
                problems.append(error)
                return nil
            }
        }
        let folder = open(environments) { url throws(FileProblem) in try EnvironmentFolder(url: url) }
        self.mocks = open(mocks) { url throws(FileProblem) in try MockFolder(url: url) }
        parity = folder.map { EnvironmentParity(EnvironmentSchema($0)) }
        generated = GeneratedSwift(environments: parity?.schema, mocks: self.mocks)
        problems += folder.map(EnvironmentFolderCheck.problems) ?? []
        problems += parity?.problems ?? []
        problems += self.mocks.map { MockFolderCheck.problems(of: $0) } ?? []
        problems += generated.problems
        self.problems = problems
    }

    /// The folders of these names below another.
    package init(below root: URL) {
        self.init(
            environments: root.appendingPathComponent(EnvironmentFolder.name),
            mocks: root.appendingPathComponent(MockFolder.name))
    }
}
