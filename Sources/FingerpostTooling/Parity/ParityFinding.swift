package import FingerpostFiles

/// A difference between the environments in a folder that is probably a mistake.
package struct ParityFinding: Sendable {
    /// The kind of difference. The raw values are used in the JSON report.
    package enum Kind: String, Sendable, Codable {
        /// Some environments lack the key.
        case missing
        /// Only one of several environments contains the key.
        case single
        /// The values have different types.
        case type
        /// A sealed environment contains the URL of a server that a live environment uses.
        case production
        /// A sealed environment contains the URL of a server that may exist.
        case reachable
    }

    package let kind: Kind
    /// The dotted path of the key that differs.
    package let key: String
    /// The state of the key in each environment, such as `Staging -missing-`.
    package let states: [String]
    /// The text in the last column of the table. This text explains how to fix the difference or why the difference is
    /// reported.
    package let note: String
    /// The problems that this finding reports, one for each place that has to be fixed.
    package let problems: [FileProblem]

    /// True if at least one of the problems is an error.
    package var isError: Bool { problems.contains(where: \.isError) }
}
