import FingerpostFiles

/// Something wrong in what was built.
struct BuildFinding: Hashable, Sendable {
    /// The kind of a finding. The raw values are used in the JSON report.
    enum Kind: String, Sendable {
        /// A file or folder that cannot be read, so that nothing is known about it.
        case unreadable
        /// A bundle that lacks a part.
        case incomplete
        /// Tests and debug symbols, which only developers need.
        case development
        /// A link that leads out of what was built, or nowhere.
        case link
        /// No environment is selected, or another than expected.
        case selection
        /// What the checks of a build report about the environments.
        case environment
        /// Mocks answer, or may answer.
        case sealed
        /// A URL without encryption.
        case insecure
        /// A host that users cannot reach, or probably not: this machine, a private address, a reserved name, a tunnel.
        case unreachable
        /// A server of another environment.
        case otherServer
        /// Two parts that call different servers.
        case disagreement
        /// Mocks, their settings or recordings.
        case mocks
        /// Text with the format of a credential.
        case credential
        /// A file for secrets.
        case secretsFile
        /// The value of a secret.
        case secret
        /// A secret that nothing gives a value.
        case missingSecret
        /// The path of the source folder, which only debug builds contain.
        case sourcePath
        /// A difference from the source.
        case difference
    }

    let kind: Kind
    let problem: FileProblem

    init(_ kind: Kind, _ problem: FileProblem) {
        self.kind = kind
        self.problem = problem
    }

    init(_ kind: Kind, _ path: String, line: Int? = nil, _ message: String, fix: String? = nil) {
        self.init(kind, FileProblem(path: path, line: line, message: message, fix: fix))
    }
}

extension [BuildFinding] {
    /// The findings without repetitions, sorted by file and line.
    var inOrder: [BuildFinding] {
        let kinds = Dictionary(map { ($0.problem, $0.kind) }) { first, _ in first }
        return map(\.problem).inOrder.compactMap { problem in kinds[problem].map { BuildFinding($0, problem) } }
    }
}
