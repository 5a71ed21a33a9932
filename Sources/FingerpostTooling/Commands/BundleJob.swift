package import FingerpostFiles
import Foundation

/// What the plugin asks for at every build: the folders checked, copied into the target's resources, and their names in Swift.
package struct BundleJob: Hashable, Sendable {
    /// A folder that the user has, and where its copy goes; nil where the manifest bundles it already.
    struct Folder: Hashable {
        let source: String
        let copy: String?
    }

    private let environments: Folder?
    private let mocks: Folder?
    /// The Swift file to write, nil for targets that do not use the library.
    private let swift: String?
    /// The file that is rewritten at every run, so that the build system always runs the tool.
    private let stamp: String

    /// - Parameter words: what follows the name of the program.
    package init(_ words: some Collection<String>) throws(UsageProblem) {
        let arguments = try ToolArguments(
            words,
            options: ["--environments", "--environments-copy", "--mocks", "--mocks-copy", "--swift", "--stamp"],
            operands: 0)
        guard let stamp = arguments["--stamp"] else { throw UsageProblem("--stamp is missing") }
        self.stamp = stamp
        swift = arguments["--swift"]
        environments = arguments["--environments"].map {
            Folder(source: $0, copy: arguments["--environments-copy"])
        }
        mocks = arguments["--mocks"].map { Folder(source: $0, copy: arguments["--mocks-copy"]) }
    }

    /// Does it. What exists already and has the same content is not touched, so that nothing is built again.
    ///
    /// - Returns: the problems; when there is an error nothing is changed but the stamp.
    package func run() -> [FileProblem] {
        let checked = CheckedFolders(
            environments: environments.map { URL(fileURLWithPath: $0.source) },
            mocks: mocks.map { URL(fileURLWithPath: $0.source) })
        var problems = checked.problems
        do throws(FileProblem) {
            try FileMirror.write(Data(UUID().uuidString.utf8), to: URL(fileURLWithPath: stamp))
            if problems.contains(where: \.isError) { return problems }
            for folder in [environments, mocks].compactMap({ $0 }) {
                guard let copy = folder.copy else { continue }
                try FileMirror.copy(
                    URL(fileURLWithPath: folder.source), to: URL(fileURLWithPath: copy), where: Self.isBundled)
            }
            if let swift {
                try FileMirror.write(Data(checked.generated.text.utf8), to: URL(fileURLWithPath: swift))
            }
        } catch {
            problems.append(error)
        }
        return problems
    }

    /// Secrets do not leave the source folder, and nobody reads what the system hid there.
    static func isBundled(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        let stem = name.split(separator: ".").first ?? ""
        return !MockFileName.isHidden(path) && !stem.hasSuffix(EnvironmentFile.secretsSuffix)
    }
}
