import FingerpostBuilding
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import FingerpostShared
import Foundation

/// Verifies what was built, from its files alone: which environments it selects, which servers it calls, and what it
/// contains that users must not get.
struct BuildVerification: Sendable {
    struct Options {
        /// The environment that is expected; nil for any that is for users.
        var environment: String?
        /// What was reviewed; nil to compare nothing.
        var source: ReviewedSource?
        /// True for a demo, which answers from mocks.
        var allowsMocks: Bool
        var allowsSwitching = false
        /// The variables of this process, which contain the values of secrets.
        var variables: [String: String]
    }

    /// What one part of a build selects, for the report.
    struct Part: Encodable, Sendable {
        struct Server: Encodable, Sendable {
            let key: String
            let url: String
            /// Where the value comes from: a file and line.
            let from: String
        }

        let path: String
        let kind: String
        let environment: String
        let rule: String
        let network: String
        /// The files that the values come from, lowest layer first.
        let files: [String]
        let servers: [Server]
    }

    private(set) var parts: [Part] = []
    private(set) var findings: [FileProblem] = []
    /// What the report does not cover, and why.
    private(set) var notes: [String] = []
    private(set) var fileCount = 0
    private(set) var byteCount: Int64 = 0
    private var omitted: Set<String> = []

    /// - Throws: an error if nothing that was built is at the URL.
    init(_ url: URL, _ options: Options) throws(FileProblem) {
        let builds = try Builds(at: url).builds
        var secrets = KnownSecrets()
        if let source = options.source { secrets.add(source.environments, options.variables) }
        var hasEnvironments = false
        for build in builds {
            let folders = verify(build, options)
            hasEnvironments = hasEnvironments || !folders.isEmpty
            for folder in folders { secrets.add(folder, options.variables) }
        }
        // A folder can contain programs that do not use the library, and no app reads environments from its packs.
        for build in builds where !hasEnvironments {
            if let part = build.parts.first, part.kind != .assets { reportNoEnvironments(part) }
        }
        let search = ByteSearch(secrets, sourcePaths: options.source?.paths ?? [])
        for build in builds {
            let files = build.files.files.filter { $0.kind == .file }
            fileCount += files.count
            byteCount += files.reduce(0) { $0 + $1.size }
            let known = Set(findings.map { Self.place($0, hasLine: $0.kind != .secretsFile) })
            findings += search.findings(in: build).filter { finding in
                // A secret in a committed file, and a secrets file, have been reported with better words.
                finding.line == nil
                    || !known.contains(Self.place(finding, hasLine: true))
                        && !known.contains(Self.place(finding, hasLine: false))
            }
        }
        findings += Self.changes(of: builds, at: url)
        findings = findings.inOrder
        addNotes(secrets, options)
    }

    private static func place(_ finding: FileProblem, hasLine: Bool) -> String {
        "\(hasLine ? finding.line ?? 0 : -1) \(finding.path ?? "")"
    }

    /// Reports that the files have changed since they were listed, so that some were not read as they are now.
    static func changes(of builds: [Build], at url: URL) -> [FileProblem] {
        let new: [Build]
        do throws(FileProblem) { new = try Builds(at: url).builds } catch {
            return [error.of(.unreadable)]
        }
        let changed = Set(builds.flatMap(\.files.versions)).symmetricDifference(new.flatMap(\.files.versions))
        // A folder has changed too when a file in it was added or removed. The file, which comes later, tells more.
        guard let path = changed.map(\.path).max(by: { $0.precedes($1) }) else { return [] }
        return [
            FileProblem(
                .unreadable, path, "this changed while the build was verified",
                fix: "verify again when nothing writes to the build")
        ]
    }

    // MARK: One build

