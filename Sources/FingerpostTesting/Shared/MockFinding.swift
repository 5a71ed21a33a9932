import FingerpostFiles

/// One thing that ``MockAudit`` or ``MockDrift`` found.
public struct MockFinding: Sendable, Hashable {
    /// What kind of thing it is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A route names a mock that is not there.
        case missing
        /// A file that no route names.
        case orphan
        /// A body that does not decode as what its route answers with.
        case undecodable
        /// Keys of a body that no model reads.
        case unreadKeys
        /// Keys of a model that no body has, so that nothing tests how they decode.
        case absentKeys
        /// Settings or names of files that are wrong.
        case invalidFile
        /// The settings are `for` another request than the route's, or the route cannot become one.
        case wrongRoute
        /// A recording that is older than its settings allow.
        case expired
        /// A credential in a file.
        case secret
        /// Routes that answer with different types name one mock.
        case shared
        /// Routes that do not say what they answer with, so that their mocks are compared with nothing.
        case untyped
        /// The server answers with another shape than the mock.
        case drift
    }

    public let kind: Kind
    /// The mock's name; nil where it is about several, or about none.
    public let mock: String?
    let problem: FileProblem

    init(_ kind: Kind, mock: String?, _ problem: FileProblem, isError: Bool = true) {
        self.kind = kind
        self.mock = mock
        var problem = problem
        if !isError { problem.isError = false }
        self.problem = problem
    }

    /// False for a warning, which fails no test.
    public var isError: Bool { problem.isError }
    /// The file, relative to the working directory when it lies below it; the folder where it is about none.
    public var file: String { problem.path ?? "" }
    /// 1-based; nil where it is the file as a whole.
    public var line: Int? { problem.line }
    public var message: String { problem.message }
    public var fix: String? { problem.fix }
}

extension MockFinding: CustomStringConvertible {
    /// `file:line: error: message. Fix: …`
    public var description: String { problem.description }
}
