import FingerpostFiles
import Testing

/// A problem that ``MockAudit`` or ``MockDrift`` found in the mocks.
public struct MockFinding: Sendable, Equatable {
    /// The kind of a problem. To leave out findings of some kinds, pass these kinds as `skipping` to
    /// ``MockAudit/Options``.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// An error: a route names a mock that does not exist, or a page of a mock links to a page that does not exist.
        case missing
        /// An error: no route names the mock that a file belongs to. A warning: no page of a mock links to a recorded
        /// page.
        case orphan
        /// An error: a body does not decode as the route's response type or the client's error type.
        case undecodable
        /// A warning: a body contains keys that no model reads. Recorded bodies are not checked for such keys.
        case unreadKeys
        /// A warning: a model reads keys that no body contains, so the decoding of these keys is untested.
        case absentKeys
        /// An error or a warning: a file has an invalid name, invalid content or invalid settings.
        case invalidFile
        /// An error: the `for` entry in a mock's settings does not match the route's request, or no request can be
        /// created from a sample.
        case wrongRoute
        /// A warning: a recording is older than the `expires` entry in its settings allows.
        case expired
        /// An error: a file contains a credential.
        case secret
        /// A warning: routes with different response types share a mock.
        case shared
        /// A warning: a route has a JSON mock but no response type, so the mock is not decoded.
        case untyped
        /// A warning: a router's samples send nothing but paths, and the paths lack arguments of the enum cases. A
        /// property of the router probably has another name than the protocol's requirement, such as `httpMethod`.
        case unsentArguments
        /// An error: the server's answer differs from the mock, or nothing could be compared. Only ``MockDrift``
        /// reports this kind.
        case drift
    }

    /// The kind of the problem.
    public let kind: Kind
    /// The mock's name; nil if the finding concerns several mocks or no particular mock.
    public let mock: String?
    let problem: FileProblem

    init(_ kind: Kind, mock: String?, _ problem: FileProblem) {
        self.kind = kind
        self.mock = mock
        self.problem = problem
    }

    /// True if the finding is an error and fails the test; false if the finding is a warning and does not fail the
    /// test.
    public var isError: Bool { problem.isError }
    var file: String { problem.path ?? "" }
    var message: String { problem.message }
}

extension MockFinding: CustomStringConvertible {
    /// `file:line: error: message. Fix: …`, the format that editors and CI turn into a link to the file. A warning
    /// has `warning:` in place of `error:`.
    public var description: String { problem.description }
}

extension MockFinding {
    /// Returns true if the first finding comes before the second: errors come before warnings, and findings of equal
    /// severity are sorted by file and line.
    static func isBefore(_ a: MockFinding, _ b: MockFinding) -> Bool {
        if a.isError != b.isError { return a.isError }
        return (a.file, a.problem.line ?? 0, a.kind.rawValue, a.message) < (
            b.file, b.problem.line ?? 0, b.kind.rawValue, b.message
        )
    }

    /// True for an ignored mock and for its variants. If no route names the mock, findings treat each variant as a mock
    /// of its own, such as `user.404`.
    static func isIgnored(_ mock: String?, _ ignored: Set<String>) -> Bool {
        guard let mock else { return false }
        return ignored.contains { mock.isSame(as: $0) || mock.begins(with: $0 + ".") }
    }

    /// Records each finding as an issue in the running test. Warnings do not fail the test. Before Swift 6.3, Swift
    /// Testing cannot record warnings, so the warnings are printed.
    static func record(_ findings: [MockFinding], at sourceLocation: SourceLocation) {
        for finding in findings {
            let comment = Comment(rawValue: finding.description)
            #if compiler(>=6.3)
                Issue.record(comment, severity: finding.isError ? .error : .warning, sourceLocation: sourceLocation)
            #else
                if finding.isError {
                    Issue.record(comment, sourceLocation: sourceLocation)
                } else {
                    print(finding.description)
                }
            #endif
        }
    }
}
