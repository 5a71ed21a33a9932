package import FingerpostFiles

// What checks and comparisons change in a problem.
extension FileProblem {
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
        problem.details.kind = kind
        problem.details.key = key
        return problem
    }
}
