import FingerpostBuilding
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import FingerpostShared
import Foundation

/// Verifies a build from its files: which environments the build selects, which servers the build calls, and whether
/// the build contains something that users must not get.
struct BuildVerification: Sendable {
    /// The environment that one part of a build selects, for the report.
    struct Part: Encodable, Sendable {
        struct Server: Encodable, Sendable {
            let key: String
            let url: String
            /// The file and the line that contain the URL.
            let from: String
        }

        let path: String
        let kind: String
        let environment: String
        let rule: String
        let network: String
        /// The files with the environment's values, lowest layer first.
        let files: [String]
        let servers: [Server]
    }

    private(set) var parts: [Part] = []
    private(set) var findings: [FileProblem] = []
    /// The things that were not verified, with reasons.
    private(set) var notes: [String] = []
    private(set) var fileCount = 0
    private(set) var byteCount: Int64 = 0
    private var omitted: Set<String> = []

    /// - Parameter variables: the environment variables of this process, which may contain the values of secrets.
    /// - Throws: an error if there is no build at the URL, or if the source cannot be read.
    init(_ url: URL, _ options: VerifyOptions, variables: [String: String]) throws(FileProblem) {
        let source = try ReviewedSource(options)
        findings = source?.findings ?? []
        let builds = try Builds(at: url).builds
        var secrets = KnownSecrets()
        if let source { secrets.add(source.environments, variables) }
        var folders: [EnvironmentFolder] = []
        for build in builds { folders += verify(build, options, source) }
        for folder in folders { secrets.add(folder, variables) }
        // Report missing environments only if all builds lack them, because some programs in a folder may not use the
        // library.
        for part in builds.compactMap(\.parts.first) where folders.allSatisfy(\.targets.isEmpty) {
            findings.append(
                FileProblem(
                    .selection, part.path,
                    "the build contains no environments, so the library finds no base URL",
                    fix: "add the plugin to the target, or copy the folder \(EnvironmentFolder.name) into it"))
        }
        let search = ByteSearch(secrets)
        // The bytes of a secrets file are not reported again, because the file has already been reported with a better
        // message.
        let known = Set(findings.filter { $0.kind == .secretsFile }.map(\.path))
        for build in builds {
            let files = build.files.files.filter { $0.kind == .file }
            fileCount += files.count
            byteCount += files.reduce(0) { $0 + $1.size }
            findings += search.findings(in: build).filter { !known.contains($0.path) }
        }
        findings = findings.inOrder
        addNotes(secrets, hasSource: source != nil)
    }

    /// Verifies a build, except for the bytes of its files.
    ///
    /// - Returns: the environments folders in the build.
    private mutating func verify(
        _ build: Build, _ options: VerifyOptions, _ source: ReviewedSource?
    ) -> [EnvironmentFolder] {
        let mocks = MockContents(build, allowsMocks: options.allowsMocks, source: source?.mocks)
        let search = EnvironmentSearch(build, expected: options.environment, mocks)
        findings += build.findings + search.findings + mocks.findings + Self.secretsFiles(in: build, mocks)
        notes += search.notes
        let reviewed = source.map { Self.environments(in: $0.environments) } ?? []
        for environment in search.selected {
            parts.append(Part(environment, build))
            findings += SelectedEnvironmentCheck(environment, in: build, options).findings
            findings += ServerComparison.findings(
                environment, in: build, others: Self.environments(in: environment.folder) + reviewed)
        }
        findings += ServerComparison.disagreements(search.selected)
        for folder in search.folders { check(folder, build) }
        if let source {
            var comparison = SourceComparison(source.environments, build)
            for folder in search.folders {
                comparison.compare(folder, selected: search.selected.first { $0.folder.url == folder.url }?.name)
            }
            findings += comparison.findings
            omitted.formUnion(comparison.omitted)
        }
        return search.folders
    }

    private static func environments(in folder: EnvironmentFolder) -> [LayeredEnvironment] {
        EnvironmentSchema(folder, parser: BuildParser.self).targets.map(\.layers)
    }

    /// Runs the checks for source folders on a folder in the build.
    private mutating func check(_ folder: EnvironmentFolder, _ build: Build) {
        let parity = EnvironmentParity(EnvironmentSchema(folder, parser: BuildParser.self))
        var problems = parity.problems + parity.schema.sealProblems
        // Skip this check at the top level of a bundle, because it also contains other files of the app.
        if folder.url.lastPathComponent.isSame(as: EnvironmentFolder.name) {
            problems += folder.nameProblems
        }
        findings += problems.map { build.files.shown($0, in: folder.url).of(.environment) }
    }