    /// Verifies all of a build but its bytes.
    ///
    /// - Returns: the folders of environments in it.
    private mutating func verify(_ build: Build, _ options: Options) -> [EnvironmentFolder] {
        findings += build.findings
        var search = EnvironmentSearch(expected: options.environment)
        var selected: [SelectedEnvironment] = []
        for part in build.parts where part.kind.isProcess || part.url == build.files.root {
            if let environment = search.selected(by: part, in: build) { selected.append(environment) }
        }
        findings += search.findings
        notes += search.notes
        let folders = folders(in: build, selected)
        let reviewed =
            options.source.map { EnvironmentSchema($0.environments, desk: BuildDesk.self).targets.map(\.layers) } ?? []
        for environment in selected {
            parts.append(Part(environment, build))
            findings += SelectedEnvironmentCheck(environment, in: build, options).findings
            findings += ServerComparison.findings(
                environment, in: build,
                others: EnvironmentSchema(environment.folder, desk: BuildDesk.self).targets.map(\.layers) + reviewed,
                reviewed: reviewed.first { $0.name == environment.name })
        }
        findings += ServerComparison.disagreements(selected + unread(folders, selected, in: build))
        for folder in folders { check(folder, build) }
        let mocks = MockContents(build, allowsMocks: options.allowsMocks, source: options.source?.mocks)
        findings += mocks.findings
        if options.allowsMocks { checkDemo(selected) }
        findings += Self.secretsFiles(in: build, mocks)
        if let source = options.source {
            var comparison = SourceComparison(source, build)
            for folder in folders {
                comparison.compare(folder, selected: selected.first { $0.folder.url == folder.url }?.name)
            }
            if options.allowsMocks { for folder in mocks.folders { comparison.compare(folder) } }
            findings += comparison.findings
            omitted.formUnion(comparison.omitted)
        }
        return folders
    }

    /// The folders of environments in a build: those that are selected from, and those that nothing reads.
    private mutating func folders(in build: Build, _ selected: [SelectedEnvironment]) -> [EnvironmentFolder] {
        var seen: Set<String> = []
        // The link `Resources` of a framework for macOS leads to the folder that is listed.
        func isNew(_ url: URL) -> Bool { seen.insert(url.resolvingSymlinksInPath().standardizedFileURL.path).inserted }
        var folders = selected.map(\.folder).filter { isNew($0.url) }
        for file in build.files.files where file.kind == .folder && file.name.isSame(as: EnvironmentFolder.name) {
            let url = build.files.url(of: file.path)
            guard isNew(url) else { continue }
            do throws(FileProblem) {
                let folder = try EnvironmentFolder(url: url)
                if !folder.files.isEmpty { folders.append(folder) }
            } catch {
                findings.append(build.files.shown(error, in: url).of(.unreadable))
            }
        }
        return folders
    }

    /// The selected environment in the frameworks whose own files it is not read from.
    private func unread(
        _ folders: [EnvironmentFolder], _ selected: [SelectedEnvironment], in build: Build
    ) -> [SelectedEnvironment] {
        guard let first = selected.first else { return [] }
        let read = Set(selected.map(\.folder.url.path))
        return folders.filter { !read.contains($0.url.path) && $0.targets.contains(first.name) }.compactMap { folder in
            let framework = build.parts.last { part in
                part.kind == .framework && folder.url.path.begins(with: part.url.path + "/")
            }
            return framework.map { SelectedEnvironment(first.name, of: $0, in: folder, rule: first.rule) }
        }
    }

    /// The checks of a build, on what was built.
    private mutating func check(_ folder: EnvironmentFolder, _ build: Build) {
        let parity = EnvironmentParity(EnvironmentSchema(folder, desk: BuildDesk.self))
        var problems = parity.problems + TestingSealCheck.problems(of: parity.schema)
        // Among the files at the top level of a bundle are those of the app.
        if folder.url.lastPathComponent.isSame(as: EnvironmentFolder.name) {
            problems += EnvironmentFolderCheck.problems(of: folder)
        }
        findings += problems.map { build.files.shown($0, in: folder.url).of(.environment) }
    }

    private mutating func checkDemo(_ selected: [SelectedEnvironment]) {
        for sealed in selected where sealed.layers.isSealed {
            // A folder that cannot be searched is reported by the search for environments.
            guard let search = try? sealed.part.search(MockFolder.name), search.found == nil, search.topLevel == nil
            else { continue }
            findings.append(
                FileProblem(
                    .mocks, sealed.part.path,
                    "\(sealed.name) answers from mocks alone, but the build contains no folder \(MockFolder.name)",
                    fix: "copy it into the build"))
        }
    }

    private mutating func reportNoEnvironments(_ part: BuildPart) {
        findings.append(
            FileProblem(
                .selection, part.path,
                "the build contains no environments, so the library finds no base URL",
                fix: "add the plugin to the target, or copy the folder \(EnvironmentFolder.name) into it"))
    }

