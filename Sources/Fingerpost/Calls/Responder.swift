/// Who answers a call. ``ResponderSelection`` decides it once per call.
enum Responder: Sendable {
    /// The mocks.
    case mocks(any CallMocks)
    /// The client's transport.
    case network
    /// Nobody: the call fails.
    case nobody(APIError)

    var isNetwork: Bool { if case .network = self { true } else { false } }

    /// True if a server or the app's code answers: either of them may never return.
    var mayNeverReturn: Bool {
        switch self {
        case .mocks(let mocks): mocks.runsCode
        case .network: true
        case .nobody: false
        }
    }
}