    /// Reports files with the name of a secrets file. The search for the values of secrets finds copies with other
    /// names.
    private static func secretsFiles(in build: Build, _ mocks: MockContents) -> [FileProblem] {
        build.files.files.filter { file in
            // A mock can have the name of a secrets file.
            file.kind != .folder && isSecretsFile(file.name) && !mocks.contains(file)
        }.map { file in
            FileProblem(
                .secretsFile, build.files.path(of: file.path),
                "a secrets file is in the build, and everybody can read it there",
                fix: "remove it from the target's resources, and revoke its values if the build has left your machine")
        }
    }

    /// True for the name of a secrets file, in any letter case.
    static func isSecretsFile(_ name: String) -> Bool {
        EnvironmentFile.formats.contains { name.lowercased().ends(with: "-secrets.\($0)") }
    }

    // MARK: Notes

    private mutating func addNotes(_ secrets: KnownSecrets, hasSource: Bool) {
        func note(_ start: String, _ names: Set<String>) {
            if !names.isEmpty { notes.append("\(start): \(names.sorted().joined(separator: ", ")).") }
        }
        note("Left out of the build, and not needed by it", omitted)
        notes.append(
            secrets.count == 0
                ? "No value of a secret is known here, so none was searched for. Values come from the secrets files of "
                    + "--source, and from variables such as ENV__API_KEY."
                : "Searched for \(secrets.count.inWords("value")) of secrets, as text, UTF-16 and base64, and escaped "
                    + "for JSON and URLs.")
        note("Not searched for, because no value is known here", secrets.unknown)
        note("Not searched for, because they have less than \(KnownSecrets.minimum) bytes", secrets.short)
        if secrets.rest > 0 { notes.append("Not searched for: \(secrets.rest.inWords("more value")) of secrets.") }
        if !hasSource { notes.append("Nothing was compared with what was reviewed. Pass --source with its folder.") }
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
                key: server.key, url: server.shown,
                from: shown(place.path ?? "") + (place.line.map { ":\($0)" } ?? ""))
        }
    }
}

/// The kinds of problems in a build.
extension FileProblem.Kind {
    /// A file or folder that cannot be read, and therefore cannot be verified.
    static let unreadable = Self(rawValue: "unreadable")
    /// A bundle in which a part is missing.
    static let incomplete = Self(rawValue: "incomplete")
    /// No environment is selected, or the selected environment is not the expected one.
    static let selection = Self(rawValue: "selection")
    /// Findings about environments.
    static let environment = Self(rawValue: "environment")
    /// The selected environment answers from mocks, or may answer from mocks.
    static let sealed = Self(rawValue: "sealed")
    /// A URL without encryption.
    static let insecure = Self(rawValue: "insecure")
    /// A host that users cannot reach: this machine, a private address, a reserved name.
    static let unreachable = Self(rawValue: "unreachable")
    /// A server of another environment.
    static let otherServer = Self(rawValue: "otherServer")
    /// Two parts that call different servers.
    static let disagreement = Self(rawValue: "disagreement")
    /// Mocks, their settings or recordings.
    static let mocks = Self(rawValue: "mocks")
    /// Text with the format of a credential.
    static let credential = Self(rawValue: "credential")
    /// A file for secrets.
    static let secretsFile = Self(rawValue: "secretsFile")
    /// The value of a secret.
    static let secret = Self(rawValue: "secret")
    /// A secret without a value.
    static let missingSecret = Self(rawValue: "missingSecret")
    /// The path of the source folder, which only debug builds contain.
    static let sourcePath = Self(rawValue: "sourcePath")
    /// A difference between the build and the source.
    static let difference = Self(rawValue: "difference")
}

extension FileProblem {
    /// Creates a problem in a build.
    ///
    /// - Parameter path: the path of the file as shown in messages.
    init(_ kind: Kind, _ path: String, line: Int? = nil, _ message: String, fix: String) {
        self = FileProblem(path: path, line: line, message: message, fix: fix).of(kind)
    }

    /// Returns this problem as the problem of an unreadable file.
    ///
    /// - Parameter fix: the fix, if the problem has none.
    func unreadable(fix: String) -> FileProblem {
        var problem = self
        problem.details.fix = problem.fix ?? fix
        return problem.of(.unreadable)
    }
}

/// The options of `fingerpost-cli verify`.
struct VerifyOptions: Hashable, Sendable {
    /// The environment that the build must select. Nil to accept any environment that is not for tests.
    var environment: String?
    /// The path of the folder with the reviewed source. Nil if the build is not compared with its source.
    var source: String?
    /// True for a demo that answers from mocks.
    var allowsMocks = false
    /// True to accept an environment that lets users switch to another one.
    var allowsSwitching = false
    var isJSON = false

    init() {}
}
