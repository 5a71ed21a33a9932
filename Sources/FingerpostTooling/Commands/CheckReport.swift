import FingerpostBuilding
import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
package import Foundation

/// The report that `fingerpost-cli check` prints. The coding keys of this type are the keys of the JSON report that
/// `--json` prints.
package struct CheckReport: Encodable, Sendable {
    /// The names of the environments.
    let targets: [String]
    /// The number of errors.
    package let errors: Int
    /// The number of warnings.
    let warnings: Int
    /// All errors and warnings.
    let problems: [FileProblem]

    private let tables: [String]
    private let lines: [String]

    private enum CodingKeys: String, CodingKey {
        case targets, errors, warnings, problems
    }

    /// Checks the folders `Environments` and `Mocks` in a root folder and in the folders of its targets, and the
    /// generated Swift files below the root folder.
    ///
    /// - Parameter targets: the folders of the targets. If it names none but the root, they are the folders in
    ///   `Sources` and in `Tests`.
    package init(below root: URL, targets folders: [URL] = []) {
        let checked = CheckedFolders.all(below: root, targets: folders)
        var all = checked.found.flatMap { checked in
            checked.problems + (checked.mocks.map(MockSecrets.problems) ?? [])
        }
        let missing = ([root] + folders).filter { !$0.isFolder }
        all += missing.map { Self.missing($0, below: root) }
        all += Self.outdated(below: root, checked.found)
        let parities = checked.found.compactMap(\.parity)
        all += parities.flatMap { EnvironmentURLCheck.problems(of: $0.schema) }
        let mocks = checked.found.compactMap(\.mocks)
        let looked = checked.folders.map(FilePath.display).joined(separator: ", ")
        if parities.isEmpty, mocks.isEmpty, all.isEmpty {
            all.append(
                FileProblem(
                    path: FilePath.display(root),
                    message: "there is no folder \(EnvironmentFolder.name) or \(MockIndex.name) in \(looked)",
                    fix: "pass the folder that contains them with --path"))
        }
        problems = all
        self.targets = parities.flatMap { $0.schema.targets.map(\.name) }
        errors = all.count { $0.isError }
        warnings = all.count - errors
        let isClean = all.isEmpty
        // A folder that was named wrongly, or cannot be read, is the reason for what was not found.
        let isWhole =
            missing.isEmpty && !(parities.isEmpty && mocks.isEmpty) && checked.found.allSatisfy(\.isComplete)
        func none(_ name: String) -> String { "\(name): none; looked for a folder \(name) in \(looked)" }
        tables =
            parities.map { $0.table(isClean: isClean) }
            + (parities.isEmpty && isWhole ? [none(EnvironmentFolder.name)] : [])
            + mocks.map { Self.line(of: $0, isClean: isClean) }
            + (mocks.isEmpty && isWhole ? [none(MockIndex.name)] : [])
        lines = all.map(\.description)
    }

    /// The problem of a folder that an argument names. The name of a target is not yet its folder.
    private static func missing(_ folder: URL, below root: URL) -> FileProblem {
        let known = CheckedFolders.all(below: root, targets: []).folders.dropFirst()
        let near = NearestName.find(folder.lastPathComponent, in: known.map(\.lastPathComponent))
        return FileProblem(
            path: FilePath.display(folder),
            message: "the folder does not exist"
                + NearestName.hint(known.first { $0.lastPathComponent == near }.map(FilePath.display)),
            fix: folder == root ? "correct --path" : "pass the path of a target's folder")
    }

    private static func line(of folder: MockIndex, isClean: Bool) -> String {
        let count = folder.mockNames.count.inWords("mock")
        return "Mocks: \(isClean ? "no problems, " : "")\(count) in \(FilePath.display(folder.url))"
    }

    private static func outdated(below root: URL, _ checked: [CheckedFolders]) -> [FileProblem] {
        // A file that cannot be read has its own error.
        guard checked.allSatisfy(\.isComplete) else { return [] }
        let texts = checked.map { Data($0.generated.text.utf8) }
        return GeneratedSwift.files(below: root).compactMap { file in
            // A generated file that cannot be read is also reported as out of date.
            if let text = try? Data(contentsOf: file), texts.contains(text) { return nil }
            let path = FilePath.display(file)
            return FileProblem(
                path: path, line: 1, column: 1, message: "the generated file is out of date",
                fix: "run `\(ToolProgram.current.generator) generate --output \(path)`")
        }
    }

    /// The report as text: a table that compares the environments, a line for the mocks, and one line per problem.
    package var text: String {
        (tables + (lines.isEmpty || tables.isEmpty ? lines : [""] + lines)).joined(separator: "\n")
    }

    /// The report as JSON.
    package var json: String { reportJSON }
}
