import FingerpostFiles
package import Foundation

/// Answers a client's calls from mocks. The module `FingerpostMocks` contains the only implementation, and an app may
/// lack that module: the product `FingerpostCore` does not contain it.
package protocol MockEngine: AnyObject, Sendable {
    /// - Parameter folder: the mocks folder in the client's configuration; nil to search for one.
    init(folder: URL?)

    /// The mocks for one call.
    ///
    /// - Parameter sealing: the environment whose network setting applies.
    func mocks(for call: CallContext, sealedBy sealing: Environment?) -> any CallMocks

    /// The names of all mocks in a folder, and which of them have a default answer; nil if the folder cannot be read.
    static func mocks(in folder: URL) -> (names: [String], contains: (String) -> Bool)?

    /// The names of all scenarios in a folder.
    ///
    /// - Parameter folder: the mocks folder; nil for the one that a client finds.
    /// - Throws: ``APIError`` if the folder or its scenarios cannot be read.
    static func scenarios(in folder: URL?) throws(APIError) -> [String]

    /// The state of the mocks in a new scope.
    static func newState() -> any MockState
}

extension LinkedClass where Class == any MockEngine.Type {
    /// The engine's class.
    static let mockEngine = LinkedClass("FingerpostMocks.MockFolderEngine")
}

/// The mocks for one call, which replace the transport.
package protocol CallMocks: AnyObject, Transport {
    /// Told of the call when it has ended; nil if nobody is.
    var observer: (any CallObserver)? { get }

    /// True when there is a mock for the route.
    ///
    /// - Throws: ``APIError`` for an invalid mock name, because no mock can have that name, and for a mock name that
    ///   cannot be read.
    func answers(_ route: Route) throws(APIError) -> Bool

    /// The warning for a route whose mock does not exist. It contains the mock's name and a similar name that exists.
    func absence(for route: Route) -> String
}

/// What the engine that answers from mocks remembers of a scope: how often calls used a mock, positions in sequences,
/// and what no call used. An app without the engine remembers nothing of this.
package protocol MockState: AnyObject, Sendable {
    /// Told when an answer is set in code, or removed if `answer` is nil.
    ///
    /// - Parameter id: the identifier of the answer.
    func set(_ answer: MockAnswer?, id: Int64, for mock: MockName)

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
