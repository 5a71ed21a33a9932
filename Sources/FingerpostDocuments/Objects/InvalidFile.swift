package import FingerpostFiles

/// The error for a file with problems.
package struct InvalidFile: Error, Sendable {
    /// All problems found in the file.
    package let problems: [FileProblem]

    package init(_ problems: [FileProblem]) {
        self.problems = problems
    }
}
