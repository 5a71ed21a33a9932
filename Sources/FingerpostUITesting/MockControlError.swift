public import Foundation

/// The problems that a UI test must fail for: see ``MockControl/check()``.
public struct MockControlError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// One text for each problem.
    public let problems: [String]

    /// All problems, one after the other.
    public var description: String { problems.joined(separator: "\n") }

    /// The ``description``.
    public var errorDescription: String? { description }
}
