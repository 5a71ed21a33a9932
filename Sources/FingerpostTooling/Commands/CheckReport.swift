import FingerpostBuilding
import FingerpostChecks
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// The report that `fingerpost-cli check` prints. The coding keys of this type are the keys of the JSON report that
/// `--json` prints.
struct CheckReport: Encodable, Sendable {
    let targets: [String]
    let errors: Int
    let warnings: Int
    /// All errors and warnings.
    let problems: [FileProblem]

    /// The first lines of the report. Each line describes one folder.
    private let folders: [String]
    private let lines: [String]

    private enum CodingKeys: String, CodingKey {
        case targets, errors, warnings, problems
    }

    /// Checks the folders `Environments` and `Mocks` in a root folder and in the folders of its targets, and the
    /// generated Swift files below the root folder.
    ///
    /// - Parameter targets: the folders of the targets. If the list contains no folder other than the root, the folders
    ///   in `Sources` and in `Tests` are checked.
    init(below root: URL, targets folders: [URL] = []) {
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
        // False if a folder is missing or cannot be read. The report then already contains an error, so the line that
        // nothing was found is left out.
        let isWhole =
            missing.isEmpty && !(parities.isEmpty && mocks.isEmpty) && checked.found.allSatisfy(\.isComplete)
        func none(_ name: String) -> String { "\(name): none; looked for a folder \(name) in \(looked)" }
        self.folders =
            parities.map { $0.line(isClean: isClean) }
            + (parities.isEmpty && isWhole ? [none(EnvironmentFolder.name)] : [])
            + mocks.map { Self.line(of: $0, isClean: isClean) }
            + (mocks.isEmpty && isWhole ? [none(MockIndex.name)] : [])
        lines = all.map(\.description)
    }

    /// Returns the problem of a missing folder that an argument names. The argument may be the name of a target instead
    /// of a folder.
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
        // If files could not be read, the report contains their errors, and the generated text would be incomplete.
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

    /// The report as text: one line for each folder, then one line for each problem.
    var text: String {
        (folders + (lines.isEmpty || folders.isEmpty ? lines : [""] + lines)).joined(separator: "\n")
    }

    var json: String { reportJSON }
}

/// A problem in the JSON report of a command. The coding keys are the keys of the report. Nil values are left out.
extension FileProblem: Encodable {
    private enum CodingKeys: String, CodingKey {
        case severity, kind, key
        case path = "file"
        case line, column, message, fix
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(severity.rawValue, forKey: .severity)
        try container.encodeIfPresent(kind?.rawValue, forKey: .kind)
        try container.encodeIfPresent(key, forKey: .key)
        try container.encodeIfPresent(path, forKey: .path)
        try container.encodeIfPresent(line, forKey: .line)
        try container.encodeIfPresent(column, forKey: .column)
        try container.encode(message, forKey: .message)
        try container.encodeIfPresent(fix, forKey: .fix)
    }
}

extension Encodable {
    /// The JSON text of a report. The encoding cannot fail, because a report contains only text and numbers.
    var reportJSON: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

extension CheckedFolders {
    /// Reads and checks the folders `Environments` and `Mocks` in a package or target folder.
    init(below root: URL) {
        self.init(
            environments: root.appendingPathComponent(EnvironmentFolder.name),
            mocks: root.appendingPathComponent(MockIndex.name))
    }

    /// Reads and checks the folders `Environments` and `Mocks` in a package or project and in its targets.
    ///
    /// - Parameter targets: the folders of the targets. If the list contains no folder other than the root, the folders
    ///   in `Sources` and in `Tests` are read.
    /// - Returns: the found folders, starting with those of the root, and all searched folders.
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

    /// Returns true if a folder contains source code. Such a folder is called `Environments` or `Mocks` by chance. The
    /// plugin ignores such a folder too.
    private static func hasSources(_ folder: URL) -> Bool {
        guard let names = FileManager.default.enumerator(atPath: folder.path) else { return false }
        return names.contains { name in
            ["swift", "m", "mm", "h", "c", "cpp"].contains { (name as? String)?.hasSuffix("." + $0) == true }
        }
    }
}

/// The generated file, which a project commits if it does not use the plugin.
extension GeneratedSwift {
    /// The beginning of every generated file. A file that begins with this text is recognized as generated.
    static let marker = "// Made by fingerpost from Environments and Mocks."

    /// The content of the file that `fingerpost-cli generate` writes.
    var text: String { content(startingWith: Self.marker) }

