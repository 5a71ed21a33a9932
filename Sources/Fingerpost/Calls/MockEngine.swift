import FingerpostFiles

/// Answers a client's calls from mocks. The module `FingerpostMocks` contains the only implementation, and an app may
/// lack that module: the product `FingerpostCore` does not contain it.
package protocol MockEngine: AnyObject, Sendable {
    /// - Parameter configuration: the client's configuration.
    init(_ configuration: ClientConfiguration)

    /// Returns the mocks for one call.
    ///
    /// - Parameter sealing: the environment whose network setting applies.
    /// - Throws: ``APIError`` in a release build outside tests and previews, unless the scope or the environment's
    ///   `$network` is `sealed`. Without this error, mocks would answer in an app that was shipped with a testing
    ///   environment by mistake.
    func mocks(for call: CallContext, sealedBy sealing: Environment?) throws(APIError) -> any CallMocks

    /// Creates the state of a new scope.
    static func newSession() -> any ScopeSession
}

extension LinkedClass where Class == any MockEngine.Type {
    /// The engine's class.
    static let mockEngine = LinkedClass("FingerpostMocks.MockFolderEngine")
}

/// A scope's recorder. The recorder needs the configuration of the client whose call it records.
package protocol ClientRecorder: Recorder {
    func recorder(of configuration: ClientConfiguration) -> any Recorder
}

/// The mocks for one call, which replace the transport.
package protocol CallMocks: AnyObject, Transport {
    /// The observer that is notified when the call has ended; nil if there is no observer.
    var observer: (any CallObserver)? { get }

    /// True if the app's code may create the response.
    var runsCode: Bool { get }

    /// Returns true if the scope chooses a response, a variant or a scenario for the route.
    func isChosen(_ route: Route) -> Bool

    /// Returns true if the route has a mock.
    ///
    /// - Throws: ``APIError`` if the route's mock name is invalid or cannot be read.
    func answers(_ route: Route) throws(APIError) -> Bool

    /// Returns the warning for a route without a mock. The warning contains the name of the missing mock, and, if there
    /// is one, a similar name of an existing mock.
    func absence(for route: Route) -> String
}
