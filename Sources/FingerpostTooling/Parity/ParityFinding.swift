package import FingerpostFiles

/// A difference between the environments of a folder that is probably a mistake.
package struct ParityFinding: Sendable {
    /// The kind of difference; the raw values are part of the JSON report.
    package enum Kind: String, Sendable, Codable {
        /// Some environments lack the key.
        case missing
        /// Only one of several environments contains the key.
        case single
        /// The values have different types.
        case type
        /// A sealed environment points at the server of a live environment.
        case production
        /// A sealed environment points at a server that may exist.
        case reachable
    }

    package let kind: Kind
    /// The dotted path.
    package let key: String
    /// The state of the key in the environments: `Staging -missing-`.
    package let states: [String]
    /// The fix or the reason, for the last column of the table.
    package let note: String
    /// The finding as problems at the places to fix.
    package let problems: [FileProblem]

    /// True when at least one of the problems is an error.
    package var isError: Bool { problems.contains(where: \.isError) }
}
