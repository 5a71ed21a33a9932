import FingerpostFiles

/// A problem that ``MockAudit`` or ``MockDrift`` found in the mocks.
public struct MockFinding: Sendable, Hashable {
    /// The kind of a problem. Pass kinds to the `skipping` parameter of ``MockAudit`` to leave them out.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A route names a mock that does not exist. An error.
        case missing
        /// A file that no route names. An error.
        case orphan
        /// A body that does not decode as the response type of its route, or as the error type of the client. An error.
        case undecodable
        /// Keys of a body that no model reads. A warning.
        case unreadKeys
        /// Keys of a model that no body contains, so that their decoding is untested. A warning.
        case absentKeys
        /// A file with an invalid name or invalid content, or settings that are invalid. An error or a warning.
        case invalidFile
        /// Settings whose `for` is not the route's request, or a sample that cannot become a request. An error.
        case wrongRoute
        /// A recording that is older than the `expires` of its settings. A warning.
        case expired
        /// A credential in a file. An error.
        case secret
        /// A mock that routes with different response types share. A warning.
        case shared
        /// Routes with a JSON mock but without a response type, so that the mock is not decoded. A warning.
        case untyped
        /// The server's answer differs from the mock, or the comparison failed. An error or a warning, only from
        /// ``MockDrift``.
        case drift
    }

    /// The kind of the problem.
    public let kind: Kind
    /// The mock's name; nil if the finding concerns several mocks or none in particular.
    public let mock: String?
    let problem: FileProblem

    init(_ kind: Kind, mock: String?, _ problem: FileProblem, isError: Bool = true) {
        self.kind = kind
        self.mock = mock
        var problem = problem
        if !isError { problem.isError = false }
        self.problem = problem
    }

    /// True for an error, which fails the test; false for a warning, which does not.
    public var isError: Bool { problem.isError }
    /// The path of the file, or of the folder if no single file is concerned. Relative to the working directory if it
    /// is inside it.
    public var file: String { problem.path ?? "" }
    /// The line in the file, 1-based; nil if the whole file is concerned or the line is unknown.
    public var line: Int? { problem.line }
    /// What is wrong, without the place and the fix. ``description`` has all three.
    public var message: String { problem.message }
    /// How to correct the problem; nil if no general fix is known.
    public var fix: String? { problem.fix }
}

extension MockFinding: CustomStringConvertible {
    /// `file:line: error: message. Fix: …`, the form that editors and CI link to the file. A warning has `warning:`
    /// instead.
    public var description: String { problem.description }
}
