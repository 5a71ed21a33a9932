import FingerpostChecks
import FingerpostDocuments
package import FingerpostFiles
import Foundation

/// Checks the file names and links in an environments folder. Reports files that are ignored because of their names,
/// and environments whose names differ only in letter case. Also reports links to files that are not environment files
/// of the folder.
struct EnvironmentFolderCheck {
    private let folder: EnvironmentFolder
    private var problems: [FileProblem] = []

    fileprivate static func problems(of folder: EnvironmentFolder) -> [FileProblem] {
        var check = EnvironmentFolderCheck(folder: folder)
        check.checkNames()
        check.checkSecretsFiles()
        check.checkLinks()
        check.checkEnvironments()
        return check.problems
    }

    private mutating func report(_ severity: FileProblem.Severity, _ name: String?, _ message: String, fix: String) {
        let url = name.map(folder.url.appendingPathComponent) ?? folder.url
        problems.append(FileProblem(path: FilePath.display(url), message: message, fix: fix).with(severity))
    }

    private mutating func checkNames() {
        // If the folder cannot be listed, `EnvironmentFolder` has already reported the problem when it was created.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []
        let read = Set(folder.files.map(\.url.lastPathComponent))
        for name in names.sorted() where !read.contains(name) && !name.hasPrefix(".") {
            let file = folder.url.appendingPathComponent(name)
            checkPlace(of: file, called: name)
            guard EnvironmentFile.formats.contains(file.pathExtension.lowercased()) else { continue }
            // If the file cannot be read, only its name is reported now. After the file is renamed, its contents are
            // checked.
            if let file = try? EnvironmentFile(anyName: file), reportConfigurations(in: file) { continue }
            let stem = file.deletingPathExtension().lastPathComponent
            var (target, suffix) = (stem[...], EnvironmentFile.suffix)
            for right in [EnvironmentFile.suffix, EnvironmentFile.secretsSuffix] {
                let end = right.dropFirst().lowercased()
                guard stem.lowercased().hasSuffix(end) else { continue }
                (target, suffix) = (stem.dropLast(end.count), right)
                while target.last.map("-_. ".contains) == true { target.removeLast() }
            }
            if target.isEmpty { target = stem[...] }
            // An ignored environment file is an error. An ignored secrets file is only a warning, because a secrets
            // file may be missing.
            let isEnvironment =
                suffix == EnvironmentFile.suffix && (target.endIndex < stem.endIndex || Self.isEnvironment(file))
            report(
                isEnvironment ? .error : .warning, name,
                "the file is ignored: its name is not that of an environment file",
                fix: "rename it to \(target)\(suffix).\(file.pathExtension.lowercased())"
                    + (isEnvironment ? ", or move it to another folder" : ""))
        }
    }

    /// Reports environment files in an inner folder, and environment files in a format that the library does not read.
    private mutating func checkPlace(of file: URL, called name: String) {
        func isNamed(_ name: String) -> Bool {
            let stem = (name as NSString).deletingPathExtension
            return [EnvironmentFile.suffix, EnvironmentFile.secretsSuffix].contains(where: stem.hasSuffix)
        }
        if file.isFolder {
            // If an inner folder cannot be listed, an app cannot read it either.
            let inner = (try? FileManager.default.contentsOfDirectory(atPath: file.path)) ?? []
            for inner in inner.sorted() where isNamed(inner) {
                report(
                    .warning, "\(name)/\(inner)", "the file is ignored: it is in a folder of \(EnvironmentFolder.name)",
                    fix: "move it into \(EnvironmentFolder.name) itself")
            }
        } else if isNamed(name), ["yaml", "yml", "jsonc", "json5", "toml"].contains(file.pathExtension.lowercased()) {
            report(
                .warning, name, "the file is ignored: environments are JSON files or property lists",
                fix: "write it as \((name as NSString).deletingPathExtension).json")
        }
    }

