/// Everything that is wrong with a file, at once.
struct FileProblems: Error, Sendable {
    let problems: [FileProblem]

    init(_ problems: [FileProblem]) {
        self.problems = problems
    }
}
