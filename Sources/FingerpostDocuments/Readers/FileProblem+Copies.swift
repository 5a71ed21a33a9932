package import FingerpostFiles

// What checks and comparisons add to a problem, or change in it.
extension FileProblem {
    /// The kind of a problem. The module whose checks report a kind declares it. The raw values are used in reports.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The kind of the problem; nil if problems of this kind have no name.
    package var kind: Kind? { details.kind.map(Kind.init) }

    /// The path of the key that the problem concerns; nil if there is none, or if the message alone names it.
    package var key: String? { details.key }

    /// A copy of this problem with another severity.
    package func with(_ severity: Severity) -> FileProblem {
        var problem = self
        problem.details.severity = severity
        return problem
    }

    /// A copy of this problem with another fix.
    package func with(fix: String) -> FileProblem {
        var problem = self
        problem.details.fix = fix
        return problem
    }

    /// A copy of this problem with another kind and key.
    package func of(_ kind: Kind?, key: String? = nil) -> FileProblem {
        var problem = self
        problem.details.kind = kind?.rawValue
        problem.details.key = key
        return problem
    }
}
