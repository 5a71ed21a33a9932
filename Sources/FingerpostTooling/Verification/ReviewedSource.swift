import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// The folders that were reviewed: `Environments` and `Mocks` of a package or a project.
struct ReviewedSource {
    let environments: EnvironmentFolder
    /// nil if there is no such folder.
    let mocks: MockIndex?
    /// The secrets files that cannot be used, so their values are not searched for.
    private(set) var findings: [FileProblem] = []

    /// Reads the folder that contains `Environments`, or this folder itself; nil if the options name none.
    ///
    /// - Throws: an error if there are no environments, or if a folder cannot be read.
    init?(_ options: VerifyOptions) throws(FileProblem) {
        guard let url = options.source.map({ URL(fileURLWithPath: $0) }) else { return nil }
        let inner = url.appendingPathComponent(EnvironmentFolder.name)
        let folder = try inner.isExistingFolder() ? inner : url
        guard try folder.isExistingFolder(), case let files = try EnvironmentFolder(url: folder), !files.targets.isEmpty
        else {
            throw FileProblem(
                path: FilePath.display(url), message: "the source folder does not exist, or contains no environments",
                fix: "pass the folder that contains \(EnvironmentFolder.name) as --source")
        }
        environments = files
        let beside = folder.deletingLastPathComponent().appendingPathComponent(MockIndex.name)
        mocks = try beside.isExistingFolder() ? MockIndex(url: beside) : nil
        // A folder that cannot be listed has ended this with an error above.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for url in names.sorted().map(folder.appendingPathComponent)
        where BuildVerification.isSecretsFile(url.lastPathComponent)
            && EnvironmentFile.formats.contains(url.pathExtension.lowercased())
        {
            do throws(FileProblem) {
                guard let target = EnvironmentFile(url: url)?.target,
                    (files.targets + [EnvironmentFolder.base]).contains(target)
                else {
                    throw FileProblem(
                        path: FilePath.display(url),
                        message: "no environment has this secrets file, so its values are not searched for",
                        fix: "name it as its environment, for example Production-Secrets.json, or remove it")
                }
                _ = try files.file(for: target, isCommitted: false)?.read(parser: BuildParser.self)
            } catch {
                findings.append(error.unreadable(fix: "correct it, so that its values can be searched for"))
            }
        }
    }
}
