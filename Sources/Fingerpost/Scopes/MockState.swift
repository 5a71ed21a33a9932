package import Foundation

/// What the engine that answers from mocks remembers of a scope: how often calls used a mock, positions in sequences,
/// and what no call used. An app without the engine remembers nothing of this.
package protocol MockState: AnyObject, Sendable {
    /// Told when an answer is set in code, or removed if `answer` is nil.
    ///
    /// - Parameter id: the identifier of the answer.
    func set(_ answer: MockAnswer?, id: Int, for mock: MockName)

    /// Told when a test chooses variants.
    ///
    /// - Parameter isStrict: true to make variants that no call used problems from now on.
    func choose(_ variants: [MockName: String], isStrict: Bool)

    /// Told when the answer of another mock switches a mock to a variant.
    func noteSwitch(of mock: MockName)

    /// Told when a scenario is chosen; nil for none.
    func use(_ scenario: MockScenario?)

    /// Requires that calls use the answers of the scenario as often as it says.
    ///
    /// - Parameter mocks: the mocks folder that contains the scenario; nil for the one that the client finds.
    func expectTimes(in mocks: URL?)

    /// Takes over the unused answers of a nested scope that ends, so that this scope reports them.
    func adopt(_ other: any MockState)

    /// Reports what was used too seldom or too often. Each problem is reported only once.
    ///
    /// - Parameter misspelled: the problems of mocks whose names are probably typos. They explain why nothing was used.
    func takeUnread(_ misspelled: [MockName: String]) -> [String]

    /// True if this scope or a scope nested in it has unused answers.
    var hasUnread: Bool { get }
}
