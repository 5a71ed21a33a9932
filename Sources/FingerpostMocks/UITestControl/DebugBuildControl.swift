import Fingerpost
import FingerpostMockFiles

/// Lets another process change and observe one call: see `ControlFolder`. A release build contains no such code.
struct DebugBuildControl {
    #if DEBUG
        /// The observer of the call's end. Nil for most calls.
        let observer: ControlledCall?

        /// - Parameters:
        ///   - sealing: the environment whose network setting applies. A call is controlled only if this environment is
        ///     sealed and the call has no scope.
        ///   - note: stores the problems of the call.
        init(of call: CallContext, sealedBy sealing: Environment?, _ note: CallProblem) {
            let isControlled = call.scope == nil && sealing?.isSealed == true
            observer = isControlled ? ControlFolder.current.map { ControlledCall($0, note) } : nil
        }

        /// Reads the choices of the other process. Returns nil if no other process controls the call.
        ///
        /// - Throws: ``/Fingerpost/APIError`` if the file is invalid.
        func order(for folder: MockIndex) throws(APIError) -> ControlOrder? { try observer?.order(for: folder) }

        /// Stores the name of the mock that answers.
        func note(mock: MockName) { observer?.response.withLock { $0.mock = mock.rawValue.mockName } }

        /// Stores the variant that answers.
        func note(variant: String?) { observer?.response.withLock { $0.variant = variant } }
    #else
        init(of call: CallContext, sealedBy sealing: Environment?, _ note: CallProblem) {}
        var observer: (any CallObserver)? { nil }
        func order(for folder: MockIndex) throws(APIError) -> ControlOrder? { nil }
        func note(mock: MockName) {}
        func note(variant: String?) {}
    #endif
}

/// The choices that another process makes for the app's mocks.
struct ControlOrder: Sendable {
    /// The number of the last change. The other process uses this number to determine which calls a change affected.
    var number = 0
    var scenario: MockScenario?
    var changes: MockChanges?
}
