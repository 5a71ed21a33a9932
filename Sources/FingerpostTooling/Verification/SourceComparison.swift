import FingerpostBuilding
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Finds every difference between the files in a build and those that were reviewed. Two files are equal if they have
/// the same keys and values, because builds change the format of property lists and the order of their keys.
struct SourceComparison {
    private let source: ReviewedSource
    private let build: Build
    /// The environments of the source, which know which keys are secret.
    private let schema: EnvironmentSchema
    private(set) var findings: [FileProblem] = []
    /// The environments that the build does not contain and does not need.
    private(set) var omitted: Set<String> = []

    init(_ source: ReviewedSource, _ build: Build) {
        self.source = source
        self.build = build
        schema = EnvironmentSchema(source.environments, desk: BuildDesk.self)
    }

    // MARK: Environments

    /// Compares a folder of environments.
    ///
    /// - Parameter selected: the environment that the build selects there; nil if it selects none.
    mutating func compare(_ folder: EnvironmentFolder, selected: String?) {
        let names = Set((folder.files + source.environments.files).filter(\.isCommitted).map(\.target))
        let needed = needed(for: selected)
        for name in names.sorted() {
            do throws(FileProblem) {
                let built = try folder.file(for: name)
                let reviewed = try source.environments.file(for: name)
                switch (built, reviewed) {
                case (let built?, let reviewed?):
                    compare(try built.read(desk: BuildDesk.self), try reviewed.read(desk: BuildDesk.self), in: folder)
                case (let built?, nil):
                    report(
                        folder.url,
                        FileProblem(
                            path: FilePath.display(built.url),
                            message: "the file is in the build, but not in the source, so nobody reviewed it",
                            fix: "build from a clean folder, or add the file to the source"))
                case (nil, let reviewed?) where needed.contains(name):
                    report(
                        folder.url,
                        FileProblem(
                            path: FilePath.display(folder.url),
                            message: "\(FilePath.display(reviewed.url)) is not in the build, "
                                + "but \(selected ?? "it") takes values from it",
                            fix: "copy it into the build again"))
                case (nil, _): omitted.insert(name)
                }
            } catch {
                // The checks of the environments report a file that cannot be read, in either folder.
                report(folder.url, error)
            }
        }
    }

    /// The environments that another takes values from, and itself.
    private func needed(for selected: String?) -> Set<String> {
        guard let target = schema.targets.first(where: { $0.name == selected }) else { return [EnvironmentFolder.base] }
        let files = target.layers.documents.compactMap { EnvironmentFile(url: URL(fileURLWithPath: $0.path))?.target }
        return Set(files + [EnvironmentFolder.base])
    }

    private mutating func report(_ folder: URL, _ problem: FileProblem) {
        findings.append(build.files.shown(problem, in: folder).of(.difference))
    }

    // MARK: Values

    private mutating func compare(_ built: Document, _ reviewed: Document, in folder: EnvironmentFolder) {
        compare(built.root, reviewed.root, "", (built, reviewed), folder)
    }

    private mutating func compare(
        _ new: Node, _ old: Node, _ path: String, _ documents: (built: Document, reviewed: Document),
        _ folder: EnvironmentFolder
    ) {
        guard let entries = new.entries, let before = old.entries else {
            if new.value.isEqual(to: old.value) { return }
            let shown = shown(new.value, old.value, path)
            let place = ValueSource.file(documents.reviewed, offset: old.offset)
            report(
                folder.url,
                documents.built.problem(
                    at: new.offset, "\"\(path)\" is \(shown.new) in the build, and \(shown.old) in \(place)",
                    fix: "build again from the reviewed source"))
            return
        }
        let known = Dictionary(before.map { (ByteName($0.key), $0) }) { $1 }
        let found = Dictionary(entries.map { (ByteName($0.key), $0) }) { $1 }
        for entry in entries {
            let inner = Setting.path(of: entry.key, in: path)
            if let old = known[ByteName(entry.key)] {
                compare(entry.node, old.node, inner, documents, folder)
            } else {
                report(
                    folder.url,
                    documents.built.problem(
                        at: entry.keyOffset ?? entry.node.offset,
                        "\"\(inner)\" is in the build, but not in \(documents.reviewed.path)",
                        fix: "build again from the reviewed source"))
            }
        }
        for entry in before where found[ByteName(entry.key)] == nil {
            let place = ValueSource.file(documents.reviewed, offset: entry.keyOffset ?? entry.node.offset)
            report(
                folder.url,
                documents.built.problem(
                    at: new.offset, "\"\(Setting.path(of: entry.key, in: path))\" of \(place) is not in the build",
                    fix: "build again from the reviewed source"))
        }
    }

    /// Both values as shown in messages: a secret's value is not.
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

    // MARK: Mocks

    /// Compares a folder of mocks byte for byte.
    mutating func compare(_ folder: MockFolder) {
        let new = Dictionary(folder.allFileNames.map { (ByteName($0), $0) }) { first, _ in first }
        let old = Dictionary((source.mocks?.allFileNames ?? []).map { (ByteName($0), $0) }) { first, _ in first }
        for name in folder.allFileNames {
            do throws(FileProblem) {
                let reviewed = old[ByteName(name)] == nil ? nil : try source.mocks?.contents(of: name)
                if let reviewed, try folder.contents(of: name) == reviewed { continue }
                report(
                    folder.url,
                    FileProblem(
                        path: folder.path(of: name),
                        message: reviewed == nil
                            ? "the mock is in the build, but not in the source"
                            : "the mock has another content than in the source"))
            } catch {
                report(folder.url, error)
            }
        }
        for name in source.mocks?.allFileNames ?? [] where new[ByteName(name)] == nil {
            let path = build.files.relativePath(of: folder.url).map(build.files.path) ?? folder.url.path
            findings.append(
                FileProblem(.difference, path, "the mock \(name) of the source is not in the build"))
        }
    }
}

extension Node.Value {
    /// True for the same value, whatever the file's format.
    fileprivate func isEqual(to other: Node.Value) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.boolean(let a), .boolean(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a == b
        case (.string(let a), .string(let b)): a.isSame(as: b)
        case (.date(let a), .date(let b)): a == b
        case (.data(let a), .data(let b)): a == b
        case (.array(let a), .array(let b)):
            a.count == b.count && zip(a, b).allSatisfy { $0.value.isEqual(to: $1.value) }
        case (.dictionary(let a), .dictionary(let b)):
            a.count == b.count && Self.areEqual(a, b)
        default: false
        }
    }

    private static func areEqual(_ a: [Node.Entry], _ b: [Node.Entry]) -> Bool {
        let known = Dictionary(b.map { (ByteName($0.key), $0.node.value) }) { first, _ in first }
        return a.allSatisfy { entry in known[ByteName(entry.key)]?.isEqual(to: entry.node.value) ?? false }
    }
}