    private static func secretsFiles(in build: Build, _ mocks: MockContents) -> [FileProblem] {
        // A mock may have such a name.
        build.files.files.filter { $0.kind != .folder && isSecretsFile($0.name) && !mocks.contains($0) }.map { file in
            FileProblem(
                .secretsFile, build.files.path(of: file.path),
                "a secrets file is in the build, and everybody can read it there",
                fix: "remove it from the target's resources, and revoke its values if the build has left your machine")
        }
    }

    /// True for the name of a secrets file, and for what people and programs call a copy of it:
    /// `Production-Secrets copy 2.json`, `Production-Secrets_old.json.orig`.
    private static func isSecretsFile(_ name: String) -> Bool {
        var rest = name.lowercased()[...]
        while let suffix = rest.firstRange(ofBytes: EnvironmentFile.secretsSuffix.lowercased()) {
            rest = rest[suffix.upperBound...]
            if rest.unicodeScalars.first?.properties.isAlphabetic == true { continue }
            let words = rest.unicodeScalars.split { !$0.properties.isAlphabetic && $0.properties.numericType == nil }
                .map(String.init)
            let hasFormat = EnvironmentFile.formats.contains { format in
                words.contains { $0.begins(with: format) }
            }
            // Finder says "copy 2" in the language of its user. More words are those of a title.
            let copy = words.filter { Int($0) == nil }
            if hasFormat, copy.count <= 3 { return true }
        }
        return false
    }

    // MARK: Notes

    private mutating func addNotes(_ secrets: KnownSecrets, _ options: Options) {
        if !omitted.isEmpty {
            notes.append("Left out of the build, and not needed by it: \(omitted.sorted().joined(separator: ", ")).")
        }
        let unknown = secrets.unknown.isEmpty ? nil : secrets.unknown.sorted().joined(separator: ", ")
        let files = secrets.count - secrets.fromVariables
        let sources = [
            files > 0 ? "\(files) from files" : nil,
            secrets.fromVariables > 0 ? "\(secrets.fromVariables) from variables" : nil,
        ].compactMap { $0 }
        notes.append(
            secrets.count == 0
                ? "No value of a secret is known here, so none was searched for\(unknown.map { ": \($0)" } ?? ""). Values "
                    + "come from the secrets files of --source, and from variables such as ENV__API_KEY."
                : "Searched for \(secrets.count.inWords("value")) of secrets "
                    + "(\(sources.joined(separator: ", "))), as text, UTF-16 and base64, and with the escapes of XML, "
                    + "JSON and URLs.")
        if secrets.count > 0, let unknown {
            notes.append("Not searched for, because no value is known here: \(unknown).")
        }
        if secrets.rest > 0 { notes.append("Not searched for: \(secrets.rest.inWords("more value")) of secrets.") }
        if !secrets.short.isEmpty {
            notes.append(
                "Not searched for, because they have less than \(KnownSecrets.minimum) bytes: "
                    + "\(secrets.short.sorted().joined(separator: ", ")).")
        }
        if !secrets.harmless.isEmpty {
            notes.append(
                "Not searched for, because nothing in them looks secret: "
                    + "\(secrets.harmless.sorted().joined(separator: ", ")).")
        }
        if !secrets.inline.isEmpty {
            notes.append(
                "Cannot be found if they are literals in code, where the compiler stores texts of up to 15 bytes in "
                    + "instructions: \(secrets.inline.sorted().joined(separator: ", ")).")
        }
        if options.source == nil {
            notes.append("Nothing was compared with what was reviewed. Pass --source with its folder.")
        }
    }
}

extension BuildVerification.Part {
    init(_ selected: SelectedEnvironment, _ build: Build) {
        path = selected.part.path
        kind = selected.part.kind.rawValue
        environment = selected.name
        rule = selected.rule
        network = selected.layers.network.rawValue
        func shown(_ path: String) -> String {
            build.files.shown(FileProblem(path: path, message: ""), in: selected.folder.url).path ?? path
        }
        files = selected.layers.documents.map { shown($0.path) }
        servers = selected.servers.map { server in
            let place = server.setting.source.problem("", fix: nil)
            return Server(
                key: server.key, url: selected.layers.shown(.string(server.text), at: server.key),
                from: shown(place.path ?? "") + (place.line.map { ":\($0)" } ?? ""))
        }
    }
}
