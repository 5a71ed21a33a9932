package import FingerpostFiles

extension FileProblem {
    /// A problem that does not fail the build or the test.
    package static func warning(
        path: String?, line: Int? = nil, column: Int? = nil, message: String, fix: String? = nil
    ) -> FileProblem {
        FileProblem(path: path, line: line, column: column, message: message, fix: fix).with(.warning)
    }
}