    /// Returns true if a file contains a key that is typical of environments.
    private static func isEnvironment(_ url: URL) -> Bool {
        let file = try? EnvironmentFile(anyName: url)
        let entries = (try? file?.read(parser: strictParser))?.root.entries ?? []
        return entries.contains { ["baseurl", "description"].contains($0.key.lowercased()) }
    }

    /// Reports a file with one dictionary per build configuration. Other libraries read such files.
    private mutating func reportConfigurations(in file: EnvironmentFile) -> Bool {
        guard let entries = (try? file.read(parser: strictParser))?.root.entries else { return false }
        let dictionaries = entries.filter { $0.node.entries != nil && !$0.key.hasPrefix("$") }
        let configurations = dictionaries.filter { Self.isConfiguration($0.key) }
        guard configurations.count > 1, configurations.count == dictionaries.count else { return false }
        let name = file.url.lastPathComponent
        let names = configurations.map(\.key)
        let files = names.map { "\($0)\(EnvironmentFile.suffix).\(file.url.pathExtension)" }
        let url = configurations[0].node.entries?.first { $0.node.string.flatMap(URLText.url) != nil }
        report(
            .warning, name,
            "its values are dictionaries named \(names.joined(separator: ", ")): one file for all configurations",
            fix: "make one file of each: \(files.joined(separator: ", "))"
                + (url.map { "; to read it as it is, set baseURLKey = \"\(names[0]).\($0.key)\"" } ?? ""))
        return true
    }

    /// Returns true if a name is common for a build configuration or a server, such as `Debug` and `Release-QA`.
    private static func isConfiguration(_ name: String) -> Bool {
        let usual: Set<Substring> = [
            "debug", "release", "dev", "develop", "development", "stage", "staging", "prod", "production", "test",
            "testing", "beta", "alpha", "qa", "uat", "local", "live", "sandbox", "adhoc", "appstore", "integration",
        ]
        let words = name.lowercased().split { !$0.isLetter }
        return words.contains(where: usual.contains)
            || words.contains { $0.contains("debug") || $0.contains("release") }
    }

    private mutating func checkSecretsFiles() {
        let targets = Set(folder.targets + [EnvironmentFolder.base])
        let hints = NameHints()
        for file in folder.files where !file.isCommitted && !targets.contains(file.target) {
            report(
                .warning, file.url.lastPathComponent,
                "the file is ignored: there is no environment \"\(file.target)\""
                    + hints.hint(file.target, in: targets),
                fix: "rename it, or add \(file.target)\(EnvironmentFile.suffix).json")
        }
    }

    private mutating func checkLinks() {
        let root = folder.url.resolvingSymlinksInPath().path
        for file in folder.files where file.isCommitted {
            let target = file.url.resolvingSymlinksInPath()
            let isInside = target.deletingLastPathComponent().path == root
            guard !isInside || EnvironmentFile(url: target)?.isCommitted != true else { continue }
            report(
                .error, file.url.lastPathComponent,
                "this link leads to a file that is not a committed environment file here",
                fix: "replace it with the file")
        }
    }

    private mutating func checkEnvironments() {
        for file in folder.files where file.isCommitted { _ = reportConfigurations(in: file) }
        var folded: [String: String] = [:]
        for target in folder.targets {
            guard let other = folded.updateValue(target, forKey: target.lowercased()) else { continue }
            report(
                .error, nil, "the environments \"\(other)\" and \"\(target)\" differ only in letter case",
                fix: "rename one of them")
        }
        if folder.targets.isEmpty {
            report(
                .warning, nil, "the folder contains no environments", fix: "add <Name>-Env.plist or <Name>-Env.json")
        }
    }
}