    /// All generated files below a folder, sorted by path. Hidden folders are skipped.
    static func files(below folder: URL) -> [URL] {
        guard let names = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        var files: [URL] = []
        while let name = names.nextObject() as? String {
            let last = name.split(separator: "/").last ?? ""
            if last.hasPrefix(".") {
                names.skipDescendants()
            } else if last.hasSuffix(".swift"), isGenerated(folder.appendingPathComponent(name)) {
                files.append(folder.appendingPathComponent(name))
            }
        }
        return files.sorted { $0.path < $1.path }
    }

    private static func isGenerated(_ file: URL) -> Bool {
        // Skip a file that cannot be read, because the compiler will report it.
        let start = try? FileHandle(forReadingFrom: file).read(upToCount: marker.utf8.count)
        return start == Data(marker.utf8)
    }
}

/// Finds environments without a base URL, and texts that should be URLs. Only `fingerpost-cli check` reports these
/// problems, because an app may set its base URL in code, and a text may be a template.
enum EnvironmentURLCheck {
    static func problems(of schema: EnvironmentSchema) -> [FileProblem] {
        let environments = schema.targets.map(\.layers).filter(\.isComparable)
        /// The first environment for each key whose value is a URL or a list of URLs.
        var owners: [String: String] = [:]
        for layers in environments {
            layers.root.forEachLeaf { path, setting in
                guard [.url, .list(.url)].contains(KeyType(setting.value)), case let path = path(),
                    !BaseURLKey.isNamed(path)
                else { return }
                owners[path] = owners[path] ?? layers.name
            }
        }
        return environments.flatMap { layers in
            var problems: [FileProblem] = []
            var hasURL = false
            layers.root.forEachLeaf { path, setting in
                let path = path()
                hasURL = hasURL || BaseURLKey.isNamed(path) || setting.node.string.map(\.startsAsWebAddress) == true
                // Skip invalid base URLs, and texts that are invalid for every key, because the readers of the files
                // report them.
                guard !BaseURLKey.isNamed(path), let problem = problem(of: setting, at: path, owners[path]),
                    !environments.contains(where: { $0.isSecret(path) }),
                    strictParser.problem(of: setting.value, placeholder: { nil }) == nil
                else { return }
                problems.append(problem)
            }
            if layers.rules.optional.contains(BaseURLKey.standard) { return problems }
            if let other = BaseURLKey.other(in: layers.root) {
                problems.append(
                    (layers[other]?.source ?? layers.root.source).problem(
                        "the environment \"\(layers.name)\" has no \"\(BaseURLKey.standard)\"; its URL is under "
                            + "\"\(other)\"",
                        fix: "rename the key, set the configuration's baseURLKey to \"\(other)\", or list "
                            + "\"\(BaseURLKey.standard)\" in \"$optional\" if the code sets it"
                    ).with(.warning))
            } else if !hasURL {
                problems.append(
                    layers.root.source.problem(
                        "the environment \"\(layers.name)\" has no base URL",
                        fix: "add \"\(BaseURLKey.standard)\", or list it in \"$optional\" if the code sets it"
                    ).with(.warning))
            }
            return problems
        }.inOrder
    }

    /// - Parameter owner: an environment in which the key is a URL.
    private static func problem(of setting: Setting, at path: String, _ owner: String?) -> FileProblem? {
        let elements = setting.node.elements
        let texts = (elements ?? [setting.node]).compactMap(\.string)
        guard
            let text = texts.first(where: {
                URLText.url($0) == nil && (owner != nil || $0.startsAsWebAddress && !isTemplate($0))
            })
        else { return nil }
        let problem = strictParser.problem(ofURL: text, placeholder: nil)
        let place = owner.map { "; \(elements == nil ? "it is a URL" : "its elements are URLs") in \($0)" } ?? ""
        return setting.source.problem("\"\(path)\" \(problem.message)\(place)", fix: problem.fix)
            .with(owner == nil ? .warning : .error)
    }

    private static func isTemplate(_ text: String) -> Bool {
        text.contains("{") || text.contains("<") || text.contains("%@") || text.contains("%d")
    }
}

extension EnvironmentParity {
    /// Returns the report's line about the environments.
    ///
    /// - Parameter isClean: false if the report lists other problems, so that the line must not say "no problems".
    func line(isClean: Bool = true) -> String {
        let targets = schema.targets.count.inWords("environment")
        guard problems.isEmpty else { return "Environments: \(problems.count.inWords("problem")) in \(targets)" }
        return "Environments: \(isClean ? "no problems, " : "")\(schema.keyCount.inWords("key")) in \(targets)"
    }
}
