package import FingerpostFiles

/// One thing in which the environments of a folder should be alike and are not.
package struct ParityFinding: Sendable {
    package enum Kind: String, Sendable, Codable {
        /// Some environments lack the key.
        case missing
        /// One environment alone has the key.
        case single
        /// The values have different types.
        case type
        /// A sealed environment has the URL of a live one.
        case production
        /// A sealed environment names a server that exists.
        case reachable
    }

    package let kind: Kind
    /// The dotted path.
    package let key: String
    /// What the environments have: `Staging -missing-`.
    package let states: [String]
    /// What to do, or why it is wrong: the last column of the table.
    package let note: String
    /// The same, with the place to mend.
    package let problems: [FileProblem]

    package var isError: Bool { problems.contains(where: \.isError) }
}
