import FingerpostBuilding
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Finds every difference between the environments in a build and the reviewed environments. Two files are equal if
/// they have the same keys and values, because builds change the format and the key order of property lists.
struct SourceComparison {
    private let source: EnvironmentFolder
    private let build: Build
    /// The environments of the source, which determine which keys are secret.
    private let schema: EnvironmentSchema
    private(set) var findings: [FileProblem] = []
    /// The environments that the build lacks and does not need, although the source contains them.
    private(set) var omitted: Set<String> = []

    init(_ source: EnvironmentFolder, _ build: Build) {
        self.source = source
        self.build = build
        schema = EnvironmentSchema(source, parser: BuildParser.self)
    }

    /// Compares an environments folder.
    ///
    /// - Parameter selected: the environment that the build selects in this folder, or nil.
    mutating func compare(_ folder: EnvironmentFolder, selected: String?) {
        let names = Set((folder.files + source.files).filter(\.isCommitted).map(\.target))
        let needed = needed(for: selected)
        for name in names.sorted() {
            do throws(FileProblem) {
                let built = try folder.file(for: name)
                let reviewed = try source.file(for: name)
                switch (built, reviewed) {
                case (let built?, let reviewed?):
                    let documents = (
                        try built.read(parser: BuildParser.self), try reviewed.read(parser: BuildParser.self)
                    )
                    compare(documents.0.root, documents.1.root, "", documents, folder.url)
                case (let built?, nil):
                    report(
                        built.url, folder, "the file is in the build, but not in the source, so nobody reviewed it",
                        fix: "build from a clean folder, or add the file to the source")
                case (nil, let reviewed?) where needed.contains(name):
                    report(
                        folder.url, folder,
                        "\(FilePath.display(reviewed.url)) is not in the build, but \(selected ?? "it") takes values "
                            + "from it", fix: "copy it into the build again")
                case (nil, _): omitted.insert(name)
                }
            } catch {
                // If a file in one of the two folders cannot be read, the comparison is impossible.
                report(error, folder.url)
            }
        }
    }

    /// Returns the selected environment and the environments from which it inherits values.
    private func needed(for selected: String?) -> Set<String> {
        guard let target = schema.targets.first(where: { $0.name == selected }) else { return [EnvironmentFolder.base] }
        let files = target.layers.documents.compactMap { EnvironmentFile(url: URL(fileURLWithPath: $0.path))?.target }
        return Set(files + [EnvironmentFolder.base])
    }

    private mutating func report(_ url: URL, _ folder: EnvironmentFolder, _ message: String, fix: String) {
        report(FileProblem(path: FilePath.display(url), message: message, fix: fix), folder.url)
    }

    private mutating func report(_ problem: FileProblem, _ folder: URL) {
        findings.append(build.files.shown(problem, in: folder).of(.difference))
    }

    // MARK: Values

    private mutating func compare(
        _ new: Node, _ old: Node, _ path: String, _ documents: (built: Document, reviewed: Document), _ folder: URL
    ) {
        func report(_ offset: Int?, _ message: String) {
            self.report(
                documents.built.problem(at: offset, message, fix: "build again from the reviewed source"), folder)
        }
        guard let entries = new.entries, let before = old.entries else {
            if new.isEqual(to: old) { return }
            let shown = shown(new.value, old.value, path)
            let place = ValueSource.file(documents.reviewed, offset: old.offset)
            return report(new.offset, "\"\(path)\" is \(shown.new) in the build, and \(shown.old) in \(place)")
        }
        let known = Dictionary(before.map { (ByteName($0.key), $0) }) { $1 }
        let found = Set(entries.map { ByteName($0.key) })
        for entry in entries {
            let inner = Setting.path(of: entry.key, in: path)
            if let old = known[ByteName(entry.key)] {
                compare(entry.node, old.node, inner, documents, folder)
            } else {
                report(
                    entry.keyOffset ?? entry.node.offset,
                    "\"\(inner)\" is in the build, but not in \(documents.reviewed.path)")
            }
        }
        for entry in before where !found.contains(ByteName(entry.key)) {
            let place = ValueSource.file(documents.reviewed, offset: entry.keyOffset ?? entry.node.offset)
            report(new.offset, "\"\(Setting.path(of: entry.key, in: path))\" of \(place) is not in the build")
        }
    }

    /// Returns both values for a message. A secret value is replaced by its key.
    private func shown(_ new: Node.Value, _ old: Node.Value, _ path: String) -> (new: String, old: String) {
        let owner = schema.targets.first { $0.layers.isSecret(path) } ?? schema.targets.first
        func text(_ value: Node.Value) -> String {
            let text = owner?.layers.shown(value, at: path) ?? value.kind
            if case .string = value { return text.quoted }
            return text
        }
        let texts = (text(new), text(old))
        return texts.0 == texts.1 ? ("another value of the same kind", texts.1) : texts
    }
}

extension Node {
    /// Returns true if both values are the same, even in different file formats.
    fileprivate func isEqual(to other: Node) -> Bool {
        // JSON cannot represent some values of property lists. An environment must not contain such values, so two such
        // values count as different.
        guard let text = try? json(), let otherText = try? other.json() else { return false }
        return text == otherText
    }
}

/// The reviewed folders: `Environments` and `Mocks` of a package or a project.
struct ReviewedSource {
    let environments: EnvironmentFolder
    /// The reviewed mocks. Nil if there is no mocks folder.
    let mocks: MockIndex?
    /// The problems of secrets files that cannot be used. The search for secrets does not find the values in these
    /// files.
    private(set) var findings: [FileProblem] = []

    /// Reads `Environments` in the folder that the options name, or this folder itself. Returns nil if the options name
    /// no folder.
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
        // If the folder could not be listed, the initializer has already thrown an error.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for url in names.sorted().map(folder.appendingPathComponent)
        where BuildVerification.isSecretsFile(url.lastPathComponent) {
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
