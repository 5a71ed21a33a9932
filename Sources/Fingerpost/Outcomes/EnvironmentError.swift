import FingerpostFiles
public import Foundation

/// What is wrong with an environment: each problem with its file, its line where there is one, and the fix.
///
/// ``APIClient`` wraps it into an ``APIError`` of the kind `environment`.
public struct EnvironmentError: Error, Sendable, Hashable {
    /// What kind of thing went wrong.
    public enum Kind: Sendable, Hashable {
        /// No file for the environment, or no environment files at all.
        case notFound
        /// A file that cannot be read, is malformed, or clashes with another.
        case invalidFile
        /// A key that the environment does not have.
        case missingKey
        /// A key whose value is of another type.
        case wrongType
    }

    /// One thing to correct.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The file, relative to the working directory when it lies below it; nil when there is none.
        public let file: String?
        /// 1-based; nil in binary property lists and where the problem is the file as a whole.
        public let line: Int?
        public let message: String
        public let fix: String?

        /// `file:line: message. Fix: …`
        public var description: String {
            let place = file.map { file in file + (line.map { ":\($0)" } ?? "") + ": " } ?? ""
            return place + message + (fix.map { ". Fix: \($0)" } ?? "")
        }
    }

    public let kind: Kind
    public let problems: [Problem]

    init(_ kind: Kind, _ message: String, file: String? = nil, fix: String? = nil) {
        self.init(kind, FileProblem(path: file, message: message, fix: fix))
    }

    /// The same with another way out, for who knows a better one.
    package func fixed(by fix: String) -> EnvironmentError {
        EnvironmentError(kind, problems.map(\.message).joined(separator: "; "), file: problems.first?.file, fix: fix)
    }

    init(_ kind: Kind, _ problem: FileProblem) {
        self.init(kind, [problem])
    }

    init(_ kind: Kind, _ problems: [FileProblem]) {
        self.kind = kind
        self.problems = problems.map { Problem(file: $0.path, line: $0.line, message: $0.message, fix: $0.fix) }
    }
}

extension EnvironmentError: CustomStringConvertible, LocalizedError {
    /// A line for each problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }

    public var errorDescription: String? { description }
}
