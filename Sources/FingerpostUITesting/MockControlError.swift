public import Foundation

/// The problems that a UI test must fail for: see ``MockControl/check()`` and ``MockControl/init(folder:)``.
public struct MockControlError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// One text for each problem.
    public let problems: [String]

    static let onDevice = MockControlError(problems: [
        "on a device, an app cannot see the temporary folder of its UI test; choose the mocks before the launch, with "
            + "the process variables MOCKS_SCENARIO and MOCKS_VARIANTS, or pass a folder that both can write, such as "
            + "that of an app group: MockControl(folder:)"
    ])

    /// All problems, one after the other.
    public var description: String { problems.joined(separator: "\n") }

    /// The ``description``.
    public var errorDescription: String? { description }
}
