import FingerpostFiles
public import Foundation

/// Everything that is wrong with an environment: a list of problems. Each problem contains its file, its line and a
/// fix, as far as these are known.
///
/// ``APIClient`` wraps this error in an ``APIError`` of the kind `environment`.
public struct EnvironmentError: Error, Sendable, Equatable {
    /// The kind of failure.
    public enum Kind: Sendable, Hashable {
        /// The requested environment has no file, there are no environment files at all, or no environment could be
        /// selected.
        case notFound
        /// A file or a folder is unreadable, or a file is invalid or conflicts with another file.
        case invalidFile
        /// The environment does not contain the key.
        case missingKey
        /// The key's value does not have the requested type.
        case wrongType
        /// The operation is not allowed, for example a switch to another environment in a test.
        case refused
    }

    /// One problem to fix.
    public struct Problem: Sendable, Equatable, CustomStringConvertible {
        /// The file's path, relative to the working directory if the file is inside that directory; nil for a problem
        /// that is not in a file.
        public let file: String?
        /// The line number, counted from 1; nil for problems in binary property lists and for problems that concern a
        /// whole file.
        let line: Int?
        /// What is wrong.
        public let message: String
        /// How to fix the problem, if known.
        let fix: String?

        /// `file:line: message. Fix: …`
        public var description: String {
            let place = file.map { file in file + (line.map { ":\($0)" } ?? "") + ": " } ?? ""
            return place + message + (fix.map { ". Fix: \($0)" } ?? "")
        }
    }

    /// The kind of failure.
    public let kind: Kind
    /// Every problem found.
    public private(set) var problems: [Problem]

    /// Why there is no environment in a process that has requested none.
    package enum Absence: Sendable, Equatable {
        /// There is no environments folder.
        case noFolder
        /// There is a folder, but none of its environments is selected.
        case noneSelected
    }

    /// Why there is no environment; nil if an environment was requested, or if an environment could not be read. If
    /// this property is nil, calls must fail instead of continuing without an environment.
    package let absence: Absence?

    @inline(never)
    package init(_ kind: Kind, _ message: String, file: String? = nil, fix: String? = nil, absence: Absence? = nil) {
        self.init(kind, [FileProblem(path: file, message: message, fix: fix)], absence: absence)
    }

    init(_ kind: Kind, _ problems: [FileProblem], absence: Absence? = nil) {
        self.kind = kind
        self.absence = absence
        self.problems = problems.map {
            Problem(
                file: $0.path, line: $0.line, message: NamedValues.hidden(in: $0.message).printable,
                fix: $0.fix?.printable)
        }
    }

    /// Returns a copy of the error whose texts do not contain an environment's secrets.
    func redacted(by secrets: CallSecrets) -> EnvironmentError {
        var error = self
        error.problems = problems.map {
            Problem(file: $0.file, line: $0.line, message: secrets.hide($0.message), fix: $0.fix.map(secrets.hide))
        }
        return error
    }
}

extension EnvironmentError: CustomStringConvertible, LocalizedError {
    /// One line per problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
