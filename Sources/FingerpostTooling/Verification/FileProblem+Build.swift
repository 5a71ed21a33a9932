import FingerpostDocuments
import FingerpostFiles

/// The kinds of problems in what was built.
extension FileProblem.Kind {
    /// A file or folder that cannot be read, so that nothing is known about it.
    static let unreadable = Self(rawValue: "unreadable")
    /// A bundle that lacks a part.
    static let incomplete = Self(rawValue: "incomplete")
    /// A link that leads out of what was built.
    static let link = Self(rawValue: "link")
    /// No environment is selected, or another than expected.
    static let selection = Self(rawValue: "selection")
    /// What the checks of a build report about the environments.
    static let environment = Self(rawValue: "environment")
    /// Mocks answer, or may answer.
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
    /// A secret that nothing gives a value.
    static let missingSecret = Self(rawValue: "missingSecret")
    /// The path of the source folder, which only debug builds contain.
    static let sourcePath = Self(rawValue: "sourcePath")
    /// A difference from the source.
    static let difference = Self(rawValue: "difference")
}

extension FileProblem {
    /// A problem in what was built.
    ///
    /// - Parameter path: the path of the file as shown in messages.
    init(_ kind: Kind, _ path: String, line: Int? = nil, _ message: String, fix: String) {
        self = FileProblem(path: path, line: line, message: message, fix: fix).of(kind)
    }

    /// The problem of what cannot be read.
    ///
    /// - Parameter fix: the fix if the reader knows none.
    func unreadable(fix: String) -> FileProblem {
        var problem = self
        problem.details.fix = problem.fix ?? fix
        return problem.of(.unreadable)
    }
}
