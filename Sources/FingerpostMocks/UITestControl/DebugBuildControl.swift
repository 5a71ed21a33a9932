import Fingerpost
import FingerpostMockFiles

/// Lets another process change and read one call: see `ControlFolder`. A release build contains no such code.
struct DebugBuildControl {
    #if DEBUG
        /// The observer of the call's end. Nil for most calls.
        let observer: ControlledCall?

        /// - Parameters:
        ///   - sealing: the environment whose network setting applies. Only the app's own calls under a sealed
        ///     environment are controlled.
        ///   - note: keeps the problems of the call.
        init(of call: CallContext, sealedBy sealing: Environment?, _ note: CallProblem) {
            let isControlled = call.scope == nil && sealing?.isSealed == true
            observer = isControlled ? ControlFolder.current.map { ControlledCall($0, note) } : nil
        }

        /// Reads the choices of the other process; nil if no other process controls the call.
        ///
        /// - Throws: ``/Fingerpost/APIError`` if the file is invalid.
        func order(for folder: MockIndex) throws(APIError) -> ControlOrder? { try observer?.order(for: folder) }

        /// Notes which mock answers.
        func note(mock: MockName) { observer?.response.withLock { $0.mock = mock.rawValue.mockName } }

        /// Notes which variant answers.
        func note(variant: String?) { observer?.response.withLock { $0.variant = variant } }
    #else
        init(of call: CallContext, sealedBy sealing: Environment?, _ note: CallProblem) {}
        var observer: (any CallObserver)? { nil }
        func order(for folder: MockIndex) throws(APIError) -> ControlOrder? { nil }
        func note(mock: MockName) {}
        func note(variant: String?) {}
    #endif
}

/// The choices of another process for the app's mocks.
struct ControlOrder: Sendable {
    /// Numbers the contents of the file, so that the other process can tell which calls saw a change.
    var number = 0
    var scenario: MockScenario?
    var changes: MockChanges?
}
