import Fingerpost
import FingerpostFiles
import FingerpostMockFiles

/// What another process changes and sees: see `ControlFolder`. A release build contains nothing of it.
extension MockTransport {
    var observer: (any CallObserver)? {
        #if DEBUG
            control
        #else
            nil
        #endif
    }

    /// What another process has set; nil if none controls the call.
    ///
    /// - Throws: ``APIError`` if it is invalid.
    func order(for folder: MockFolder) throws(APIError) -> ControlOrder? {
        #if DEBUG
            try control?.order(for: folder)
        #else
            nil
        #endif
    }

    /// Notes which mock answers.
    func noteMock(_ name: MockName) {
        #if DEBUG
            control?.answer.withLock { $0.mock = name.rawValue.mockName }
        #endif
    }

    /// Notes which variant answers.
    func noteVariant(_ variant: String?) {
        #if DEBUG
            control?.answer.withLock { $0.variant = variant }
        #endif
    }
}