/// Warns about credentials with a known format in committed environment files, because everybody can read these files.
/// Values of keys in `$secrets` are already errors.
enum CommittedSecretCheck {
    static func problems(of schema: EnvironmentSchema) -> [FileProblem] {
        // Several environments contain the same file, and `inOrder` removes equal problems.
        schema.targets.flatMap { target in
            target.layers.committedDocuments.flatMap { problems(in: $0, target.layers.rules.secrets) }
        }.inOrder
    }

    private static func problems(in document: Document, _ secrets: Set<String>) -> [FileProblem] {
        var problems: [FileProblem] = []
        func report(_ text: String, _ offset: Int?, as name: String) -> Bool {
            guard let kind = Array(text.utf8).shapedSecrets.first?.kind else { return false }
            problems.append(
                document.problem(
                    at: offset, "\(name) looks like \(kind)",
                    fix: "list it in \"$secrets\", and put the value in a secrets file"
                ).with(.warning))
            return true
        }
        document.root.visit("") { node, entry, parent -> String? in
            let path = entry.map { Setting.path(of: $0.key, in: parent) } ?? parent
            // A message must not show a key that is itself a credential.
            if let entry, secrets.covers(path) || report(entry.key, entry.keyOffset, as: "a key") { return nil }
            if let text = node.string { _ = report(text, node.offset, as: "\"\(path)\"") }
            return path
        }
        return problems
    }
}

extension EnvironmentFolder {
    /// The problems with file names and links.
    package var nameProblems: [FileProblem] { EnvironmentFolderCheck.problems(of: self) }
}

extension EnvironmentSchema {
    /// Warnings about environments with the description of another environment. The file was probably copied, and the
    /// description was not changed.
    var descriptionProblems: [FileProblem] {
        let testing = LayeredEnvironment.sealedDescription
        var (first, problems) = ([String: String](), [FileProblem]())
        for target in targets where target.isComparable {
            let (name, text) = (target.name, target.layers.description)
            guard let source = target.layers[LayeredEnvironment.descriptionKey]?.source else { continue }
            let file = EnvironmentFile.target(ofFileNamed: (source.document.path as NSString).lastPathComponent)
            func warn(_ message: String, fix: String) {
                problems.append(source.problem(message, fix: fix).with(.warning))
            }
            if file != name {
                guard text == testing, target.layers.isSealed else { continue }
                warn(
                    "the description \"\(testing)\" seals each environment that inherits it, such as \"\(name)\"",
                    fix: "write a description into each environment's own file")
            } else if text != name, targets.contains(where: { $0.name == text }) || text == testing && name.isOfServer {
                warn(
                    "the environment \"\(name)\" has the description \"\(text)\""
                        + (target.layers.isSealed ? ", so mocks answer all its calls" : ", as another environment"),
                    fix: "write \"\(name)\"")
            } else if text != testing, let other = first.updateValue(name, forKey: text) {
                warn(
                    "the environments \"\(other)\" and \"\(name)\" have the same description \"\(text)\"",
                    fix: "give each its own, because menus and logs show it")
            }
        }
        return problems.inOrder
    }

    /// Warnings about testing environments that are not sealed. People expect that an environment called `Testing`
    /// sends nothing, but only the environment's own file can seal the environment.
    package var sealProblems: [FileProblem] {
        let testing = LayeredEnvironment.sealedDescription
        return targets.filter { target in
            target.isComparable && !target.layers.isSealed && (target.layers.isTesting || target.name == testing)
        }.compactMap { target in
            let layers = target.layers
            let setting = layers.isTesting ? layers["$network"] : layers["description"]
            return setting?.source.problem(
                "the environment \"\(target.name)\" is not sealed, so its calls can reach servers",
                fix: "set \"$network\" to \"sealed\", or give these calls an environment with another name"
            ).with(.warning)
        }
    }
}

extension String {
    /// True if the name is common for environments that have servers.
    fileprivate var isOfServer: Bool {
        let words = lowercased().split { !$0.isLetter }
        return words.contains { ["prod", "production", "live", "release", "stage", "staging", "beta"].contains($0) }
    }
}
